/// The angle of the vector (x, y) in radians, from x's axis towards y's, -π...π; 0 for the zero vector.
///
/// Out of square roots alone, since this module imports nothing: the tangent of the half angle is known, and four more
/// halvings leave one below 0.1, where seven terms of the series are as right as a Double can be.
func angle(x: Double, y: Double) -> Double {
    let length = (x * x + y * y).squareRoot()
    guard length > 0, length.isFinite else { return 0 }
    guard x > -length else { return .pi }
    var tangent = x >= 0 ? y / (length + x) : (length - x) / y
    guard tangent.isFinite else { return .pi }
    var factor = 2.0
    for _ in 0..<4 {
        tangent /= 1 + (1 + tangent * tangent).squareRoot()
        factor *= 2
    }
    let square = tangent * tangent
    var series = 0.0
    for odd in [13.0, 11, 9, 7, 5, 3, 1] { series = 1 / odd - square * series }
    return factor * tangent * series
}
