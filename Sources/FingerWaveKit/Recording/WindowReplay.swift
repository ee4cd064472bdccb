internal import Gestures
internal import Input
internal import Presentation
internal import Ripples
internal import TouchDevices

/// A recording in a window: its touches go the way of a seat's, and the window's keys play it.
///
/// It refers to the session unowned, which owns it.
final class WindowReplay: ReplayListener {
    private(set) var streams: ReplayStreams!
    // SAFETY: see the type's comment.
    private unowned(unsafe) let session: WindowSession
    /// Of what was touched, as far as the recording says it: the window's, unless somebody wants another.
    let size: (width: Int32, height: Int32)?
    /// Whether a key was one of the replay's own.
    var onKey: (Keysym) -> Bool = { _ in false }
    var title: () -> String = { "FingerWave" }
    /// Time stands still.
    var isStill: () -> Bool = { false }

    /// Logical px.
    private static let largest = 16_384.0

    init(_ session: WindowSession, size: Size?) {
        unsafe self.session = session
        self.size = size.flatMap { size in
            guard (1...WindowReplay.largest).contains(size.width), (1...WindowReplay.largest).contains(size.height)
            else { return nil }
            return (Int32(size.width.rounded()), Int32(size.height.rounded()))
        }
        streams = ReplayStreams(self, session.settings.gestures, RecordedStreams.Screen(size: .zero, target: 0))
    }

    /// The window begins to be there, or has changed: nothing may be played before.
    func fit(_ options: GestureOptions, _ screen: RecordedStreams.Screen) { streams.fit(options, screen) }

    func showTitle() { unsafe session.window?.setTitle(title()) }

    /// What came at this moment is complete.
    func endTurn(_ now: Instant) {
        streams.endTurn(now)
        unsafe session.inspection?.endTurn(unsafe session.contactSources, at: now)
    }

    /// What is down is over, and so is what is shown of it.
    func end(clears: Bool) {
        let now = unsafe session.clock()
        if let inspection = unsafe session.inspection {
            inspection.end(streams, at: now)
        } else {
            streams.endAll(now)
        }
        if clears { unsafe session.clear() }
    }

    // MARK: What the touches make

    func raw(_ event: RawTouchEvent, _ stream: TouchStream) {
        unsafe session.log?.raw(
            event, seat: stream.key.seat, device: stream.key.device, surface: streams.surface)
        unsafe session.inspection?.raw(event, stream)
    }

    func tool(_ event: RawToolEvent, _ stream: TouchStream) {
        unsafe session.log?.tool(event, seat: stream.key.seat, surface: streams.surface)
    }

    func cancel(_ id: Int32, _ stream: TouchStream, at instant: Instant) {
        unsafe session.log?.cancel(id, stream.key, at: instant)
    }

    func contacts(_ frame: ContactFrame, _ stream: TouchStream) {
        if !streams.isEnding { unsafe session.log?.pointer(frame, seat: stream.key.seat, surface: streams.surface) }
        unsafe session.inspection?.handle(frame, stream)
    }

    func gestures(_ gestures: [Gesture], _ stream: TouchStream) { unsafe session.deliver(gestures, from: stream) }

    func fitted() { unsafe session.fitLook() }

    func tell(_ line: String) { unsafe session.log?.tell(line) }

    func ended(_ stream: TouchStream) { unsafe session.inspection?.removeSeat(stream) }
}

extension WindowSession {
    /// Tells the replay how large its distances and the window are.
    func fitReplay() {
        guard let replay, let window, let geometry = window.presenter.geometry else { return }
        let size = Size(width: Double(geometry.logicalSize.width), height: Double(geometry.logicalSize.height))
        replay.fit(
            settings.gestures, RecordedStreams.Screen(size: size, target: targets.register(window.surface)))
    }

    /// Whether there is a picture to play in.
    var isShown: Bool { reported != nil }
}
