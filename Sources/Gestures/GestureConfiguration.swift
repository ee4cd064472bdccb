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

    /// Whether a tap is said only when ``doubleTapTimeout`` has passed without another one that continues it. Then a double
    /// tap is one event with count 2 and no single before it, a triple one event with count 3, and so on: the window opens
    /// anew after each. Otherwise every tap is said at once, with its count so far.
    public var waitsForDoubleTap = false

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

    /// How far a swipe may be off its axis, degrees. Chromium allows 20, lisgd 15: people who stand before a screen swipe
    /// in arcs about their shoulder.
    public var swipeAngle = 30.0

    /// A swipe inwards that came down within this of an edge is an edge swipe. Between Wayfire's 10 px and niri's 30.
    public var edgeWidth = 20.0

    public init() {}

    /// The touch slop of a panel that tells its size, mm: a finger's breadth of play, whatever the panel's density.
    public static let touchSlopMillimetres = 3.0

    /// Where no output tells its size, 1 mm is taken for so many logical px: the touch slop's 3 mm are its 18 px then.
    public static let usualDensity = 6.0

    /// With these 3 mm are 8 to 60 px, the bounds of the slops that toolkits use. A size that makes for another density is a
    /// wrong one, as those of projectors and virtual outputs are.
    private static let densities = 8.0 / 3...20.0

    /// Logical px on an output with so many logical px to a mm; nil where none tells its size.
    public static func pixels(millimetres: Double, pixelsPerMillimetre: Double?) -> Double {
        guard let density = pixelsPerMillimetre, density.isFinite, density > 0 else {
            return millimetres * usualDensity
        }
        return millimetres * min(max(density, densities.lowerBound), densities.upperBound)
    }

    /// The same on what is shown so many times as large: a finger's way there is as much longer.
    public func scaled(by factor: Double) -> GestureConfiguration {
        var scaled = self
        scaled.touchSlop *= factor
        scaled.doubleTapSlop *= factor
        scaled.joinDistance *= factor
        scaled.multiFingerSlop *= factor
        scaled.minimumFlingVelocity *= factor
        scaled.maximumFlingVelocity *= factor
        scaled.edgeWidth *= factor
        return scaled
    }

    /// ``touchSlop`` and ``multiFingerSlop`` for an output of this density.
    public mutating func setTouchSlop(pixelsPerMillimetre: Double?) {
        touchSlop = Self.pixels(
            millimetres: Self.touchSlopMillimetres, pixelsPerMillimetre: pixelsPerMillimetre)
        multiFingerSlop = 2 * touchSlop
    }
}
