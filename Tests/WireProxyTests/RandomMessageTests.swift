import CLibc
import CLinuxShims
import Testing
import WireTables

@testable import WireProxy

/// Any message of any interface, both ways, cut at any byte: what arrives is what was sent, but for the numbers.
@Suite struct RandomMessageTests {
    /// SplitMix64: the same sequence for the same seed on every machine.
    struct Dice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var z = state
            z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
            return z ^ (z >> 31)
        }

        mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }
    }

    /// One direction: what goes in, and what must come out.
    struct Stream {
        var sent: [UInt8] = []
        var expected: [UInt8] = []
        var descriptors: [(message: Int, descriptor: Int32)] = []
        var inodes: [UInt64] = []

        mutating func add(_ message: Message, as expectation: Message?, descriptors count: Int) throws {
            for _ in 0..<count {
                let file = fw_memfd("test")
                try #require(file >= 0)
                descriptors.append((sent.count, file))
                inodes.append(inode(file))
            }
            sent += message.bytes
            if let expectation { expected += expectation.bytes }
        }

        /// Moves everything into `output`, in pieces cut anywhere.
        mutating func send(by output: WireOutput, _ dice: inout Dice, _ pump: () throws -> Void) throws {
            var start = 0
            while start < sent.count {
                let end =
                    dice.roll(4) == 0
                    ? min(sent.count, start + 1 + dice.roll(40)) : min(sent.count, start + 1 + dice.roll(6000))
                let own = descriptors.prefix { $0.message < end }
                output.append(Array(sent[start..<end]), descriptors: own.map { ($0.message - start, $0.descriptor) })
                descriptors.removeFirst(own.count)
                start = end
                if dice.roll(3) > 0 { try pump() }
            }
            try pump()
            sent = []
        }
    }

    static func inode(_ descriptor: Int32) -> UInt64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? UInt64(status.st_ino) : 0
    }

    /// An app and a compositor that know each other's objects and say anything at all.
    final class Talk {
        let link: Link
        var dice: Dice
        var requests = Stream()
        var events = Stream()
        /// The app's objects, by its numbers, and the compositor's own.
        var client: [UInt32: InterfaceID] = [:]
        var server: [UInt32: InterfaceID] = [:]
        var freed: [UInt32] = []
        let all = (0..<WireTables.interfaceCount).map { InterfaceID(rawValue: UInt16($0)) }
        let registry: UInt32 = 2

        init(seed: UInt64) throws {
            link = try Link()
            dice = Dice(state: seed)
            client[1] = WireTables.interface(named: "wl_display")
            client[registry] = WireTables.interface(named: "wl_registry")
            try requests.add(Message(1, 1, registry), as: Message(1, 1, registry + Link.reserved), descriptors: 0)
            for interface in all { try bind(interface) }
        }

        func moved(_ id: UInt32) -> UInt32 { id > 1 && id < 0xff00_0000 ? id + Link.reserved : id }

        func newClientID(_ interface: InterfaceID) -> UInt32 {
            let id = freed.popLast() ?? (client.keys.max() ?? 1) + 1
            client[id] = interface
            return id
        }

        func newServerID(_ interface: InterfaceID) -> UInt32 {
            // A number that the compositor uses again, as its own objects' numbers are, or the next.
            let next = 0xff00_0000 + UInt32(server.count)
            let id = !server.isEmpty && dice.roll(4) == 0 ? 0xff00_0000 + UInt32(dice.roll(server.count)) : next
            server[id] = interface
            return id
        }

        func anyObject() -> UInt32 {
            switch dice.roll(4) {
            case 0: 0
            case 1 where !server.isEmpty: server.keys.sorted()[dice.roll(server.count)]
            default: client.keys.sorted()[dice.roll(client.count)]
            }
        }

        func bind(_ interface: InterfaceID) throws {
            var (sent, expected) = (Message(registry, 0, 7), Message(registry + Link.reserved, 0, 7))
            let id = newClientID(interface)
            for index in 0..<2 {
                for word in [interface.name.description] {
                    if index == 0 { sent.append(word) } else { expected.append(word) }
                }
            }
            sent.append(interface.version)
            sent.append(id)
            expected.append(interface.version)
            expected.append(moved(id))
            try requests.add(sent, as: expected, descriptors: 0)
        }

        func bytes() -> [UInt8] {
            (0..<dice.roll(dice.roll(20) == 0 ? 4000 : 24)).map { _ in UInt8(truncatingIfNeeded: dice.next()) }
        }

        /// Fills a message's arguments for both sides.
        func fill(_ id: MessageID, fromApp: Bool, _ sent: inout Message, _ expected: inout Message) {
            var named = InterfaceID(rawValue: 0)
            let arguments = id.arguments.map { MessageID.argument(at: $0) }
            let isNamed = arguments.contains(.newObjectOfNamedInterface)
            for argument in arguments {
                switch argument {
                case .word:
                    let word = UInt32(truncatingIfNeeded: dice.next())
                    sent.append(word)
                    expected.append(word)
                case .string where isNamed:
                    named = all[dice.roll(all.count)]
                    sent.append(named.name.description)
                    expected.append(named.name.description)
                case .string, .array:
                    let content = bytes()
                    for isSent in [true, false] {
                        var message = isSent ? sent : expected
                        message.append(UInt32(content.count))
                        message.body += content
                        while message.body.count % 4 != 0 { message.body.append(0) }
                        if isSent { sent = message } else { expected = message }
                    }
                case .object:
                    let object = anyObject()
                    sent.append(fromApp ? object : moved(object))
                    expected.append(fromApp ? moved(object) : object)
                case .newObject(let interface):
                    let new = fromApp ? newClientID(interface) : newServerID(interface)
                    sent.append(new)
                    expected.append(fromApp ? moved(new) : new)
                case .newObjectOfNamedInterface:
                    let new = newClientID(named)
                    sent.append(new)
                    expected.append(moved(new))
                }
            }
        }

        func request(_ object: UInt32) throws {
            guard let interface = client[object] ?? server[object] else { return }
            let messages = (0..<UInt16.max).prefix { interface.request($0) != nil }
            guard let opcode = messages.randomElement(using: &dice), let id = interface.request(opcode) else { return }
            var (sent, expected) = (Message(object, opcode), Message(moved(object), opcode))
            fill(id, fromApp: true, &sent, &expected)
            try requests.add(sent, as: expected, descriptors: id.descriptorCount)
        }

        func event(_ object: UInt32) throws {
            guard object != 1, let interface = client[object] ?? server[object] else { return }
            let messages = (0..<UInt16.max).prefix { interface.event($0) != nil }
            guard let opcode = messages.randomElement(using: &dice), let id = interface.event(opcode),
                // What becomes of globals has tests of its own.
                id.watched != .wlRegistryGlobal
            else { return }
            var (sent, expected) = (Message(moved(object), opcode), Message(object, opcode))
            fill(id, fromApp: false, &sent, &expected)
            try events.add(sent, as: expected, descriptors: id.descriptorCount)
        }

        /// An event of ours, which the app never sees.
        func ownEvent() throws {
            let own = Message(2 + UInt32(dice.roll(Int(Link.reserved))), UInt16(dice.roll(3)), 1, 2)
            try events.add(own, as: nil, descriptors: 0)
        }

        /// The compositor lets go of a number. Events for it may be under way still, and the app may use it anew.
        func delete(_ object: UInt32) throws {
            guard object > registry + UInt32(all.count), object < 0xff00_0000, !freed.contains(object) else { return }
            try events.add(Message(1, 1, moved(object)), as: Message(1, 1, object), descriptors: 0)
            freed.append(object)
        }
    }

    @Test(arguments: 1...12) func arriveAsTheyWereSent(seed: UInt64) throws {
        let talk = try Talk(seed: seed)
        let link = talk.link
        var seenByCompositor: [UInt64] = []
        var seenByApp: [UInt64] = []
        for _ in 0..<6 {
            for _ in 0..<60 { try talk.request(talk.anyObject()) }
            try talk.requests.send(by: link.app.output, &talk.dice) { try link.pump() }
            #expect(link.compositor.received == talk.requests.expected)
            seenByCompositor += link.compositor.takeDescriptors().map { file in
                defer { close(file) }
                return Self.inode(file)
            }
            #expect(seenByCompositor == talk.requests.inodes)
            for _ in 0..<60 {
                switch talk.dice.roll(10) {
                case 0: try talk.ownEvent()
                case 1: try talk.delete(talk.anyObject())
                default: try talk.event(talk.anyObject())
                }
            }
            try talk.events.send(by: link.compositor.output, &talk.dice) { try link.pump() }
            #expect(link.app.received == talk.events.expected)
            seenByApp += link.app.takeDescriptors().map { file in
                defer { close(file) }
                return Self.inode(file)
            }
            #expect(seenByApp == talk.events.inodes)
        }
        #expect(!seenByApp.isEmpty && !seenByCompositor.isEmpty)
    }

    @Test(arguments: [0, 1, 27, 28, 29, 56, 57, 100]) func burstsOfDescriptorsComeInPiecesThatAPeerTakes(count: Int)
        throws
    {
        let link = try Link()
        try link.bindGlobals()
        var files: [UInt64] = []
        for index in 0..<count {
            let file = fw_memfd("test")
            files.append(Self.inode(file))
            link.app.output.append(Message(4, 0, UInt32(6 + index), 64).bytes, descriptors: [(0, file)])
        }
        try link.pump()
        #expect(link.compositor.takeMessages().count == count)
        let received = link.compositor.takeDescriptors()
        #expect(received.map(Self.inode) == files)
        #expect(link.compositor.mostDescriptorsAtOnce <= 28)
        for file in received { close(file) }
    }

    @Test func everyDescriptorComesNoLaterThanItsMessage() throws {
        let link = try Link()
        try link.bindGlobals()
        // Messages with and without, so that the pieces end anywhere; the receiver looks after every piece.
        for index in 0..<200 {
            link.app.output.append(
                Message(4, 0, UInt32(6 + index), 64).bytes, descriptors: [(0, fw_memfd("test"))])
            for _ in 0..<(index % 5) { link.app.output.append(Message(1, 0, 3).bytes) }
        }
        _ = link.app.output.flush(to: link.app.socket)
        try link.forward()
        while link.compositor.receiveOnce() {
            let pools = link.compositor.wholeMessages.count { $0.object == 4 + Link.reserved }
            #expect(link.compositor.descriptorCount >= pools)
        }
        #expect(link.compositor.descriptorCount == 200)
    }

    @Test func eventsForAnObjectThatIsGoneKeepTheirDescriptors() throws {
        let link = try Link()
        try link.bindGlobals()
        let base = Link.reserved
        // wl_seat.get_keyboard, wl_keyboard.release, then a keymap that was under way.
        link.app.send([Message(5, 1, 6), Message(6, 0)])
        try link.pump()
        let keymap = fw_memfd("test")
        let inode = Self.inode(keymap)
        link.compositor.output.append(Message(6 + base, 0, 1, 4096).bytes, descriptors: [(0, keymap)])
        link.compositor.send([Message(1, 1, 6 + base)])
        try link.pump()
        #expect(link.app.takeMessages() == [Message(6, 0, 1, 4096), Message(1, 1, 6)])
        let received = link.app.takeDescriptors()
        #expect(received.map(Self.inode) == [inode])
        for file in received { close(file) }
    }

    @Test func anObjectOfOursIsNullToTheApp() throws {
        let link = try Link()
        try link.bindGlobals()
        link.app.send([Message(5, 0, 6)])
        try link.pump()
        // wl_pointer.enter on surface 5 of ours
        link.compositor.send([Message(6 + Link.reserved, 0, 1, 5, 256, 256)])
        try link.pump()
        #expect(link.app.takeMessages() == [Message(6, 0, 1, 0, 256, 256)])
    }

    @Test func theLongestMessagesPass() throws {
        let link = try Link()
        try link.bindGlobals()
        // wl_registry.bind with a name of 60 000 bytes is refused; wl_shell-like strings go through as wl_display.error's.
        var error = Message(1, 0, 1, 2)
        error.append(String(repeating: "x", count: 65000))
        link.compositor.send([error, error, error])
        try link.pump()
        #expect(link.app.takeMessages() == [error, error, error])
    }
}
