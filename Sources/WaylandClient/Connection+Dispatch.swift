internal import CLibc
internal import CWaylandClient

extension Connection {
    /// What is left of a flush.
    public enum FlushResult: Equatable, Sendable {
        case done
        /// The compositor does not read fast enough: flush again when the socket is writable.
        case wouldBlock
    }

    /// Sends the requests that are waiting. Never blocks.
    public func flush() throws(ConnectionError) -> FlushResult {
        guard let display = try unsafe usableDisplay() else { return .done }
        if unsafe wl_display_flush(display) >= 0 {
            noteAllSent()
            return .done
        }
        let number = fw_errno()
        // An error number may be that of an earlier failure, which libwayland latches.
        if number == EAGAIN, unsafe wl_display_get_error(display) == 0 { return .wouldBlock }
        // The compositor may have said why before it closed: that is in the socket still, and the next read finds it.
        if number == EPIPE {
            hasHungUp = true
            return .done
        }
        throw fail(number)
    }

    /// Delivers the events that were read. Returns how many.
    @discardableResult
    public func dispatchPending() throws(ConnectionError) -> Int {
        guard let display = try unsafe usableDisplay() else { return 0 }
        let count = unsafe dispatchQueue(display)
        // Also when a handler broke a rule or disconnected.
        if let failure { throw failure }
        return Int(count)
    }

    /// Reads what the socket holds and delivers it, without waiting. Call when it is readable or has hung up: what came
    /// before a hang-up is read first, or the text of a protocol error would be lost.
    @discardableResult
    public func readAndDispatch() throws(ConnectionError) -> Int {
        guard let display = try unsafe usableDisplay() else { return 0 }
        var count = 0
        while unsafe wl_display_prepare_read(display) != 0 { count += try dispatchPending() }
        ProtocolLog.clear()
        // The queue is empty here, so that no event is lost when the socket has ended. Those that come in one read with an
        // invalid message or before a protocol error are: libwayland delivers nothing after either.
        if unsafe fw_read_events(display) < 0 { throw unsafe fail(wl_display_get_error(display)) }
        return try count + dispatchPending()
    }

    /// Waits until `isDone`, for at most `milliseconds` without any event (nil: for ever). Only for start-up: a running
    /// program polls ``fileDescriptor`` in its loop. False when the time ran out.
    @discardableResult
    public func wait(milliseconds: Int32? = nil, until isDone: () -> Bool) throws(ConnectionError) -> Bool {
        try dispatchPending()
        while !isDone() {
            let flushed = try flush()
            var poll = pollfd(
                fd: fileDescriptor, events: Int16(flushed == .done ? POLLIN : POLLIN | POLLOUT), revents: 0)
            let ready = unsafe CLibc.poll(&poll, 1, milliseconds ?? -1)
            if ready == 0 { return false }
            if ready < 0, fw_errno() != EINTR { throw fail(fw_errno()) }
            if ready > 0, poll.revents & ~Int16(POLLOUT) != 0 { try readAndDispatch() }
        }
        return true
    }

    private func usableDisplay() throws(ConnectionError) -> OpaquePointer? {
        if let failure { throw failure }
        return unsafe raw
    }

    /// Latches and returns what error number and libwayland's log say.
    func fail(_ number: Int32) -> ConnectionError {
        if let failure { return failure }
        let error = describe(number)
        failure = error
        return error
    }

    func describe(_ number: Int32) -> ConnectionError {
        guard let display = unsafe raw else { return .closed(errno: number) }
        var interface: UnsafePointer<wl_interface>?
        var id: UInt32 = 0
        let code = unsafe wl_display_get_protocol_error(display, &interface, &id)
        // An error of wl_display itself comes as one of several numbers, but with its interface.
        if unsafe interface != nil || number == EPROTO {
            // SAFETY: tables are immortal, libwayland's own as ours.
            let name = unsafe interface.map { unsafe String(cString: $0.pointee.name) }
            return .protocolError(
                ProtocolError(interface: name, objectID: id, code: code, text: ProtocolLog.protocolErrorText))
        }
        switch number {
        case EPIPE, ECONNRESET: return .closed(errno: 0)
        case EAGAIN: return .stalled
        case EOVERFLOW: return .malformed(text: "longer than 4096 bytes, or too many descriptors")
        case ENOSPC: return .malformed(text: "object number out of range")
        // EFAULT is libwayland's for an event that the interface lacks.
        case EINVAL, EFAULT, ENOMEM, E2BIG: return .malformed(text: ProtocolLog.lastLine)
        default: return .closed(errno: number)
        }
    }
}
