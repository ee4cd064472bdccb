internal import Gestures
internal import Presentation
internal import Ripples
internal import WaylandProtocols

/// What is shown over one output. Its surface exists only while there is something to show, unless it is to stay.
///
/// While nothing is shown nothing is there: the compositor has no surface to blend, and can scan out the app's buffers.
final class OverlayOutput {
    /// How long an empty picture is waited for to be shown before the surface goes, ns: some compositors would leave the last
    /// picture otherwise, and one that shows nothing must not keep the surface. Our choice.
    private static let patience: Int64 = 200_000_000
    /// Between two frames of the compositor nothing can be shown, so nothing is reckoned, unless no frame has come for so
    /// long, ns: a compositor that shows nothing must not keep waves alive. Our choice.
    private static let longestFrame: Int64 = 100_000_000

    let global: UInt32
    private let output: WlOutput
    private(set) var facts: OutputFacts
    var ripples: RippleController
    private(set) var layer: LayerSurface?
    /// Set when the empty picture that is the last one was committed: when the surface goes at the latest.
    private var leaves: Instant?
    /// How far the last picture has come.
    private enum LastPicture { case toBeDrawn, committed, shown }
    private var last = LastPicture.toBeDrawn
    /// The compositor closed the surface of an output that is still there: the next touch tries again.
    private var isRefused = false
    private var scale120: Int32?
    private var reckoned = Instant(nanoseconds: 0)
    /// What was told of the surface last.
    private var reported: SurfaceGeometry?
    /// A picture is about to be committed.
    var willCommit: ((WlSurface) -> Void)?
    /// Whether the last turn has left nothing to be drawn of what came.
    private(set) var isUpToDate = true

    init(_ output: WlOutput, _ facts: OutputFacts, _ style: RippleStyle) {
        global = facts.global
        self.output = output
        self.facts = facts
        ripples = RippleController(style: style)
        ripples.surfaceSize = facts.logicalSize
    }

    /// The next picture can only come with the compositor's next frame.
    var awaitsFrame: Bool {
        guard let layer else { return false }
        return layer.isConfigured && !layer.isClosed && !layer.hasNews && !layer.presenter.mayCommit
    }

    var isMapped: Bool { layer?.isConfigured ?? false }

    func update(_ facts: OutputFacts) {
        self.facts = facts
        ripples.surfaceSize = facts.logicalSize
        layer?.presenter.setOutputScale(facts.scale)
        isRefused = false
    }

    func handle(_ gestures: [Gesture], at now: Instant) {
        isRefused = false
        ripples.handle(gestures, at: now)
    }

    /// When ``endTurn(_:isHidden:keepsMapped:now:)`` has something to do though no event comes.
    var nextDeadline: Instant? { OverlaySession.earlier(ripples.nextDeadline, leaves) }

    /// Draws, and brings the surface or takes it away.
    ///
    /// - Parameter isHidden: nothing is to be shown.
    /// - Returns: the surface's size and scale when it has just been shown with another one than before.
    func endTurn(
        _ globals: OverlayGlobals, isHidden: Bool, keepsMapped: Bool, now: Instant
    ) throws(PresentationError) -> SurfaceGeometry? {
        isUpToDate = false
        if awaitsFrame, now - reckoned < OverlayOutput.longestFrame, nextDeadline.map({ $0 > now }) ?? true {
            return nil
        }
        reckoned = now
        defer { isUpToDate = self.layer.map { $0.isConfigured && !$0.presenter.isBehind } ?? true }
        ripples.advance(to: now)
        let isSeen = !isHidden && !ripples.isIdle
        if let layer, layer.isClosed {
            close()
            // An output that goes takes its surface along, and is gone in a moment.
            isRefused = true
        }
        guard layer != nil || (isSeen || keepsMapped) && !isRefused else { return nil }
        let layer = layer ?? open(globals)
        layer.applyConfigure(facts.logicalSize ?? Size(width: 1, height: 1))
        if isSeen || keepsMapped {
            leaves = nil
            last = .toBeDrawn
        } else if !layer.isConfigured || last == .shown || leaves.map({ $0 <= now }) ?? false {
            close()
            return nil
        } else if leaves == nil {
            leaves = now + OverlayOutput.patience
        }
        guard layer.isConfigured else { return nil }
        layer.presenter.shapes = isSeen ? ripples.shapes : []
        layer.presenter.wantsFrames = isSeen ? ripples.isAnimating : leaves != nil
        guard try layer.presenter.drawIfNeeded(now: now), let geometry = layer.presenter.geometry else { return nil }
        if leaves != nil, !layer.presenter.isBehind { last = .committed }
        defer { reported = geometry }
        return geometry == reported ? nil : geometry
    }

    private func open(_ globals: OverlayGlobals) -> LayerSurface {
        let layer = LayerSurface(globals, on: output, scale120: scale120, outputScale: facts.scale)
        // SAFETY: the handlers end with the layer surface, which goes with self.
        layer.onScale = { [unowned(unsafe) self] scale in unsafe self.scale120 = scale }
        layer.presenter.onFrame = { [unowned(unsafe) self] _ in
            if unsafe self.last == .committed { unsafe self.last = .shown }
        }
        layer.presenter.willCommit = { [unowned(unsafe) self, surface = layer.surface] in
            unsafe self.willCommit?(surface)
        }
        self.layer = layer
        return layer
    }

    /// Takes the surface from the screen. What is to be shown brings another one.
    func close() {
        layer?.destroy()
        layer = nil
        leaves = nil
        last = .toBeDrawn
    }
}
