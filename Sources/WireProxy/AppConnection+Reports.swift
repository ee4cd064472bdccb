package import Gestures
package import Input
package import Inspection

extension AppConnection {
    /// What the owner is told.
    package struct Reports {
        /// A window of this size, logical px, which is drawn with so many pixels for one, is about to be touched, or has
        /// become so while it is.
        package var onTouchedWindow: ((_ target: Int, Size, _ scale: Double) -> Void)?
        package var onRaw: ((RawTouchEvent, SeatWatch.Seat) -> Void)?
        package var onTool: ((RawToolEvent, SeatWatch.Seat) -> Void)?
        package var onFrame: ((ContactFrame, SeatWatch.Seat) -> Void)?
        package var onGestures: (([Gesture], SeatWatch.Seat) -> Void)?
        /// The connection ends, and the seat's contacts have ended.
        package var onSeatEnded: (SeatWatch.Seat) -> Void = { _ in }
        /// A window, by the target of its contacts, is about to show something else, and whether the compositor can tell when
        /// that is seen. What is returned is told, once it tells.
        package var onCommit: (Int, PhotonSource) -> ((PresentationOutcome) -> Void)? = { _, _ in nil }
        /// A window shows all that there is to show of it, or has gone.
        package var onUpToDate: (Int) -> Void = { _ in }
        /// A line for people, without an end.
        package var onNote: (String) -> Void = { _ in }
        /// A seat of the compositor has no touchscreen, at least for now.
        package var onTouchlessSeat: () -> Void = {}
        /// A global that the app is not told of.
        package var onHidden: (String) -> Void = { _ in }

        package init() {}
    }
}
