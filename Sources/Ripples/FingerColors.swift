/// Colours that people with any kind of colour blindness tell apart: Okabe and Ito's eight without the black, which is the
/// outlines', and in an order in which neighbours differ in lightness too.
public enum FingerColors {
    public static let all: [Color] = [
        Color(red: 230, green: 159, blue: 0),
        Color(red: 0, green: 114, blue: 178),
        Color(red: 240, green: 228, blue: 66),
        Color(red: 213, green: 94, blue: 0),
        Color(red: 86, green: 180, blue: 233),
        Color(red: 0, green: 158, blue: 115),
        Color(red: 204, green: 121, blue: 167),
    ]

    /// Of the finger with this number, from 1. After the last colour the first comes again; the dots go on counting.
    public static func color(of finger: Int) -> Color { all[max(0, finger - 1) % all.count] }
}
