internal import EventLoop
internal import Gestures
internal import Recording

/// A recording that is played: as fast as it was made, or slower or faster; paused, step by step, again and again.
///
/// What it says comes at the recording's own time, ``time``, which is the monotonic clock's as long as nobody changes the
/// pace. A window that shows it lives by that time, too, so that everything in it is slower, faster or stands still.
final class ReplaySource: TouchSource {
    /// How it is played.
    struct Pace: Equatable {
        var speed = 1.0
        /// nil: until somebody ends it.
        var rounds: Int? = 1
        /// ns; longer pauses are cut.
        var longestPause = ReplayTimeline.longestPause
    }

    /// ns between two rounds, so that the last wave is seen. Our choice.
    private static let breath: Int64 = 1_000_000_000
    /// Steps of the speed that a key makes.
    private static let factor = 2.0

    private let loop: EventLoop
    private let pace: Pace
    private var feed: RecordingFeed
    private(set) var clock: PlaybackClock
    private var timer: EventLoop.Token?
    private var watch: EventLoop.Token?
    /// When the round began, by the recording's time.
    private var origin: Int64 = 0
    /// When the next line that is known of is said.
    private(set) var nextDue: Instant?
    /// When the last line was said.
    private var said = Instant(nanoseconds: 0)
    private var rounds = 0
    private var saidLack = false
    private var isShowing = false
    /// The last round is over.
    private(set) var isOver = false
    var onEvent: ((SourceEvent, Instant) -> Void)?
    /// What was said before is over: the recording begins again.
    var onRestart: (() -> Void)?

    init(path: String, _ loop: EventLoop, _ pace: Pace = Pace()) {
        self.loop = loop
        self.pace = pace
        feed = RecordingFeed(path: path, longestPause: pace.longestPause)
        clock = PlaybackClock(startingAt: EventLoop.now)
        clock.setSpeed(pace.speed, at: EventLoop.now)
    }

    var path: String { feed.path }
    /// Of what is touched in it, as far as it is known.
    var size: Size? { feed.firstSize }
    var time: Instant { Instant(nanoseconds: clock.time(at: EventLoop.now)) }

    func begin() throws(Failure) {
        try feed.open()
        // Up to the first touch, so that a file that is none is refused, and how large what is touched is is known.
        _ = try feed.peek()
    }

    func beginShowing() { beginShowing(after: 0) }

    /// - Parameter pause: ns before the first touch, however fast it is played.
    func beginShowing(after pause: Int64) {
        isShowing = true
        origin = ReplaySource.wholeMilliseconds(clock.time(at: EventLoop.now + pause))
        schedule()
    }

    func end() {
        stopWaiting()
        feed.close()
    }

    private func stopWaiting() {
        if let timer { loop.cancel(timer) }
        if let watch { loop.unwatch(watch) }
        timer = nil
        watch = nil
    }

    // MARK: Playing

    /// The next: a recording begins at one, so that what is reckoned in ms is the same each time.
    private static func wholeMilliseconds(_ time: Int64) -> Int64 {
        (Instant(nanoseconds: time) + 999_999).nanoseconds / 1_000_000 * 1_000_000
    }

    private func schedule(at moment: Int64? = nil) {
        stopWaiting()
        // SAFETY: see the protocol's comment.
        timer = loop.schedule(at: moment ?? EventLoop.now) { [unowned(unsafe) self] in
            unsafe self.timer = nil
            unsafe self.play()
        }
    }

    /// Says everything that is due, and sees to it that the rest is said in its time.
    private func play() {
        guard isShowing, !isOver, !clock.isPaused else { return }
        do throws(Failure) {
            while let entry = try feed.peek() {
                let due = due(entry)
                nextDue = Instant(nanoseconds: due)
                if due > clock.time(at: EventLoop.now) { return schedule(at: clock.moment(of: due)) }
                feed.pop()
                said = Instant(nanoseconds: due)
                onEvent?(entry.event, said)
            }
            nextDue = nil
            if feed.isRead { try endRound() } else { waitForMore() }
        } catch {
            fail(error)
        }
    }

    /// By the recording's time, which ends where an Int64 does.
    private func due(_ entry: RecordingFeed.Entry) -> Int64 {
        (Instant(nanoseconds: origin) + entry.offset).nanoseconds
    }

    private func waitForMore() {
        // There may be more of a file that has had nothing to say so far.
        if feed.isReady { return schedule() }
        stopWaiting()
        // SAFETY: see the protocol's comment.
        watch = loop.watch(feed.fileDescriptor, .readable) { [unowned(unsafe) self] _ in unsafe self.schedule() }
    }

    private func fail(_ failure: Failure) {
        isOver = true
        end()
        onEvent?(.failed(failure), time)
    }

    private func endRound() throws(Failure) {
        rounds += 1
        if !feed.hasTouches, !saidLack {
            saidLack = true
            onEvent?(feed.lackOfTouches, time)
        }
        // Of what has nothing to show another round has nothing either.
        if !feed.hasTouches || pace.rounds.map({ rounds >= $0 }) ?? false {
            isOver = true
            stopWaiting()
            onEvent?(.ended, time)
            return
        }
        // From its last line on, so that rounds are apart by as much each time; a machine that is late makes up for it.
        try rewind(to: said + ReplaySource.breath)
    }

    private func rewind(to start: Instant) throws(Failure) {
        for event in feed.restart { onEvent?(event, said) }
        onRestart?()
        try feed.rewind()
        origin = start.nanoseconds
        schedule(at: clock.moment(of: origin))
    }

    // MARK: Control

    var isPaused: Bool { clock.isPaused }
    var canRestart: Bool { feed.canBeReadAgain }

    func setPaused(_ paused: Bool) {
        clock.setPaused(paused, at: EventLoop.now)
        if paused { stopWaiting() } else if isShowing, !isOver { schedule() }
    }

    func changeSpeed(faster: Bool) {
        let speed = faster ? clock.speed * ReplaySource.factor : clock.speed / ReplaySource.factor
        clock.setSpeed(speed, at: EventLoop.now)
        if isShowing, !isOver, !isPaused { schedule() }
    }

    /// Plays one frame and stands still.
    func step() {
        guard isShowing, !isOver else { return }
        setPaused(true)
        do throws(Failure) {
            var first: Int64?
            while let entry = try feed.peek() {
                if let first, entry.offset != first { return }
                let due = due(entry)
                feed.pop()
                clock.skip(to: due, at: EventLoop.now)
                if case .touch = entry.event { first = first ?? entry.offset }
                said = Instant(nanoseconds: due)
                onEvent?(entry.event, said)
                if entry.endsFrame { return }
            }
            if feed.isRead { try endRound() }
        } catch {
            fail(error)
        }
    }

    /// From the beginning, whether or not it was over; a paused one stays paused.
    func restart() {
        guard isShowing, canRestart else { return }
        isOver = false
        rounds = 0
        do throws(Failure) { try rewind(to: time) } catch { fail(error) }
    }
}
