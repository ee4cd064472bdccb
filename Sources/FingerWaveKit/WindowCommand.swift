internal import CLibc
internal import EventLoop
internal import Gestures
internal import Input
internal import Presentation
internal import Ripples
internal import WaylandClient
internal import WaylandProtocols

/// `fingerwave window`: a window that answers every touch in it.
///
/// Owns everything for the length of `run()`: handlers below refer to it unowned, and `finish()` ends them all.
@safe
final class WindowCommand {
    private let options: WindowOptions
    private let loop = EventLoop()
    private let output = LineWriter(descriptor: STDOUT_FILENO)
    private let log: EventLog?
    private var connection: Connection!
    private var globals: Globals!
    private var window: Window!
    private let outputs = Outputs()
    private let targets = SurfaceTargets()
    private var seats: [(global: UInt32, input: SeatInput)] = []
    private var recognizers: [(source: SourceID, recognizer: GestureRecognizer)] = []
    private var ripples: RippleController
    private var isPaused = false
    private var isReady = false
    private var failure: Failure?
    private var connectionWatch: EventLoop.Token?
    private var outputWatch: EventLoop.Token?
    private var deadlineTimer: EventLoop.Token?
    private var animationTimer: EventLoop.Token?

    init(_ options: WindowOptions) {
        self.options = options
        ripples = RippleController(style: RippleStyle(options))
        log = options.log.map { [output] in EventLog(output, format: $0, start: now) }
    }
}
