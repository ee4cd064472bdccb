package import Gestures

extension Point {
    /// One px from the origin, `degrees` clockwise on the screen from the x axis. NaN for what is no angle.
    ///
    /// Out of the four operations alone, since this module imports nothing: within 45 degrees of an axis eight terms of the
    /// series are as right as a Double can be.
    package static func direction(degrees: Double) -> Point {
        let quarters = (degrees / 90).rounded()
        let t = (degrees - quarters * 90) * (Double.pi / 180)
        guard t.isFinite, quarters.magnitude < 1e15 else { return Point(x: .nan, y: .nan) }
        let square = t * t
        var cosine = 1.0
        var sine = t
        var cosineTerm = 1.0
        var sineTerm = t
        var n = 1.0
        while n < 17 {
            cosineTerm *= -square / (n * (n + 1))
            sineTerm *= -square / ((n + 1) * (n + 2))
            cosine += cosineTerm
            sine += sineTerm
            n += 2
        }
        switch Int(quarters) & 3 {
        case 0: return Point(x: cosine, y: sine)
        case 1: return Point(x: -sine, y: cosine)
        case 2: return Point(x: -cosine, y: -sine)
        default: return Point(x: sine, y: -cosine)
        }
    }
}
