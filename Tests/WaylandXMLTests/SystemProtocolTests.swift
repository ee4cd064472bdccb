import Foundation
import Testing

@testable import WaylandXML

/// The XML that the machine's packages installed.
enum SystemProtocols {
    /// Where Debian's wayland, wayland-protocols, plasma-wayland-protocols and compositors put theirs.
    static let files: [URL] =
        ((try? FileManager.default.contentsOfDirectory(at: URL(filePath: "/usr/share"), includingPropertiesForKeys: nil))
        ?? [])
        .filter { folder in
            ["wayland", "weston", "wlr", "hyprland", "cosmic"].contains { folder.lastPathComponent.contains($0) }
        }
        .sorted { $0.path < $1.path }
        .flatMap { Project.xml(in: $0) }
        .filter { file in (try? String(contentsOf: file, encoding: .utf8))?.contains("<protocol ") == true }

    /// Each interface with the file that has its highest version.
    static let interfaces: [String: (path: String, interface: ProtocolInterface)] = {
        var found: [String: (path: String, interface: ProtocolInterface)] = [:]
        for url in files {
            guard let file = ProtocolParser.parse((try? SourceFile.load(url)) ?? SourceFile("")).file else { continue }
            for interface in file.interfaces where interface.version > found[interface.name]?.interface.version ?? 0 {
                found[interface.name] = (url.path, interface)
            }
        }
        return found
    }()

    /// Ours, with whether the machine has something to compare with.
    static let ours: [(name: String, isInstalled: Bool)] = Project.boundProtocols.map { url in
        let interfaces = (try? parse(url))?.interfaces ?? []
        return (url.lastPathComponent, interfaces.contains { SystemProtocols.interfaces[$0.name] != nil })
    }

    /// Without core Wayland's package, none of this can be compared.
    static let areInstalled = FileManager.default.fileExists(atPath: "/usr/share/wayland/wayland.xml")
}

@Suite("Protocols that the system has", .enabled(if: SystemProtocols.areInstalled, "no XML under /usr/share/wayland"))
struct SystemProtocolTests {
    @Test("ours agree with them", arguments: SystemProtocols.ours.filter(\.isInstalled).map(\.name))
    func oursAgree(name: String) throws {
        for ours in try parse(Project.protocols.appending(path: name)).interfaces {
            // A file may have interfaces that the installed one is too old for.
            guard let (path, theirs) = SystemProtocols.interfaces[ours.name] else { continue }
            let place = Comment(rawValue: "\(ours.name) in \(path)")
            #expect(InterfaceFigure(ours).differences(from: InterfaceFigure(theirs)) == [], place)
            #expect(ours.version >= theirs.version, place)
            for (a, b) in zip(ours.requests + [], theirs.requests) { compare(a, b, ours, place) }
            for (a, b) in zip(ours.events + [], theirs.events) { compare(a, b, ours, place) }
            for theirEnum in theirs.enums { compare(ours.enums.first { $0.name == theirEnum.name }, theirEnum, place) }
        }
    }

    /// What the signature does not show.
    private func compare(
        _ ours: ProtocolMessage, _ theirs: ProtocolMessage, _ interface: ProtocolInterface, _ place: Comment
    ) {
        #expect(ours.isDestructor == theirs.isDestructor, "\(place): \(ours.name)")
        #expect(ours.arguments.map(\.name) == theirs.arguments.map(\.name), "\(place): \(ours.name)")
        for (a, b) in zip(ours.arguments, theirs.arguments) {
            // Later versions of a file add enums to arguments that had none.
            guard let enumeration = b.enumeration?.name else { continue }
            #expect(a.enumeration?.name == enumeration, "\(place): \(ours.name).\(a.name)")
        }
    }

    private func compare(_ ours: ProtocolEnum?, _ theirs: ProtocolEnum, _ place: Comment) {
        guard let ours else {
            Issue.record("\(place): enum \(theirs.name) is missing")
            return
        }
        #expect(ours.isBitfield == theirs.isBitfield, "\(place): \(ours.name)")
        for entry in theirs.entries {
            let own = ours.entries.first { $0.name == entry.name }
            #expect(own?.value == entry.value, "\(place): \(ours.name).\(entry.name)")
            #expect(own?.since == entry.since, "\(place): \(ours.name).\(entry.name)")
        }
    }

    @Test("ours were compared, but for those of no Debian package")
    func nearlyAllAreCompared() {
        let absent = SystemProtocols.ours.filter { !$0.isInstalled }.map(\.name)
        // wlr-protocols is in no package; the last two are newer than Debian 12, or in a package of their own.
        let excused: Set = [
            "wlr-layer-shell-unstable-v1.xml", "wlr-virtual-pointer-unstable-v1.xml", "cursor-shape-v1.xml",
            "fake-input.xml",
        ]
        let hasProtocols = FileManager.default.fileExists(atPath: "/usr/share/wayland-protocols")
        #expect(!hasProtocols || Set(absent).isSubset(of: excused), "nothing to compare these with")
    }

    @Test("all are read and become Swift for both sides", arguments: SystemProtocols.files.map(\.path))
    func allAreUnderstood(path: String) throws {
        let source = try SourceFile.load(URL(filePath: path))
        for side in Bindgen.Side.allCases {
            let options = Bindgen.Options(side: side, imports: [Bindgen.Import("Other")], hasExterns: true)
            let outputs = try Bindgen.generate([source], options)
            #expect(outputs.count == 1)
            #expect(outputs[0].text.contains("public final class "))
        }
    }
}
