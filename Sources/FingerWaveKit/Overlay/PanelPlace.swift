package import Gestures

/// Where a touch on a panel's glass is on the output that it lies on.
package enum PanelPlace {
    /// Logical px from the output's upper left, for a place in fractions of the panel as it was built: before the output's
    /// transform, which turns the picture on it.
    ///
    /// wl_output.transform says how the picture is turned to be upright on a panel that is not: 90 is a quarter
    /// counter-clockwise, and the flipped ones are mirrored at a vertical axis first.
    package static func onOutput(_ fraction: Point, transform: Int32, size: Size) -> Point {
        let (u, v) = (fraction.x, fraction.y)
        let upright: (x: Double, y: Double) =
            switch transform {
            case 1: (1 - v, u)
            case 2: (1 - u, 1 - v)
            case 3: (v, 1 - u)
            case 4: (1 - u, v)
            case 5: (v, u)
            case 6: (u, 1 - v)
            case 7: (1 - v, 1 - u)
            default: (u, v)
            }
        return Point(x: upright.x * size.width, y: upright.y * size.height)
    }

    /// Whether a contact may begin there: on the output, its edges included.
    package static func isWithin(_ place: Point, _ size: Size) -> Bool {
        place.x >= 0 && place.y >= 0 && place.x <= size.width && place.y <= size.height
    }
}
