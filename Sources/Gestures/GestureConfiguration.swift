/// Every number that decides what a gesture is. Intervals in ns (write `.milliseconds(500)`), distances in logical px.
public struct GestureConfiguration: Hashable, Sendable {
    /// How far a contact may move from where it came down and still be a tap. Flutter's touch slop; Android has 8 dp,
    /// Chromium 15 px, GTK 8 px. Flutter went from 8 to 18 because small targets were too hard to hit.
    public var touchSlop = 18.0

    /// A tap is shorter than this, from the first finger's coming down to the last one's lifting. Android's long-press
    /// timeout: what is held for longer is a press.
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

    /// A finger that comes down again within this after a tap, within the touch slop, never left: the panel lost it for a
    /// moment, and there is no second tap. Our choice; the fastest hands need the 40 ms that Android asks for between the
    /// taps of a double tap.
    public var contactBounce: Int64 = .milliseconds(20)

    /// How long a still contact is down before it is a long press. Android, Flutter, Chromium.
    public var longPressTimeout: Int64 = .milliseconds(500)

    /// How far the middle of several fingers moves before it is a pan or scroll, and by how much the distance of two
    /// changes before it is a pinch. Twice the touch slop: Flutter's pan slop, Chromium's ratio for pinches.
    public var multiFingerSlop = 36.0

    /// A pan that ends slower than this is no swipe, px/s. Android, Flutter.
    public var minimumFlingVelocity = 50.0

    /// No velocity is reported larger, px/s. Android, Flutter.
    public var maximumFlingVelocity = 8000.0

    /// Velocities are of the motions within this. Android, Flutter: 100 ms.
    public var velocityWindow: Int64 = .milliseconds(100)

    /// How much a swipe may deviate from its axis: the tangent of 30 degrees. Chromium allows 20, lisgd 15 degrees.
    public var swipeDeviation = 0.577

    /// A swipe inwards that came down within this of an edge is an edge swipe. Between Wayfire's 10 px and niri's 30.
    public var edgeWidth = 20.0

    public init() {}

    /// The slop of libinput's and Android's order for a panel whose pixel density is known, mm.
    public static let touchSlopMillimetres = 3.0

    /// ``touchSlop`` and ``multiFingerSlop`` for a panel that tells its size. Out of the bounds of what toolkits use (8 to 60 logical px) a size is
    /// a wrong one, as those of projectors and virtual outputs are; then the slop is at the bound.
    public mutating func setTouchSlop(pixelsPerMillimetre: Double) {
        guard pixelsPerMillimetre.isFinite, pixelsPerMillimetre > 0 else { return }
        touchSlop = min(max(Self.touchSlopMillimetres * pixelsPerMillimetre, 8), 60)
        multiFingerSlop = 2 * touchSlop
    }
}
