internal import WaylandProtocols
internal import WaylandServerProtocols
internal import WaylandServer

extension Stage {
    /// The clock in ms, as events carry it: modulo 2^32.
    public var milliseconds: UInt32 { UInt32(truncatingIfNeeded: now / 1_000_000) }

    /// Moves the clock on. With automatic frames, callbacks that fell due are answered once, with the time of the last
    /// refresh: a client that was not pumped meanwhile has missed frames, as it would have on a screen.
    public func advance(milliseconds: Int64) { advance(nanoseconds: milliseconds * 1_000_000) }

    /// As ``advance(milliseconds:)``.
    public func advance(nanoseconds: Int64) {
        now += nanoseconds
        guard case .automatic = options.frames, let interval = frameInterval else { return }
        let due = (now - lastFrame) / interval
        guard due > 0 else { return }
        lastFrame += due * interval
        frameCount += UInt64(due)
        answerFrames(at: lastFrame)
    }

    /// When the next automatic refresh is due, on the stage's clock in ns; nil with manual frames.
    public var nextFrame: Int64? { frameInterval.map { lastFrame + $0 } }

    /// Whether a client waits for a frame.
    public var hasWaitingFrames: Bool {
        surfaces.contains { !$0.isHidden && !($0.current.callbacks.isEmpty && $0.current.feedbacks.isEmpty) }
    }

    private var frameInterval: Int64? {
        guard case .automatic(let hertz) = options.frames, hertz > 0 else { return nil }
        return max(1, Int64(1e9 / hertz))
    }

    /// Answers the frame callbacks and presentation feedbacks that were committed. `time` is the callbacks' number, the
    /// clock's ms by default. Returns how many callbacks there were.
    @discardableResult
    public func fireFrameCallbacks(time: UInt32? = nil) -> Int {
        frameCount += 1
        return answerFrames(at: now, time: time)
    }

    @discardableResult
    private func answerFrames(at instant: Int64, time: UInt32? = nil) -> Int {
        checkHeldBuffers()
        let stamp = time ?? UInt32(truncatingIfNeeded: instant / 1_000_000)
        return surfaces.reduce(0) { $0 + $1.answerFrame(time: stamp, instant: instant, number: frameCount) }
    }

    // MARK: Buffers

    /// Gives back the held buffers, those on show too if asked.
    public func releaseBuffers(includingShown: Bool = false) {
        for buffer in buffers where buffer.isHeld && (includingShown || !isShown(buffer)) { buffer.release() }
    }

    func isShown(_ buffer: StageBuffer) -> Bool { surfaces.contains { $0.current.buffer === buffer } }

    /// Compares the pixels of every held buffer with what they were at the commit. Done by itself at each release,
    /// replacement, frame and screenshot, and when a client ends.
    public func checkHeldBuffers() {
        for buffer in buffers { buffer.check() }
    }

    func prune() { buffers.removeAll { !$0.isHeld && !$0.resource.isAlive } }
}
