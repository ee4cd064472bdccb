import Foundation
import Testing
import WaylandXML

@testable import WireTables

/// The XML that the tables were made from, read anew.
private enum Files {
    static let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let folders: [(url: URL, isOurs: Bool)] =
        [(project.appending(path: "protocols"), true)]
        + ["wayland", "wayland-protocols", "plasma-wayland-protocols"].map {
            (URL(filePath: "/usr/share").appending(path: $0), false)
        }

    /// Each interface at its newest version; of two files that are as new, ours.
    static let interfaces: [String: ProtocolInterface] = {
        var found: [String: ProtocolInterface] = [:]
        for (folder, isOurs) in folders {
            let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? []
            let files = (all as? [URL] ?? []).filter { $0.pathExtension == "xml" }.sorted { $0.path < $1.path }
            for url in files {
                let bytes = (try? Data(contentsOf: url)).map { Array($0) } ?? []
                let (file, diagnostics) = ProtocolParser.parse(SourceFile(path: url.path, bytes: bytes))
                guard let file, isOurs || diagnostics.isEmpty else { continue }
                for interface in file.interfaces where interface.version > found[interface.name]?.version ?? 0 {
                    found[interface.name] = interface
                }
            }
        }
        return found
    }()

    static let names = interfaces.keys.sorted()

    /// What an interface makes that no file describes: it cannot be passed on, and nothing that makes it either.
    static let unresolved: Set<String> = {
        var bad: Set<String> = []
        var isGrowing = true
        while isGrowing {
            isGrowing = false
            for interface in interfaces.values where !bad.contains(interface.name) {
                let made = (interface.requests + interface.events).flatMap(\.arguments).filter { $0.kind == .newID }
                let isBad = made.contains { argument in
                    guard let target = argument.interface?.name else { return false }
                    return interfaces[target] == nil || bad.contains(target)
                }
                if isBad { isGrowing = bad.insert(interface.name).inserted || isGrowing }
            }
        }
        return bad
    }()
}

func lookUp(_ name: String) -> InterfaceID? {
    Array(name.utf8).withUnsafeBytes { WireTables.interface(named: $0) }
}

@Suite struct WireTablesTests {
    @Test func knowsEveryInterfaceOfTheFilesAndNoOther() {
        #expect(Files.names.count > 150)
        let known = Files.names.filter { !Files.unresolved.contains($0) }
        #expect(WireTables.interfaceCount == known.count)
        for name in known {
            let found = lookUp(name)
            #expect(found?.name.description == name, "\(name)")
            #expect(found?.version == Files.interfaces[name]?.version, "\(name)")
        }
        for name in Files.unresolved { #expect(lookUp(name) == nil, "\(name)") }
    }

    @Test func hasEachMessageAsTheFilesDo() throws {
        for name in Files.names where !Files.unresolved.contains(name) {
            let interface = try #require(Files.interfaces[name])
            let found = try #require(lookUp(name))
            for (messages, isRequest) in [(interface.requests, true), (interface.events, false)] {
                for (opcode, message) in messages.enumerated() {
                    let place = Comment(rawValue: "\(name).\(message.name)")
                    let id = isRequest ? found.request(UInt16(opcode)) : found.event(UInt16(opcode))
                    let entry = try #require(id, place)
                    #expect(entry.descriptorCount == message.arguments.count { $0.kind == .fd }, place)
                    #expect(entry.arguments.map { MessageID.argument(at: $0) } == expected(message), place)
                }
                let end = UInt16(messages.count)
                #expect((isRequest ? found.request(end) : found.event(end)) == nil, "\(name) has a message too many")
                #expect((isRequest ? found.request(.max) : found.event(.max)) == nil)
            }
        }
    }

    private func expected(_ message: ProtocolMessage) -> [WireArgument] {
        message.arguments.flatMap { argument -> [WireArgument] in
            switch argument.kind {
            case .fd: []
            case .string: [.string]
            case .array: [.array]
            case .object: [.object]
            case .newID:
                if let target = argument.interface.flatMap({ lookUp($0.name) }) {
                    [.newObject(target)]
                } else {
                    [.string, .word, .newObjectOfNamedInterface]
                }
            default: [.word]
            }
        }
    }

    @Test func takesNoOtherNameForOneItKnows() {
        let known = Set(Files.names)
        for name in Files.names {
            for other in [String(name.dropLast()), name + "_", name + "\0", "a" + name, name.uppercased()] {
                #expect(known.contains(other) || lookUp(other) == nil, "\(other)")
            }
        }
        for name in ["", " ", "~~~~", "\u{1F449}", String(repeating: "w", count: 60000)] {
            #expect(lookUp(name) == nil)
        }
    }

    @Test func namesWhatIsLookedInto() throws {
        let surface = try #require(WireTables.interface(named: "wl_surface"))
        #expect(surface.request(6)?.watched == .wlSurfaceCommit)
        let touch = try #require(WireTables.interface(named: "wl_touch"))
        #expect(touch.request(0)?.watched == .wlTouchRelease)
        #expect(touch.event(0)?.watched == .wlTouchDown)
        let keyboard = try #require(WireTables.interface(named: "wl_keyboard"))
        for opcode in 0..<6 { #expect(keyboard.event(UInt16(opcode))?.watched == WatchedMessage.none, "a key is read") }
    }
}
