/// `value` with exactly `places` decimals (0 to 3), padded on the left to `width` characters, so that a figure that changes
/// does not move its neighbours. What is no number or beyond a billion reads `?`.
func figure(_ value: Double, places: Int = 1, width: Int = 0) -> String {
    guard value.magnitude < 1e9 else { return padded("?", width) }
    var unit: Int64 = 1
    for _ in 0..<places { unit *= 10 }
    let scaled = Int64((value.magnitude * Double(unit)).rounded())
    var text = value < 0 && scaled != 0 ? "-" : ""
    text += String(scaled / unit)
    if places > 0 {
        let tail = String(scaled % unit)
        text += "." + String(repeating: "0", count: places - tail.utf8.count) + tail
    }
    return padded(text, width)
}

func figure(_ value: Int, width: Int = 0) -> String { padded(String(value), width) }

private func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.utf8.count)) + text
}
