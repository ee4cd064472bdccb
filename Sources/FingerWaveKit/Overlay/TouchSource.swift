internal import CLibc
internal import EventLoop
internal import Gestures

/// Where the touches come from that are shown. Handlers of the loop refer to it unowned: its owner ends it before it lets go
/// of it.
protocol TouchSource: AnyObject {
    /// What it says, with the moment at which the program got it.
    var onEvent: ((SourceEvent, Instant) -> Void)? { get set }

    /// Begins to read. Throws when nothing can be read, ever.
    func begin() throws(Failure)

    /// A compositor is there for the first time: what would be lost on nobody may be said.
    func beginShowing()

    /// Nothing that comes could be shown now: it may stay where it is, so that it wakes nobody, until ``catchUp()``.
    func rest()

    /// Says at once what has come meanwhile, and reads on.
    func catchUp()

    func end()
}

extension TouchSource {
    func beginShowing() {}
    func rest() {}
    func catchUp() {}
}

extension SourceOptions {
    /// The source that is asked for; nothing is read before it begins.
    ///
    /// - Parameter pace: of a file.
    func open(on loop: EventLoop, _ pace: PaceOptions) throws(Failure) -> any TouchSource {
        switch source {
        case .libinput: return LibinputSource(readerSource, loop)
        case .standardInput: return LineSource(descriptor: STDIN_FILENO, loop)
        case .file(let path):
            try pace.check(path)
            if pace.speed == .most {
                throw .usage(
                    "--speed=max is replay's", why: "without a pace nothing would be seen",
                    remedy: "say at most 100, or fingerwave replay --no-window --speed=max \(path)")
            }
            return ReplaySource(path: path, loop, pace.pace)
        }
    }
}
