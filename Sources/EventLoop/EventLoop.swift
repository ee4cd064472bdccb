internal import CLibc
internal import CLinuxShims

/// The program's one place to wait: descriptors, timers and signals, on one thread.
///
/// A turn is: wait, call what became ready, call what is due, call the after-turn hooks. With nothing scheduled the wait
/// has no end, so that an idle program makes no system call.
@safe
package final class EventLoop {
    /// What a descriptor is watched for.
    package struct Interest: OptionSet, Sendable {
        package var rawValue: Int16
        package init(rawValue: Int16) { self.rawValue = rawValue }
        package static let readable = Interest(rawValue: Int16(POLLIN))
        package static let writable = Interest(rawValue: Int16(POLLOUT))
        /// The other end is gone or the descriptor is in error. Always watched, never asked for.
        package static let hungUp = Interest(rawValue: Int16(POLLHUP | POLLERR | POLLNVAL))
        /// Nothing asked for. Array literals of options are not specialized across modules, and cost more than a read.
        package static var hangUpAlone: Interest { Interest(rawValue: 0) }
        package static func when(readable: Bool, writable: Bool) -> Interest {
            Interest(rawValue: (readable ? Int16(POLLIN) : 0) | (writable ? Int16(POLLOUT) : 0))
        }
        package var isReadableOrHungUp: Bool { rawValue & Int16(POLLIN | POLLHUP | POLLERR | POLLNVAL) != 0 }
    }

    /// Names one watch or timer; never used twice.
    package struct Token: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    /// Who sent a signal.
    package enum SignalSender: Sendable {
        /// A terminal, to its whole foreground group; or an end of a child.
        case kernel
        case process
    }

    private struct Watch {
        var token: Token
        var handler: (Interest) -> Void
    }

    private struct Ready {
        var watch: Watch
        var state: Interest
    }

    private struct Timer {
        var token: Token
        var due: Int64
        var body: () -> Void
    }

    /// Watches that are waited for together.
    private final class Group {
        var watches: [Watch] = []
        /// What each of `watches` waits for, as ppoll takes it: kept between turns, which are many and change little.
        var polled: [pollfd] = []
        /// The watches that are ready in this turn, each with what for. Kept too, so that a turn allocates nothing.
        var ready: [Ready] = []
        /// How many watches have ended.
        var endings = 0

        func index(of token: Token) -> Int? { watches.firstIndex { $0.token == token } }

        func remove(at index: Int) {
            watches.remove(at: index)
            polled.remove(at: index)
            endings += 1
        }
    }

    private let watched = Group()
    /// Behind one descriptor that is readable when one of these is: the kernel looks at each descriptor of ppoll in every
    /// turn, and most of a program's are seldom ready.
    private let rare = Group()
    private var gathering: Int32 = -1
    /// Sorted by due time, then by age.
    private var timers: [Timer] = []
    private var hooks: [() -> Void] = []
    private var signalHandlers: [Int32: (SignalSender) -> Void] = [:]
    private var signalDescriptor: Int32 = -1
    private var nextNumber: UInt64 = 0
    private var isStopped = false

    package init() {}

    deinit {
        if signalDescriptor >= 0 { _ = close(signalDescriptor) }
        if gathering >= 0 { _ = close(gathering) }
    }

    /// The monotonic clock, in nanoseconds.
    package static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private func makeToken() -> Token {
        nextNumber += 1
        return Token(number: nextNumber)
    }

    // MARK: Descriptors

    /// Calls `handler` in each turn in which the descriptor is ready. The descriptor stays the caller's.
    package func watch(_ descriptor: Int32, _ interest: Interest, _ handler: @escaping (Interest) -> Void) -> Token {
        add(descriptor, interest, handler, to: watched)
    }

    /// Calls `handler` in each turn in which there is something to read: for what seldom happens, as new connections and
    /// signals do. It costs the turns nothing in which it does not.
    package func watchRarely(_ descriptor: Int32, _ handler: @escaping (Interest) -> Void) -> Token {
        add(descriptor, .readable, handler, to: gather(descriptor) ? rare : watched)
    }

    private func add(
        _ descriptor: Int32, _ interest: Interest, _ handler: @escaping (Interest) -> Void, to group: Group
    ) -> Token {
        let token = makeToken()
        group.watches.append(Watch(token: token, handler: handler))
        group.polled.append(pollfd(fd: descriptor, events: interest.rawValue, revents: 0))
        return token
    }

    /// False for what the kernel does not gather: files, for one.
    private func gather(_ descriptor: Int32) -> Bool {
        if gathering < 0 {
            gathering = fw_gather()
            guard gathering >= 0 else { return false }
            // SAFETY: the watch is the loop's own and ends with it.
            _ = watch(gathering, .readable) { [unowned(unsafe) self] _ in
                unsafe self.callReady(of: self.rare, EventLoop.poll(self.rare, nanoseconds: 0))
            }
        }
        return fw_gather_readable(gathering, descriptor) == 0
    }

    /// Changes what a watch waits for; with nothing left it still learns of a hang-up.
    package func setInterest(_ interest: Interest, of token: Token) {
        guard let index = watched.index(of: token) else { return }
        watched.polled[index].events = interest.rawValue
    }

    package func unwatch(_ token: Token) {
        if let index = watched.index(of: token) { return watched.remove(at: index) }
        guard let index = rare.index(of: token) else { return }
        _ = fw_gather_no_more(gathering, rare.polled[index].fd)
        rare.remove(at: index)
    }

    // MARK: Timers

    /// Calls `body` once, in the first turn at or after `due` (``now``'s nanoseconds).
    @discardableResult
    package func schedule(at due: Int64, _ body: @escaping () -> Void) -> Token {
        let token = makeToken()
        let index = timers.firstIndex { $0.due > due } ?? timers.count
        timers.insert(Timer(token: token, due: due, body: body), at: index)
        return token
    }

    package func cancel(_ token: Token) { timers.removeAll { $0.token == token } }

    // MARK: Signals and hooks

    /// Calls `handler` in a turn of the loop instead of the signal's default. Returns false when the system refuses, as
    /// without a free descriptor; then the signal does what it did.
    package func onSignal(_ number: Int32, _ handler: @escaping (SignalSender) -> Void) -> Bool {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in signalHandlers.keys { unsafe sigaddset(&set, number) }
        unsafe sigaddset(&set, number)
        // Before they are blocked: a signal that is blocked and read by nobody would be lost.
        let descriptor = unsafe signalfd(signalDescriptor, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        guard descriptor >= 0 else { return false }
        signalHandlers[number] = handler
        // SAFETY: the watch is the loop's own and ends with it.
        if signalDescriptor < 0 {
            _ = watchRarely(descriptor) { [unowned(unsafe) self] _ in unsafe self.readSignals() }
        }
        signalDescriptor = descriptor
        return unsafe sigprocmask(SIG_BLOCK, &set, nil) == 0
    }

    /// Calls `handler` for each signal that asks a program to end: from the terminal, by `kill`, and because the terminal is
    /// gone. That one stays ignored where it was, as nohup makes it. Returns as ``onSignal(_:_:)`` does.
    package func onEnd(_ handler: @escaping () -> Void) -> Bool {
        for number in [SIGINT, SIGTERM, SIGHUP] where number != SIGHUP || fw_is_ignored(SIGHUP) == 0 {
            guard onSignal(number, { _ in handler() }) else { return false }
        }
        return true
    }

    private func readSignals() {
        var info = signalfd_siginfo()
        while unsafe read(signalDescriptor, &info, MemoryLayout<signalfd_siginfo>.size)
            == MemoryLayout<signalfd_siginfo>.size
        {
            signalHandlers[Int32(bitPattern: info.ssi_signo)]?(info.ssi_code > 0 ? .kernel : .process)
        }
    }

    /// Calls `hook` before every wait, the first one too: what one turn's events add up to is done there, once.
    package func afterTurn(_ hook: @escaping () -> Void) { hooks.append(hook) }

    // MARK: Running

    /// Turns until ``stop()``.
    package func run() {
        isStopped = false
        while true {
            for hook in hooks { hook() }
            if isStopped { return }
            turn(wait: true)
        }
    }

    /// Ends ``run()`` after this turn.
    package func stop() { isStopped = true }

    /// One turn without its hooks: waits if asked to and nothing is due, then calls what is ready and due.
    package func turn(wait: Bool) {
        callReady(of: watched, EventLoop.poll(watched, nanoseconds: wait ? timeUntilDue : 0))
        runDueTimers()
    }

    /// - Parameter count: how many of the group's watches are ready.
    private func callReady(of group: Group, _ count: Int32) {
        if count <= 0 { return }
        if count == 1, let index = group.polled.firstIndex(where: { $0.revents != 0 }) {
            return group.watches[index].handler(Interest(rawValue: group.polled[index].revents))
        }
        for index in group.polled.indices where group.polled[index].revents != 0 {
            let state = Interest(rawValue: group.polled[index].revents)
            group.ready.append(Ready(watch: group.watches[index], state: state))
        }
        // A handler may add and remove watches: one that has ended is not called any more.
        let before = group.endings
        for index in group.ready.indices {
            let token = group.ready[index].watch.token
            if group.endings == before || group.index(of: token) != nil {
                group.ready[index].watch.handler(group.ready[index].state)
            }
        }
        group.ready.removeAll(keepingCapacity: true)
    }

    /// When the first timer is due, in ``now``'s nanoseconds; nil when the wait has no end.
    package var nextDue: Int64? { timers.first?.due }

    /// Nanoseconds until the first timer is due; nil without one.
    private var timeUntilDue: Int64? {
        nextDue.map { max(0, $0 - EventLoop.now) }
    }

    private func runDueTimers() {
        guard !timers.isEmpty else { return }
        let now = EventLoop.now
        // Timers that these make wait for the next turn: one that schedules itself at once must not hold this one up.
        let newest = nextNumber
        while let index = timers.firstIndex(where: { $0.due <= now && $0.token.number <= newest }) {
            timers.remove(at: index).body()
        }
    }

    private static func poll(_ group: Group, nanoseconds: Int64?) -> Int32 {
        var time = timespec()
        if let nanoseconds {
            time.tv_sec = Int(nanoseconds / 1_000_000_000)
            time.tv_nsec = Int(nanoseconds % 1_000_000_000)
        }
        // SAFETY: the buffer is the array's own for the length of the call.
        let ready = unsafe group.polled.withUnsafeMutableBufferPointer { buffer in
            unsafe withUnsafePointer(to: &time) { time in
                unsafe ppoll(buffer.baseAddress, nfds_t(buffer.count), nanoseconds == nil ? nil : time, nil)
            }
        }
        // EINTR is an empty turn: the caller goes round again.
        return max(ready, 0)
    }
}
