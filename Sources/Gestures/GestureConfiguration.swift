/// Every number that decides what a gesture is. Intervals in ns (write `.milliseconds(500)`), distances in logical px.
public struct GestureConfiguration: Hashable, Sendable {
    /// How far a contact may move from where it came down and still be a tap. Flutter's touch slop; Android has 8 dp,
    /// Chromium 15 px, GTK 8 px. Flutter went from 8 to 18 because small targets were too hard to hit.
    public var touchSlop = 18.0

    /// The longest tap, from the first finger's coming down to the last one's lifting. Android's long-press timeout:
    /// what is held for longer is a press.
    public var tapTimeout: Int64 = .milliseconds(500)

    /// The longest pause from one tap's lifting to the next one's coming down for the two to be counted together.
    /// Android, Flutter.
    public var doubleTapTimeout: Int64 = .milliseconds(300)

    /// How far apart the taps of a double tap may be. Android, Flutter: 100 dp.
    public var doubleTapSlop = 100.0

    /// Fingers that come down later than this after the first begin a tap of their own. Wayfire's three-finger window;
    /// touchegg waits 150 ms.
    public var joinTimeout: Int64 = .milliseconds(100)

    /// Fingers farther than this from each finger of a hand are another hand's. Chromium's two-finger tap.
    public var joinDistance = 300.0

    public init() {}

    /// The slop of libinput's and Android's order for a panel whose pixel density is known, mm.
    public static let touchSlopMillimetres = 3.0

    /// ``touchSlop`` for a panel that tells its size. Out of the bounds of what toolkits use (8 to 60 logical px) a size is
    /// a wrong one, as those of projectors and virtual outputs are; then the slop is at the bound.
    public mutating func setTouchSlop(pixelsPerMillimetre: Double) {
        guard pixelsPerMillimetre.isFinite, pixelsPerMillimetre > 0 else { return }
        touchSlop = min(max(Self.touchSlopMillimetres * pixelsPerMillimetre, 8), 60)
    }
}
