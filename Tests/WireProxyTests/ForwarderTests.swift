import CLibc
import CLinuxShims
import Testing
import WireTables

@testable import WireProxy

@Suite struct ForwarderTests {
    private let base = Link.reserved

    @Test func movesEveryNumberOfTheAppUpByTheReservedOnes() throws {
        let link = try Link()
        try link.bindGlobals()
        // wl_compositor.create_surface, wl_surface.commit, wl_seat.get_touch
        link.app.send([Message(3, 0, 6), Message(6, 6), Message(5, 2, 7)])
        try link.pump()
        #expect(
            link.compositor.takeMessages() == [
                Message(3 + base, 0, 6 + base), Message(6 + base, 6), Message(5 + base, 2, 7 + base),
            ])
    }

    @Test func leavesTheDisplayAndNullAlone() throws {
        let link = try Link()
        try link.bindGlobals()
        // wl_display.sync, wl_compositor.create_surface, wl_surface.attach of nothing
        link.app.send([Message(1, 0, 6), Message(3, 0, 7), Message(7, 1, 0, 3, 4)])
        try link.pump()
        #expect(
            link.compositor.takeMessages() == [
                Message(1, 0, 6 + base), Message(3 + base, 0, 7 + base), Message(7 + base, 1, 0, 3, 4),
            ])
    }

    @Test func bindsByTheNameThatTravelsWithTheMessage() throws {
        let link = try Link()
        link.app.send([Message(1, 1, 2)])
        var bind = Message(2, 0, 17)
        bind.append("wl_compositor")
        bind.append(4)
        bind.append(3)
        link.app.send([bind, Message(3, 0, 4)])
        try link.pump()
        var moved = Message(2 + base, 0, 17)
        moved.append("wl_compositor")
        moved.append(4)
        moved.append(3 + base)
        #expect(
            link.compositor.takeMessages() == [Message(1, 1, 2 + base), moved, Message(3 + base, 0, 4 + base)])
    }

    @Test func givesEventsTheAppsNumbers() throws {
        let link = try Link()
        try link.bindGlobals()
        link.app.send([Message(5, 2, 6), Message(3, 0, 7)])
        try link.pump()
        // wl_touch.down of surface 7: serial, time, surface, id, x, y
        link.compositor.send([Message(6 + base, 0, 1000, 2000, 7 + base, 4, 256, 512), Message(6 + base, 3)])
        try link.pump()
        #expect(link.app.takeMessages() == [Message(6, 0, 1000, 2000, 7, 4, 256, 512), Message(6, 3)])
        #expect(link.watched.suffix(2) == [.wlTouchDown, .wlTouchFrame])
    }

    @Test func keepsWhatIsOursFromTheApp() throws {
        let link = try Link()
        try link.bindGlobals()
        link.app.send([Message(1, 0, 6)])
        try link.pump()
        link.compositor.send([
            Message(3, 0, 5), Message(6 + base, 0, 77), Message(1, 1, 3), Message(1, 1, 6 + base),
        ])
        try link.pump()
        #expect(link.app.takeMessages() == [Message(6, 0, 77), Message(1, 1, 6)])
        #expect(link.ownEvents == [3])
        #expect(link.deleted == [3])
    }

    @Test func tellsTheAppOfAnErrorInWhatIsOursAsOneOfTheDisplay() throws {
        let link = try Link()
        var own = Message(1, 0, 4, 3)
        own.append("bad stride")
        var others = Message(1, 0, 9 + base, 2)
        others.append("bad role")
        link.compositor.send([own, others])
        try link.pump()
        let seen = link.app.takeMessages()
        #expect(seen.map { $0.words[0] } == [1, 9])
        #expect(link.errors == ["own 3 bad stride", "9 2 bad role"])
    }

    @Test func hidesGlobalsWhoseMessagesAreUnknownAndTheirRemoval() throws {
        let link = try Link()
        link.app.send([Message(1, 1, 2)])
        try link.pump()
        var unknown = Message(2 + base, 0, 40)
        unknown.append("some_private_thing_v7")
        unknown.append(3)
        var known = Message(2 + base, 0, 41)
        known.append("wl_shm")
        known.append(1)
        link.compositor.send([unknown, known, Message(2 + base, 1, 40), Message(2 + base, 1, 41)])
        try link.pump()
        var seen = Message(2, 0, 41)
        seen.append("wl_shm")
        seen.append(1)
        #expect(link.app.takeMessages() == [seen, Message(2, 1, 41)])
        #expect(link.hidden == ["some_private_thing_v7"])
    }

    @Test func offersNoVersionBeyondTheKnownMessages() throws {
        let link = try Link()
        link.app.send([Message(1, 1, 2)])
        try link.pump()
        var offered = Message(2 + base, 0, 41)
        offered.append("wl_shm")
        offered.append(200)
        link.compositor.send([offered])
        try link.pump()
        let known = try #require(WireTables.interface(named: "wl_shm"))
        #expect(link.app.takeMessages().first?.words.last == known.version)
    }

    @Test func putsWhatIsInjectedRightBeforeAndAfterItsMessage() throws {
        let link = try Link()
        try link.bindGlobals()
        link.before[.wlSurfaceDestroy] = 111
        link.after[.wlCompositorCreateSurface] = 222
        link.app.send([Message(3, 0, 6), Message(6, 6), Message(6, 0), Message(3, 0, 7)])
        try link.pump()
        #expect(
            link.compositor.takeMessages() == [
                Message(3 + base, 0, 6 + base), Message(2, 99, 222), Message(6 + base, 6), Message(2, 99, 111),
                Message(6 + base, 0), Message(3 + base, 0, 7 + base), Message(2, 99, 222),
            ])
    }

    @Test(arguments: [1, 2, 3, 5, 7, 8, 11, 13]) func doesNotCareWhereTheBytesAreCut(piece: Int) throws {
        let link = try Link()
        try link.bindGlobals()
        let messages = [
            Message(3, 0, 6), Message(6, 6), Message(5, 2, 7), Message(6, 0),
        ]
        let bytes = messages.flatMap { $0.bytes }
        var index = 0
        while index < bytes.count {
            let end = min(bytes.count, index + piece)
            link.app.output.append(Array(bytes[index..<end]))
            try link.pump()
            index = end
        }
        #expect(
            link.compositor.takeMessages() == [
                Message(3 + base, 0, 6 + base), Message(6 + base, 6), Message(5 + base, 2, 7 + base),
                Message(6 + base, 0),
            ])
    }

    @Test func keepsDescriptorsWithTheirMessages() throws {
        let link = try Link()
        try link.bindGlobals()
        // wl_shm.create_pool, each with a file of its own size.
        var files: [Int32] = []
        for index in 0..<500 {
            let file = fw_memfd("test")
            try #require(ftruncate(file, 4096 + index) == 0)
            files.append(file)
            link.app.output.append(
                Message(4, 0, UInt32(6 + index), UInt32(4096 + index)).bytes, descriptors: [(0, file)])
            if index % 100 == 99 { try link.pump() }
        }
        let pools = link.compositor.takeMessages()
        let descriptors = link.compositor.takeDescriptors()
        try #require(pools.count == 500)
        try #require(descriptors.count == 500)
        for (pool, descriptor) in zip(pools, descriptors) {
            var status = stat()
            try #require(fstat(descriptor, &status) == 0)
            #expect(UInt32(status.st_size) == pool.words[1])
            _ = close(descriptor)
        }
    }

    // MARK: Faults

    @Test func endsWhatNamesAnObjectThatNeverWas() throws {
        let link = try Link()
        link.app.send([Message(1, 0, 2), Message(77, 0)])
        #expect(throws: Forwarder.Fault.unknownObject(77, fromApp: true)) { try link.pump() }
        // What was right before it has gone through.
        _ = link.forwarder.toCompositor
        #expect(!link.forwarder.toCompositor.isEmpty)
    }

    /// Passed on, its number would be one that the app never said.
    @Test func endsWhatNamesAnObjectThatCanNeverBe() throws {
        let link = try Link()
        try link.bindGlobals()
        // wl_surface.attach of a buffer whose number is one of the server's once it is moved.
        link.app.send([Message(3, 0, 6), Message(6, 1, 0xfeff_fff0, 0, 0)])
        #expect(throws: Forwarder.Fault.unknownObject(0xfeff_fff0, fromApp: true)) { try link.pump() }
    }

    /// By libwayland each new object takes the next number, or one that has been before.
    @Test(arguments: [7, 500, 0xfeff_0000, 0xff00_0000] as [UInt32])
    func endsAnAppThatLeavesANumberOut(_ id: UInt32) throws {
        let link = try Link()
        try link.bindGlobals()
        link.app.send([Message(3, 0, id)])
        #expect(throws: Forwarder.Fault.badNewObject(id, fromApp: true)) { try link.pump() }
        #expect(link.compositor.takeMessages().isEmpty)
    }

    @Test(arguments: [6, 0xff00_0001] as [UInt32])
    func endsACompositorThatMakesAnObjectOfTheWrongNumber(_ id: UInt32) throws {
        let link = try Link()
        try link.bindGlobals()
        // wl_data_device_manager, its device and the offer that this is told of.
        var bind = Message(2, 0, 9)
        bind.append("wl_data_device_manager")
        bind.append(1)
        bind.append(6)
        link.app.send([bind, Message(6, 1, 7, 5)])
        try link.pump()
        link.compositor.send([Message(7 + base, 0, id)])
        #expect(throws: Forwarder.Fault.badNewObject(id, fromApp: false)) { try link.pump() }
    }

    @Test func endsWhatSendsAMessageThatDoesNotExist() throws {
        let link = try Link()
        link.app.send([Message(1, 9)])
        #expect(throws: Forwarder.Fault.unknownMessage("wl_display", opcode: 9, fromApp: true)) { try link.pump() }
    }

    @Test func endsWhatSendsNoDescriptor() throws {
        let link = try Link()
        try link.bindGlobals()
        link.app.send([Message(4, 0, 6, 4096)])
        #expect(throws: Forwarder.Fault.missingDescriptor("wl_shm", opcode: 0, fromApp: true)) { try link.pump() }
    }

    @Test func endsAMessageSmallerThanItsHeader() throws {
        let link = try Link()
        link.app.output.append([1, 0, 0, 0, 0, 0, 4, 0])
        #expect(throws: Forwarder.Fault.badSize(fromApp: true)) { try link.pump() }
    }

    @Test func stillPassesRequestsOfAnObjectThatTheCompositorHasDeleted() throws {
        let link = try Link()
        try link.bindGlobals()
        link.app.send([Message(3, 0, 6)])
        try link.pump()
        link.compositor.send([Message(1, 1, 6 + base)])
        try link.pump()
        link.app.send([Message(6, 6)])
        try link.pump()
        #expect(link.compositor.takeMessages().last == Message(6 + base, 6))
    }
}
