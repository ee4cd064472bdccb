/// The angle of the vector (x, y) in radians, from x's axis towards y's, -π...π; 0 for the zero vector.
///
/// Out of square roots alone, since this module imports nothing: the tangent of the half angle is known, and halving goes
/// on until it is below 0.1, where seven terms of the series are as right as a Double can be.
package func angle(x: Double, y: Double) -> Double {
    let length = (x * x + y * y).squareRoot()
    guard length > 0, length.isFinite else { return 0 }
    guard x > -length else { return .pi }
    var tangent = x >= 0 ? y / (length + x) : (length - x) / y
    guard tangent.isFinite else { return .pi }
    var factor = 2.0
    while tangent.magnitude > 0.1 {
        tangent /= 1 + (1 + tangent * tangent).squareRoot()
        factor *= 2
    }
    let t = tangent * tangent
    let series = 1 - t * (1 / 3 - t * (1 / 5 - t * (1 / 7 - t * (1 / 9 - t * (1 / 11 - t / 13)))))
    return factor * tangent * series
}
