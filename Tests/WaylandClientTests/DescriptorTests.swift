import CLibc
import Testing
import TouchStage
import WaylandClient
import WaylandProtocols

/// Descriptors that come with events: each is closed or the handler's, whatever happens.
@Suite struct DescriptorTests {
    private func keymap(_ peer: RawPeer, _ keyboard: UInt32, _ descriptor: Int32) {
        peer.write(RawPeer.message(keyboard, 0, [.word(1), .word(64)]), descriptors: [descriptor])
    }

    enum Manner: CaseIterable {
        case noHandler, handlerIgnores, handlerDestroys, handlerDisconnects, destroyedBefore, destroyedAndGivenBack
        case destroyedInAnEarlierEvent, disconnectedBefore, failed
    }

    @Test(arguments: Manner.allCases)
    func thoseThatNobodyTookAreClosed(manner: Manner) throws {
        let peer = try RawPeer()
        let canary = try Canary()
        let keyboard = peer.bind(WlSeat.self).getKeyboard()
        let id = keyboard.objectID
        let connection = peer.connection
        switch manner {
        case .noHandler: break
        case .handlerIgnores: keyboard.onEvent = { _ in }
        case .handlerDestroys, .destroyedInAnEarlierEvent: keyboard.onEvent = { _ in keyboard.release() }
        case .handlerDisconnects: keyboard.onEvent = { _ in connection.disconnect() }
        case .destroyedBefore: keyboard.release()
        case .destroyedAndGivenBack: keyboard.discard()
        case .disconnectedBefore: connection.disconnect()
        case .failed: peer.error(about: 1, code: 0, "enough")
        }
        if manner == .destroyedInAnEarlierEvent { peer.write(RawPeer.message(id, 2, [.word(1), .word(0)])) }
        if manner != .disconnectedBefore {
            for _ in 0..<3 { keymap(peer, id, canary.writer) }
        }
        let failure = peer.failure()
        if manner == .destroyedInAnEarlierEvent { #expect(failure != nil) }
        connection.disconnect()
        #expect(canary.isLast(), "descriptors leak")
    }

    @Test func theCountOfOpenDescriptorsStaysTheSame() throws {
        let peer = try RawPeer()
        let canary = try Canary()
        let keyboard = peer.bind(WlSeat.self).getKeyboard()
        for round in 0..<200 {
            if round == 100 { keyboard.onEvent = { _ in } }
            keymap(peer, keyboard.objectID, canary.writer)
            try peer.dispatch()
            #expect(canary.count == 2)
        }
        #expect(canary.isLast())
    }

    @Test func oneThatWasTakenIsTheHandlers() throws {
        let peer = try RawPeer()
        let canary = try Canary()
        let keyboard = peer.bind(WlSeat.self).getKeyboard()
        var taken: [Int32?] = []
        var kept: ReceivedFD?
        keyboard.onEvent = { event in
            guard case .keymap(_, let descriptor, _) = event else { return }
            taken += [descriptor.take(), descriptor.take()]
            kept = descriptor
        }
        keymap(peer, keyboard.objectID, canary.writer)
        try peer.dispatch()
        #expect(taken.count == 2 && taken[1] == nil, "a descriptor was given out twice")
        let mine = try #require(taken[0])
        #expect(canary.count == 3, "what was taken was closed")
        #expect(kept?.take() == nil)
        close(mine)
        #expect(canary.isLast())
    }

    @Test func oneThatIsAskedForAfterTheHandlerIsGone() throws {
        let peer = try RawPeer()
        let canary = try Canary()
        let keyboard = peer.bind(WlSeat.self).getKeyboard()
        var kept: [ReceivedFD] = []
        keyboard.onEvent = { event in
            guard case .keymap(_, let descriptor, _) = event else { return }
            // Nor does a later event's handler open an earlier one's.
            for earlier in kept { #expect(earlier.take() == nil) }
            kept.append(descriptor)
        }
        for _ in 0..<3 { keymap(peer, keyboard.objectID, canary.writer) }
        try peer.dispatch()
        #expect(kept.count == 3 && kept.allSatisfy { $0.take() == nil })
        #expect(canary.isLast())
    }

    @Test func nestedHandlersHaveTheirOwn() throws {
        let peer = try RawPeer()
        defer { peer.connection.disconnect() }
        let outer = try Canary()
        let inner = try Canary()
        let keyboard = peer.bind(WlSeat.self).getKeyboard()
        var takenOuter: Int32?
        var takenInner: Int32?
        var depth = 0
        keyboard.onEvent = { event in
            guard case .keymap(_, let descriptor, _) = event else { return }
            depth += 1
            if depth == 1 {
                #expect(throws: Never.self) { try peer.dispatch() }
                takenOuter = descriptor.take()
            } else {
                takenInner = descriptor.take()
            }
        }
        keymap(peer, keyboard.objectID, outer.writer)
        keymap(peer, keyboard.objectID, inner.writer)
        try peer.dispatch()
        let (first, second) = (try #require(takenOuter), try #require(takenInner))
        #expect(isSame(first, outer.writer) && isSame(second, inner.writer))
        close(first)
        close(second)
        #expect(outer.isLast() && inner.isLast())
    }

    @Test func thoseOfADestroyedObjectAreNotTakenForAnothers() throws {
        let peer = try RawPeer()
        let dead = try Canary()
        let live = try Canary()
        let seat = peer.bind(WlSeat.self)
        let first = seat.getKeyboard()
        let second = seat.getKeyboard()
        let id = first.objectID
        first.release()
        var taken: Int32?
        second.onEvent = { if case .keymap(_, let descriptor, _) = $0 { taken = descriptor.take() } }
        keymap(peer, id, dead.writer)
        keymap(peer, second.objectID, live.writer)
        try peer.dispatch()
        let mine = try #require(taken)
        #expect(isSame(mine, live.writer), "the keyboard got another one's keymap")
        close(mine)
        #expect(dead.isLast() && live.isLast())
    }

    private func isSame(_ a: Int32, _ b: Int32) -> Bool {
        var (first, second) = (stat(), stat())
        return fstat(a, &first) == 0 && fstat(b, &second) == 0 && first.st_ino == second.st_ino
            && first.st_dev == second.st_dev
    }
}
