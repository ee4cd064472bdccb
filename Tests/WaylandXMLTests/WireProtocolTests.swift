import Foundation
import Testing

@testable import WaylandXML

/// The signatures in `protocols/wire`, which no compiler ever sees.
@Suite("Wire signatures")
struct WireProtocolTests {
    static let files = Project.xml(in: Project.protocols.appending(path: "wire"))

    @Test("refer to interfaces that are there, and repeat none of those with bindings")
    func standBesideTheOthers() throws {
        #expect(!Self.files.isEmpty)
        let sources = try (Project.boundProtocols + Self.files).map { try SourceFile.load($0) }
        try Bindgen.check(sources, Bindgen.Options(side: .client))
    }

    @Test(
        "agree with the XML that the system has, and are newer than it",
        .enabled(if: SystemProtocols.areInstalled, "no XML under /usr/share/wayland"), arguments: files)
    func agreeWithInstalled(url: URL) throws {
        for ours in try parse(url).interfaces {
            guard let (path, theirs) = SystemProtocols.interfaces[ours.name] else { continue }
            let place = Comment(rawValue: "\(ours.name) in \(path)")
            #expect(InterfaceFigure(ours).differences(from: InterfaceFigure(theirs)) == [], place)
            #expect(ours.version >= theirs.version, place)
            for (a, b) in [zip(ours.requests, theirs.requests), zip(ours.events, theirs.events)].joined() {
                #expect(a.isDestructor == b.isDestructor, "\(place): \(a.name)")
            }
        }
    }
}
