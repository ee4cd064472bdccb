package import Gestures
internal import Input
internal import Inspection
internal import Presentation
package import Ripples

/// One connection of an app: what is passed on, and what is drawn above the app's windows. Has no sockets and no clock.
///
/// Passing on and drawing fail apart: whatever goes wrong in drawing ends drawing, and nothing else.
package final class AppConnection {
    /// What the owner wants to be seen and recognised, where so many logical px are a millimetre; nil for unknown.
    package struct Look {
        package var style: (_ pixelsPerMillimetre: Double?) -> RippleStyle
        package var gestures: (_ pixelsPerMillimetre: Double?) -> GestureConfiguration

        package init(
            style: @escaping (Double?) -> RippleStyle = { _ in RippleStyle() },
            gestures: @escaping (Double?) -> GestureConfiguration = { _ in GestureConfiguration() }
        ) {
            self.style = style
            self.gestures = gestures
        }
    }

    /// One window or popup of the app.
    final class Window {
        let overlay: Overlay
        var ripples: RippleController
        /// Of the style that shows one.
        var inspector: TouchInspector?
        /// Buffer px for a logical px, in 120ths.
        var scale120: Int32 = 120

        init(_ overlay: Overlay, _ ripples: RippleController) {
            self.overlay = overlay
            self.ripples = ripples
        }
    }

    /// What one seat's touches mean. A class, so that no frame of touches copies it.
    private final class SeatRecognizer {
        var recognizer: GestureRecognizer
        /// Logical px on a millimetre, as the recognizer has it.
        var density: Double?

        init(_ configuration: GestureConfiguration) { recognizer = GestureRecognizer(configuration: configuration) }

        /// The recognizer's, without a copy of it.
        var nextDeadline: Instant? { recognizer.nextDeadline }
    }

    /// Numbers that the app does without, unless told otherwise. Each cell takes about five.
    package static let reserved: UInt32 = 768

    package let forwarder: Forwarder
    package var reports = Reports() { didSet { catchUp() } }
    /// No other connection of the program has it.
    package let number: Int
    /// Whether the compositor is asked when pictures that show a touch are seen.
    package var asksPresentation = false {
        didSet {
            objects.wantsPresentation = asksPresentation && draws
            for window in windows.values { window.inspector?.showsPhotons = asksPresentation }
        }
    }
    let objects: OwnObjects
    let clock: () -> Instant
    private var look: Look
    var scene = Scene()
    var outputs = OutputWatch()
    private(set) var watch: SeatWatch?
    /// By seat.
    private var recognizers: [UInt32: SeatRecognizer] = [:]
    private(set) var windows: [UInt32: Window] = [:]
    private(set) var draws: Bool
    private(set) var isPaused = false
    private var isDirty = false { didSet { if isDirty { hasNews = true } } }
    /// Something was seen or told since the last turn's end that may have to be answered, or move the next deadline.
    var hasNews = false
    var backlog = TouchBacklog()
    /// As of the last turn's end.
    var mayWait = false
    private var hasNotedUnmarked = false
    /// There were no numbers left for a window.
    private var isShort = false
    /// The compositor has said why it ends the connection.
    package internal(set) var hasFailed = false
    var saysTextFailure = false
    var hold = PictureHold()
    /// Pictures that were shown are gone, and others are to take their place at once.
    private var hasReset = false
    /// What a request that goes on asks to be done after it.
    var after: [Scene.Change] = []

    /// - Parameters:
    ///   - draws: false to show nothing.
    ///   - reserved: how many numbers are ours: at least 8.
    ///   - number: its own among the program's.
    /// Nil when the build has no tables of Wayland itself.
    package init?(
        look: Look, draws: Bool, takesPointer: Bool,
        reserving reserved: UInt32 = AppConnection.reserved, number: Int = 0, clock: @escaping () -> Instant
    ) {
        guard let forwarder = Forwarder(reserving: reserved) else { return nil }
        self.forwarder = forwarder
        self.look = look
        self.draws = draws
        self.clock = clock
        self.number = number
        objects = OwnObjects(forwarder)
        // SAFETY: `end()`, which the owner calls, and deinit take both away.
        let watch = SeatWatch(takesPointer: takesPointer, connection: number) { [unowned(unsafe) self] surface in
            unsafe self.scene.shownRoot(of: surface)
        }
        self.watch = watch
        unsafe forwarder.observer = self
        watch.onRaw = { [unowned(unsafe) self] event, seat in
            if case .down(_, _, _, let target) = event.kind { unsafe self.tellWindow(target) }
            unsafe self.reports.onRaw?(event, seat)
            unsafe self.inspect(event, seat)
        }
        watch.onTool = { [unowned(unsafe) self] event, seat in
            if case .proximityIn(let target) = event.kind { unsafe self.tellWindow(target) }
            unsafe self.reports.onTool?(event, seat)
        }
        watch.onStray = { [unowned(unsafe) self] surface in unsafe self.noteStray(surface) }
        watch.onFrame = { [unowned(unsafe) self] frame, seat in unsafe self.recognize(frame, seat) }
        objects.begin()
    }

    deinit {
        unsafe forwarder.observer = nil
        objects.end()
    }

    /// True once the app's messages may be passed on.
    package var isReady: Bool { objects.isReady }

    // MARK: Turns

    /// When ``endTurn()`` has something to do though nothing came; nil for never. As of the last turn's end.
    package var nextDeadline: Instant? {
        guard let holdDeadline = hold.deadline else { return ownDeadline }
        return ownDeadline.map { min($0, holdDeadline) } ?? holdDeadline
    }
    private var ownDeadline: Instant?

    /// What is to go to the compositor is a picture alone, which is better seen together with the app's next request.
    package var isHoldingPicture: Bool { hold.deadline != nil }

    /// Passes on what the app has asked for; all that waits goes out with it. Where the app's window has another size or scale
    /// now, what is shown on it anew goes along, lest a frame of the new window is seen without.
    package func forwardRequests() throws(Forwarder.Fault) {
        try forwarder.forwardRequests()
        hold.end()
        guard hasReset else { return }
        hasReset = false
        endTurn()
    }

    private func findDeadline() -> Instant? {
        var next: Instant?
        func consider(_ deadline: Instant?) {
            if let deadline { next = min(next ?? deadline, deadline) }
        }
        consider(watch?.nextDeadline)
        for seat in recognizers.values { consider(seat.nextDeadline) }
        for window in windows.values {
            consider(pictureDeadline(of: window))
        }
        return next
    }

    /// When a window is to be drawn though nothing happens: where no picture is awaited, for what begins to change by time
    /// alone, as a long press's arc does.
    private func pictureDeadline(of window: Window) -> Instant? {
        if let deadline = window.overlay.deadline { return deadline }
        guard !isPaused else { return nil }
        guard let label = labelDeadline(of: window) else { return window.ripples.nextDeadline }
        return window.ripples.nextDeadline.map { min($0, label) } ?? label
    }

    /// After everything that had come was passed on: gestures and pictures.
    package func endTurn() {
        guard let watch else { return }
        // Most turns only pass something on that means nothing here.
        guard hasNews || nextDeadline != nil else { return }
        let now = clock()
        if !hasNews, let nextDeadline, nextDeadline > now { return backlog.endTurn(arrival: now) }
        catchUp()
        hold.advance(to: now)
        hasNews = false
        defer {
            ownDeadline = findDeadline()
            mayWait = findWhetherMovesMayWait(at: now)
        }
        watch.endTurn(arrival: now)
        for seat in watch.seats {
            guard let own = recognizers[seat.global], let deadline = own.nextDeadline, deadline <= now
            else { continue }
            deliver(own.recognizer.advance(to: now), seat, at: now)
        }
        let isDue = windows.values.contains { window in
            pictureDeadline(of: window).map { $0 <= now } ?? false
        }
        guard isDirty || isDue else { return }
        let isAlone = forwarder.toCompositor.isEmpty
        let canWait = draw(now)
        if isAlone, canWait, !forwarder.toCompositor.isEmpty { hold.begin(at: now) }
    }

    /// False when something is shown that was not there before, which waits for nothing: after a window's change of size it
    /// would be missing for a frame.
    private func draw(_ now: Instant) -> Bool {
        isDirty = false
        var canWait = true
        let guests = guestShapes(at: now)
        for root in windows.keys.sorted() {
            // While the compositor has not asked for it nothing is reckoned either: touches come more often than frames.
            guard let window = windows[root], !window.overlay.isWaiting(at: now) else { continue }
            let (isShown, waiting) = (window.overlay.isShown, forwarder.toCompositor.count)
            window.ripples.advance(to: now)
            // What hung over these would count as part of the window, and compositors would move it.
            let bounds = scene.bounds(of: root)
            var shapes = isPaused || bounds == nil ? [] : window.ripples.shapes
            var isAnimating = window.ripples.isAnimating
            if bounds != nil {
                // Below its own: the last is the newest.
                for guest in guests where guest.host == root {
                    shapes.insert(guest.shape, at: 0)
                    isAnimating = isAnimating || guest.isAnimating
                }
            }
            if !isPaused, bounds != nil { appendLabels(of: window, to: &shapes, at: now) }
            do throws(PresentationError) {
                try window.overlay.draw(
                    shapes, on: scene.size(of: root), within: bounds ?? .empty, scale120: window.scale120,
                    isAnimating: isAnimating, now: now)
                inspectPicture(of: window)
            } catch {
                stopDrawing(error.description)
                return false
            }
            if !isShown, forwarder.toCompositor.count != waiting { canWait = false }
        }
        return canWait
    }

    /// Ends drawing for good on this connection.
    private func stopDrawing(_ why: String) {
        guard draws else { return }
        draws = false
        for window in windows.values { window.overlay.destroy() }
        windows.removeAll()
        reports.onNote("no more waves on this connection: \(why); the app goes on")
    }

    /// The connection is at its end; nothing is sent any more.
    package func end() {
        catchUp()
        let now = clock()
        watch?.end(arrival: now)
        for root in windows.keys { reports.onUpToDate(Int(root)) }
        for seat in seats { reports.onSeatEnded(seat) }
        unsafe forwarder.observer = nil
        objects.end()
        windows.removeAll()
        watch = nil
    }

    // MARK: Control

    package var windowCount: Int { scene.rootCount }
    package var contactCount: Int { heard?.contactCount ?? 0 }
    package var seats: [SeatWatch.Seat] { heard?.seats ?? [] }
    /// What stands behind the names of its seats, to tell them from those of another connection.
    package func nameSeats(withSuffix suffix: String) { watch?.suffix = suffix }

    package func set(_ look: Look) {
        catchUp()
        self.look = look
        for seat in recognizers.values { seat.recognizer.configuration = look.gestures(seat.density) }
        hasNews = true
        for root in windows.keys { fit(root) }
    }

    package func setPaused(_ isPaused: Bool) {
        catchUp()
        self.isPaused = isPaused
        // A finger that is down now has no mark later.
        if isPaused { clear() }
        isDirty = true
    }

    package func clear() {
        catchUp()
        for window in windows.values { window.ripples.clear() }
        isDirty = true
    }

    // MARK: Gestures

    private func recognize(_ frame: ContactFrame, _ seat: SeatWatch.Seat) {
        hasNews = true
        for change in frame.changes where change.phase == .began && change.contact.kind != .finger {
            tellWindow(change.contact.target)
        }
        reports.onFrame?(frame, seat)
        guard draws || reports.onGestures != nil else { return }
        inspect(frame, seat)
        let own = recognizers[seat.global] ?? SeatRecognizer(look.gestures(nil))
        recognizers[seat.global] = own
        for change in frame.changes where change.phase == .began {
            // What a distance is does not change under a finger.
            let density = density(of: UInt32(change.contact.target))
            if density == own.density { continue }
            own.density = density
            own.recognizer.configuration = look.gestures(density)
        }
        var last: Int?
        for change in frame.changes where change.contact.target != last {
            let root = change.contact.target
            last = root
            own.recognizer.setSurfaceSize(scene.size(of: UInt32(root)), target: root)
        }
        deliver(own.recognizer.handle(frame), seat, at: frame.arrival)
    }

    private func deliver(_ gestures: [Gesture], _ seat: SeatWatch.Seat, at now: Instant) {
        guard !gestures.isEmpty else { return }
        reports.onGestures?(gestures, seat)
        for (root, window) in windows {
            // Mostly all are of one window.
            let isOfOthers = { (gesture: Gesture) in gesture.target != Int(root) }
            let own = gestures.contains(where: isOfOthers) ? gestures.filter { !isOfOthers($0) } : gestures
            if own.isEmpty { continue }
            window.ripples.handle(own, at: now)
            window.inspector?.handle(own, seat: seat.global, name: seat.name)
            isDirty = true
        }
    }

    // MARK: Windows

    func setDirty() { isDirty = true }

    func apply(_ changes: [Scene.Change]) {
        if !changes.isEmpty { catchUp() }
        for change in changes {
            switch change {
            case .rootBegan(let root): beginWindow(root)
            case .rootEnded(let root): endWindow(root)
            case .hidden: endLostContacts()
            case .restacked(let root, let sibling): windows[root]?.overlay.restack(above: sibling)
            case .changed(let root):
                if let overlay = windows[root]?.overlay {
                    if overlay.isShown { hasReset = true }
                    overlay.reset()
                }
                fit(root)
            }
        }
    }

    /// Logical px on a millimetre; nil when no output tells it.
    private func density(of root: UInt32) -> Double? {
        outputs.pixelsPerMillimetre(of: root, scale120: scene.fractionalScale(of: root))
    }

    /// As the app says that it draws, and no less than the output takes: an app that stretches its buffers by a viewport
    /// says nothing, and one that does not go by the output's scale is no reason for waves that are blurred as it is.
    func scale120(of root: UInt32) -> Int32 {
        scene.fractionalScale120(of: root) ?? max(scene.bufferScale(of: root), outputs.scale(of: root)) * 120
    }

    /// Tells a window's waves how large it, a pixel and a millimetre are.
    private func fit(_ root: UInt32) {
        guard let window = windows[root] else { return }
        let scale = scale120(of: root)
        if scale != window.scale120 {
            window.scale120 = scale
            window.overlay.reset()
        }
        let density = density(of: root)
        window.ripples.style = look.style(density)
        window.ripples.fit(look.gestures(density))
        window.ripples.surfaceSize = scene.size(of: root)
        fitInspector(of: window)
        isDirty = true
        if reports.onTouchedWindow != nil, isTouched(root) { tellWindow(Int(root)) }
    }

    /// Something of the app's outputs is another.
    func changeOutputs(_ change: (inout OutputWatch) -> Void) {
        catchUp()
        change(&outputs)
        for root in windows.keys { fit(root) }
    }

    private func beginWindow(_ root: UInt32) {
        guard draws else { return }
        guard let overlay = Overlay(above: root, objects, forwarder) else {
            isShort = objects.canDraw
            return noteUnmarked(
                objects.canDraw ? "too many windows at once" : "the compositor has no wl_subcompositor or wl_shm")
        }
        let window = Window(overlay, RippleController(style: look.style(nil)))
        // SAFETY: the overlay's handlers end with it, and it goes with `windows`.
        overlay.onFrame = { [unowned(unsafe) self] in unsafe self.isDirty = true }
        overlay.willCommit = { [unowned(unsafe) self] now in unsafe self.willCommit(root, at: now) }
        windows[root] = window
        fit(root)
    }

    /// Numbers have come back: windows that have got none get theirs.
    func beginUnmarkedWindows() {
        guard isShort, objects.available >= Overlay.numbers else { return }
        isShort = false
        for root in scene.roots where windows[root] == nil { beginWindow(root) }
    }

    /// A surface whose role this build does not know; not one that the app has destroyed meanwhile.
    private func noteStray(_ surface: UInt32) {
        guard draws, scene.surfaces[surface] != nil, scene.root(of: surface) == nil else { return }
        noteUnmarked("what was touched is of a kind that gets none")
    }

    /// Once: it would be the same for the next window.
    private func noteUnmarked(_ why: String) {
        guard !hasNotedUnmarked else { return }
        hasNotedUnmarked = true
        reports.onNote("no waves on a window: \(why)")
    }

    private func endLostContacts() {
        hasNews = true
        watch?.endLostContacts(arrival: clock())
    }

    private func endWindow(_ root: UInt32) {
        endLostContacts()
        windows.removeValue(forKey: root)?.overlay.destroy()
        // What it has covered is seen again.
        isDirty = true
        reports.onUpToDate(Int(root))
        for seat in recognizers.values { seat.recognizer.setSurfaceSize(nil, target: Int(root)) }
    }
}
