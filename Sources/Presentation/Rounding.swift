// Without SSE 4.1 the library's rounding is a call.

@inline(__always)
func roundedDown(_ value: Double) -> Int {
    let whole = Int(value)
    return Double(whole) > value ? whole &- 1 : whole
}

@inline(__always)
func roundedUp(_ value: Double) -> Int {
    let whole = Int(value)
    return Double(whole) < value ? whole &+ 1 : whole
}
