package import Gestures
package import Input
internal import Presentation
package import Ripples
package import WireTables

/// One connection of an app: what is passed on, and what is drawn above the app's windows. Has no sockets and no clock.
///
/// Passing on and drawing fail apart: whatever goes wrong in drawing ends drawing, and nothing else.
package final class AppConnection: ForwarderObserver {
    /// What the owner is told.
    package struct Reports {
        package var onRaw: (RawTouchEvent, String) -> Void = { _, _ in }
        package var onFrame: (ContactFrame, String) -> Void = { _, _ in }
        package var onGestures: ([Gesture], String) -> Void = { _, _ in }
        /// A line for people, without an end.
        package var onNote: (String) -> Void = { _ in }
        /// A global that the app is not told of.
        package var onHidden: (String) -> Void = { _ in }

        package init() {}
    }

    /// One window or popup of the app.
    private final class Window {
        let overlay: Overlay
        var ripples: RippleController

        init(_ overlay: Overlay, _ ripples: RippleController) {
            self.overlay = overlay
            self.ripples = ripples
        }
    }

    /// Numbers that the app does without. Each cell takes about five.
    private static let reserved: UInt32 = 768

    package let forwarder: Forwarder
    package var reports = Reports()
    private let objects: OwnObjects
    let clock: () -> Instant
    private var style: RippleStyle
    private var configuration: GestureConfiguration
    var scene = Scene()
    private(set) var watch: SeatWatch?
    private var recognizers: [UInt32: GestureRecognizer] = [:]
    private var windows: [UInt32: Window] = [:]
    private(set) var draws: Bool
    private var isPaused = false
    private var isDirty = false
    private var hasNotedUnmarked = false
    /// What a request that goes on asks to be done after it.
    private var after: [Scene.Change] = []

    /// - Parameter draws: false to only pass on.
    /// Nil when the build has no tables of Wayland itself.
    package init?(
        style: RippleStyle, gestures: GestureConfiguration, draws: Bool, takesPointer: Bool,
        clock: @escaping () -> Instant
    ) {
        guard let forwarder = Forwarder(reserving: AppConnection.reserved) else { return nil }
        self.forwarder = forwarder
        self.style = style
        configuration = gestures
        self.draws = draws
        self.clock = clock
        objects = OwnObjects(forwarder)
        // SAFETY: `end()`, which the owner calls, and deinit take both away.
        let watch = SeatWatch(takesPointer: takesPointer) { [unowned(unsafe) self] surface in
            unsafe self.scene.root(of: surface)
        }
        self.watch = watch
        unsafe forwarder.observer = self
        watch.onRaw = { [unowned(unsafe) self] event, seat in unsafe self.reports.onRaw(event, seat.name) }
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

    /// When ``endTurn()`` has something to do though nothing came; nil for never.
    package var nextDeadline: Instant? {
        guard draws else { return nil }
        var next: Instant?
        func consider(_ deadline: Instant?) {
            if let deadline { next = min(next ?? deadline, deadline) }
        }
        for recognizer in recognizers.values { consider(recognizer.nextDeadline) }
        for window in windows.values { consider(window.overlay.deadline) }
        return next
    }

    /// After everything that had come was passed on: gestures and pictures.
    package func endTurn() {
        guard draws, let watch else { return }
        let now = clock()
        watch.endTurn(arrival: now)
        for seat in watch.seats {
            if let deadline = recognizers[seat.global]?.nextDeadline, deadline <= now,
                let gestures = recognizers[seat.global]?.advance(to: now)
            {
                deliver(gestures, seat)
            }
        }
        let isDue = windows.values.contains { $0.overlay.deadline.map { $0 <= now } ?? false }
        if isDirty || isDue { draw(now) }
    }

    private func draw(_ now: Instant) {
        isDirty = false
        for root in windows.keys.sorted() {
            guard let window = windows[root] else { continue }
            window.ripples.advance(to: now)
            let size = scene.size(of: root)
            // What hangs over the edge of a window without a geometry of its own would count as part of the window, and
            // some compositors would move it.
            let isPlaced = size != nil || scene.hasGeometry(root)
            do throws(PresentationError) {
                try window.overlay.draw(
                    isPaused || !isPlaced ? [] : window.ripples.shapes, on: size, isClipped: !scene.hasGeometry(root),
                    scale120: scene.scale120(of: root), isAnimating: window.ripples.isAnimating, now: now)
            } catch {
                return stopDrawing(error.description)
            }
        }
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
        let now = clock()
        watch?.end(arrival: now)
        unsafe forwarder.observer = nil
        objects.end()
        windows.removeAll()
        watch = nil
    }

    // MARK: Control

    package var windowCount: Int { windows.count }
    package var contactCount: Int { watch?.contactCount ?? 0 }

    package func set(_ style: RippleStyle) {
        self.style = style
        for window in windows.values { window.ripples.style = style }
        isDirty = true
    }

    package func set(_ gestures: GestureConfiguration) {
        configuration = gestures
        for global in recognizers.keys { recognizers[global]?.configuration = gestures }
    }

    package func setPaused(_ isPaused: Bool) {
        self.isPaused = isPaused
        // A finger that is down now has no mark later.
        if isPaused { clear() }
        isDirty = true
    }

    package func clear() {
        for window in windows.values { window.ripples.clear() }
        isDirty = true
    }

    // MARK: Gestures

    private func recognize(_ frame: ContactFrame, _ seat: SeatWatch.Seat) {
        reports.onFrame(frame, seat.name)
        let global = seat.global
        // Within the dictionary: a copy of the recognizer would copy all that it knows, at every frame.
        if recognizers[global] == nil { recognizers[global] = GestureRecognizer(configuration: configuration) }
        var last: Int?
        for change in frame.changes where change.contact.target != last {
            let root = change.contact.target
            last = root
            recognizers[global]?.setSurfaceSize(scene.size(of: UInt32(root)), target: root)
        }
        guard let gestures = recognizers[global]?.handle(frame) else { return }
        deliver(gestures, seat)
    }

    private func deliver(_ gestures: [Gesture], _ seat: SeatWatch.Seat) {
        guard !gestures.isEmpty else { return }
        reports.onGestures(gestures, seat.name)
        let now = clock()
        for (root, window) in windows {
            let own = gestures.filter { $0.target == Int(root) }
            if own.isEmpty { continue }
            window.ripples.handle(own, at: now)
            isDirty = true
        }
    }

    // MARK: Windows

    func apply(_ changes: [Scene.Change]) {
        for change in changes {
            switch change {
            case .rootBegan(let root): beginWindow(root)
            case .rootEnded(let root): endWindow(root)
            case .restacked(let root, let sibling): windows[root]?.overlay.restack(above: sibling)
            case .changed(let root):
                windows[root]?.overlay.reset()
                isDirty = true
            }
        }
    }

    private func beginWindow(_ root: UInt32) {
        guard draws else { return }
        guard let overlay = Overlay(above: root, objects, forwarder) else {
            return noteUnmarked(
                objects.canDraw ? "too many windows at once" : "the compositor has no wl_subcompositor or wl_shm")
        }
        let window = Window(overlay, RippleController(style: style))
        // SAFETY: the overlay's handlers end with it, and it goes with `windows`.
        overlay.onFrame = { [unowned(unsafe) self] in unsafe self.isDirty = true }
        windows[root] = window
    }

    /// Once: it would be the same for the next window.
    private func noteUnmarked(_ why: String) {
        guard !hasNotedUnmarked else { return }
        hasNotedUnmarked = true
        reports.onNote("no waves on a window: \(why)")
    }

    private func endWindow(_ root: UInt32) {
        watch?.endContacts(root: root, arrival: clock())
        windows.removeValue(forKey: root)?.overlay.destroy()
        for global in recognizers.keys { recognizers[global]?.setSurfaceSize(nil, target: Int(root)) }
    }

    // MARK: ForwarderObserver

    package func willForward(_ message: WatchedMessage, of object: UInt32, _ arguments: MessageReader) {
        guard draws else { return }
        after = watchRequest(message, object, arguments)
        // What must not outlive a request goes before it.
        let before = after.filter {
            if case .rootEnded = $0 { true } else if case .changed = $0 { true } else { false }
        }
        if !before.isEmpty {
            apply(before)
            after.removeAll { before.contains($0) }
        }
    }

    package func didForward(_ message: WatchedMessage, of object: UInt32) {
        guard !after.isEmpty else { return }
        apply(after)
        after.removeAll()
    }

    package func receivedOwn(_ opcode: UInt16, of object: UInt32, _ arguments: MessageReader) {
        objects.receive(opcode, of: object, arguments)
    }

    package func deletedOwn(_ object: UInt32) { objects.deleted(object) }

    package func failed(isOwn: Bool, code: UInt32, _ text: String) {
        let whose: StaticString = isOwn ? "what fingerwave draws" : "the app"
        reports.onNote("the compositor ends the connection over \(whose): error \(code): \(text)")
    }

    package func hid(_ interface: String) { reports.onHidden(interface) }
}
