import CWaylandClient
import Foundation
import Glibc
import Testing
import WaylandClient

@testable import WaylandProtocols
@testable import WaylandXML

/// Every generated table, by the file it came from.
private let tables: [String: InterfaceTable] = [
    "cursor-shape-v1": CursorShapeV1Tables.all,
    "fake-input": FakeInputTables.all,
    "fractional-scale-v1": FractionalScaleV1Tables.all,
    "idle-inhibit-unstable-v1": IdleInhibitUnstableV1Tables.all,
    "input-timestamps-unstable-v1": InputTimestampsUnstableV1Tables.all,
    "pointer-gestures-unstable-v1": PointerGesturesUnstableV1Tables.all,
    "presentation-time": PresentationTimeTables.all,
    "single-pixel-buffer-v1": SinglePixelBufferV1Tables.all,
    "tablet-v2": TabletV2Tables.all,
    "viewporter": ViewporterTables.all,
    "wayland": WaylandTables.all,
    "wlr-layer-shell-unstable-v1": WlrLayerShellUnstableV1Tables.all,
    "wlr-virtual-pointer-unstable-v1": WlrVirtualPointerUnstableV1Tables.all,
    "xdg-activation-v1": XdgActivationV1Tables.all,
    "xdg-decoration-unstable-v1": XdgDecorationUnstableV1Tables.all,
    "xdg-output-unstable-v1": XdgOutputUnstableV1Tables.all,
    "xdg-shell": XdgShellTables.all,
]

private func figures(_ table: InterfaceTable) -> [InterfaceFigure] {
    (0..<table.count).map { InterfaceFigure(table[$0].raw) }
}

private let coreFigures: [InterfaceFigure] = figures(WaylandTables.all)

/// libwayland's own table. Not there for interfaces that are newer than the library.
private func libwaylandTable(_ interface: String) -> UnsafePointer<wl_interface>? {
    dlsym(nil, "\(interface)_interface").map { UnsafePointer($0.assumingMemoryBound(to: wl_interface.self)) }
}

@Suite("Generated tables")
struct TableTests {
    @Test("each file in protocols/ has its tables in this test")
    func nothingIsLeftOut() {
        let files = Project.boundProtocols.map { $0.deletingPathExtension().lastPathComponent }
        #expect(Set(files) == Set(tables.keys))
    }

    @Test("say what the XML says", arguments: tables.keys.sorted())
    func equalTheirXML(name: String) throws {
        let file = try parse(Project.protocols.appending(path: "\(name).xml"))
        #expect(figures(tables[name]!) == file.interfaces.map { InterfaceFigure($0) })
    }

    @Test("agree with libwayland's own", arguments: coreFigures.map(\.name).filter { libwaylandTable($0) != nil })
    func equalLibwayland(name: String) throws {
        let ours = try #require(coreFigures.first { $0.name == name })
        let theirs = InterfaceFigure(try #require(libwaylandTable(name)))
        #expect(ours.differences(from: theirs) == [])
        #expect(ours.version >= theirs.version, "a newer libwayland than the facts were taken from")
    }

    @Test("lack nothing of libwayland's but what is newer than it")
    func compareNearlyAll() {
        let absent = coreFigures.map(\.name).filter { libwaylandTable($0) == nil }
        #expect(Set(absent).isSubset(of: ["wl_fixes"]), "the comparison with libwayland misses these")
        #expect(coreFigures.count - absent.count >= 20)
    }

    @Test("give each class the interface of its own name")
    func classesHaveTheirInterface() {
        #expect(WlSurface.interface.name == "wl_surface")
        #expect(XdgToplevel.interface.name == "xdg_toplevel")
        #expect(ZwpTabletToolV2.interface.name == "zwp_tablet_tool_v2")
        #expect(OrgKdeKwinFakeInput.interface.name == "org_kde_kwin_fake_input")
        #expect(XdgToplevel.interface == XdgShellTables.all[3])
    }

    @Test("refer to one table of an interface from every file")
    func referencesAreShared() {
        // get_xdg_surface(new_id, surface): the second type is libwayland's pointer to WlSurface's own table.
        let message = XdgWmBase.interface.raw.pointee.methods[2]
        #expect(String(cString: message.name) == "get_xdg_surface")
        #expect(message.types[1] == WlSurface.interface.raw)
    }
}

@Suite("Differences of interfaces")
struct InterfaceFigureTests {
    private func figure(version: Int, _ requests: [(String, String)]) -> InterfaceFigure {
        let text = protocolText("", version: version)
        let file = ProtocolParser.parse(SourceFile(text)).file!
        var figure = InterfaceFigure(file.interfaces[0])
        figure.requests = requests.map { InterfaceFigure.Message(name: $0.0, signature: $0.1, interfaces: []) }
        return figure
    }

    @Test("a longer table agrees when what it has more is newer")
    func prefixAgrees() {
        let old = figure(version: 2, [("a", ""), ("b", "2i")])
        let new = figure(version: 3, [("a", ""), ("b", "2i"), ("c", "3u")])
        #expect(new.differences(from: old) == [])
        #expect(old.differences(from: new) == [])
    }

    @Test("another order, another signature and an old message too many are found")
    func differencesAreFound() {
        let one = figure(version: 2, [("a", ""), ("b", "2i")])
        #expect(one.differences(from: figure(version: 2, [("b", "2i"), ("a", "")])).count == 2)
        #expect(one.differences(from: figure(version: 2, [("a", ""), ("b", "2u")])).count == 1)
        #expect(one.differences(from: figure(version: 2, [("a", "")])).count == 1)
        #expect(figure(version: 2, [("a", "")]).differences(from: one).count == 1)
    }
}
