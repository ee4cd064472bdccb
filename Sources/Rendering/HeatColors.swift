package import Pixman

/// The colours of warmth: the warmer the lighter, through hues that people with any kind of colour blindness tell apart.
package enum HeatColors {
    /// Straight, at even steps. The first is seen through.
    private static let stops: [(red: Double, green: Double, blue: Double, alpha: Double)] = [
        (40, 16, 90, 0), (74, 22, 128, 190), (132, 32, 134, 230), (190, 50, 112, 240), (232, 92, 74, 245),
        (250, 150, 52, 250), (252, 206, 92, 255), (254, 252, 190, 255),
    ]

    /// One for each 1/255 of warmth.
    package static let all: [PremultipliedColor] = (0...255).map { index in
        let place = Double(index) / 255 * Double(stops.count - 1)
        let lower = min(stops.count - 2, Int(place))
        let share = place - Double(lower)
        func channel(_ a: Double, _ b: Double) -> UInt8 { UInt8((a + (b - a) * share).rounded()) }
        let (from, to) = (stops[lower], stops[lower + 1])
        return PremultipliedColor(
            straightRed: channel(from.red, to.red), green: channel(from.green, to.green),
            blue: channel(from.blue, to.blue), alpha: channel(from.alpha, to.alpha))
    }
}
