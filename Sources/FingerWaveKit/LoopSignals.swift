internal import CLibc
internal import CLinuxShims
internal import EventLoop

extension EventLoop {
    /// As ``onSignal(_:_:)``; fails where the system refuses.
    func listen(to numbers: Int32..., handler: @escaping (Int32, SignalSender) -> Void) throws(Failure) {
        for number in numbers {
            guard onSignal(number, { handler(number, $0) }) else { throw EventLoop.deafness }
        }
    }

    /// As ``onEnd(_:)``; fails where the system refuses.
    func listenForEnd(_ handler: @escaping () -> Void) throws(Failure) {
        guard onEnd(handler) else { throw EventLoop.deafness }
    }

    /// A program that cannot be told to end does not begin.
    private static var deafness: Failure {
        // SAFETY: strerror's text is copied before the next call.
        let why = unsafe String(cString: strerror(fw_errno()))
        return Failure(
            "cannot listen to signals", why: why, remedy: "let it open more files (ulimit -n)", code: .noCompositor)
    }
}
