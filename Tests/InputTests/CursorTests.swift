import Testing
import WaylandClient
import WaylandProtocols
import WaylandServer
import WaylandServerProtocols

@testable import Input

struct CursorTests {
    @Test("The shape is set at each enter, with that enter's serial, and ends with the pointer")
    func shapes() throws {
        let rig = try SeatRig(hasShapes: true)
        let window = try rig.window()
        let manager = try rig.globals.require(WpCursorShapeManagerV1.self, versions: 1...1)
        let cursors = Cursors(shapes: manager, compositor: nil, shm: nil, shape: .crosshair)
        let (seat, server) = try rig.seat(cursors: cursors)
        server.resource.offer(.pointer)
        try rig.pump()
        #expect(rig.shapesSet.isEmpty, "there is no serial to set it with before the pointer enters")
        server.pointer.sendEnter(serial: 77, surface: window.resource, surfaceX: 1, surfaceY: 1)
        server.pointer.sendLeave(serial: 78, surface: window.resource)
        server.pointer.sendEnter(serial: 79, surface: window.resource, surfaceX: 1, surfaceY: 1)
        try rig.pump()
        #expect(rig.shapesSet.map(\.serial) == [77, 79])
        #expect(rig.shapesSet.map(\.shape) == [.crosshair, .crosshair])
        #expect(server.cursors.isEmpty)
        seat.remove(arrival: rig.now)
        try rig.pump()
        #expect(rig.shapeDevices.map(\.isAlive) == [false])
    }

    @Test("Without the protocol the image comes out of a theme, on a surface with a hotspot inside")
    func theme() throws {
        let rig = try SeatRig(hasShm: true)
        let window = try rig.window()
        let cursors = Cursors(
            shapes: nil, compositor: try rig.globals.require(WlCompositor.self, versions: 1...6),
            shm: try rig.globals.require(WlShm.self, versions: 1...1))
        let live = rig.connection.liveObjectCount
        let (seat, server) = try rig.seat(cursors: cursors)
        server.resource.offer(.pointer)
        try rig.pump()
        server.pointer.sendEnter(serial: 5, surface: window.resource, surfaceX: 1, surfaceY: 1)
        server.pointer.sendEnter(serial: 6, surface: window.resource, surfaceX: 1, surfaceY: 1)
        try rig.pump()
        #expect(server.cursors.map(\.serial) == [5, 6])
        #expect(server.cursors.allSatisfy { $0.surface === rig.serverSurfaces.last })
        #expect(rig.attached.count == 1, "the image is attached once")
        #expect(rig.attached.first.flatMap { $0 } != nil)
        seat.remove(arrival: rig.now)
        cursors.end()
        try rig.pump()
        #expect(rig.connection.liveObjectCount == live, "the borrowed buffer was counted")
        #expect(rig.connection.failure == nil)
        #expect(rig.attached.first.flatMap { $0 }?.isAlive == false, "the theme's buffers outlive the theme")
    }

    @Test("A scale that the compositor prefers redraws the image at that scale")
    func preferredScale() throws {
        let rig = try SeatRig(hasShm: true)
        let window = try rig.window()
        let cursors = Cursors(
            shapes: nil, compositor: try rig.globals.require(WlCompositor.self, versions: 1...6),
            shm: try rig.globals.require(WlShm.self, versions: 1...1))
        let (seat, server) = try rig.seat(cursors: cursors)
        server.resource.offer(.pointer)
        try rig.pump()
        server.pointer.sendEnter(serial: 5, surface: window.resource, surfaceX: 1, surfaceY: 1)
        try rig.pump()
        try #require(rig.serverSurfaces.last).sendPreferredBufferScale(factor: 2)
        try rig.pump()
        #expect(rig.attached.count == 2)
        #expect(server.cursors.map(\.serial) == [5, 5])
        seat.remove(arrival: rig.now)
        cursors.end()
    }

    @Test("The end of the connection ends the theme before its objects dangle, and once")
    func endWithTheConnection() throws {
        let rig = try SeatRig(hasShm: true)
        let window = try rig.window()
        let cursors = Cursors(
            shapes: nil, compositor: try rig.globals.require(WlCompositor.self, versions: 1...6),
            shm: try rig.globals.require(WlShm.self, versions: 1...1))
        let (_, server) = try rig.seat(cursors: cursors)
        server.resource.offer(.pointer)
        try rig.pump()
        server.pointer.sendEnter(serial: 5, surface: window.resource, surfaceX: 1, surfaceY: 1)
        try rig.pump()
        #expect(rig.connection.beforeDisconnect.count == 1)
        rig.connection.disconnect()
        cursors.end()
        #expect(rig.connection.beforeDisconnect.isEmpty)
        #expect(rig.attached.count == 1)
    }

    @Test("With neither protocol nor theme the pointer still works")
    func none() throws {
        let rig = try SeatRig()
        let window = try rig.window()
        let (_, server) = try rig.seat(cursors: Cursors(shapes: nil, compositor: nil, shm: nil))
        server.resource.offer(.pointer)
        try rig.pump()
        server.pointer.sendEnter(serial: 5, surface: window.resource, surfaceX: 1, surfaceY: 1)
        server.pointer.sendButton(serial: 6, time: 1, button: 0x110, state: .pressed)
        server.pointer.sendFrame()
        try rig.pump()
        #expect(rig.phases == [.began])
    }
}
