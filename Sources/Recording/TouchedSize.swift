package import Gestures

/// How large the window or output is that a recording was made on when something first touches it, as its lines tell; of
/// several outputs the first one that has a size. Where it is told only later, that counts.
package struct TouchedSize {
    /// Logical px.
    package private(set) var size: Size?
    private var output: String?
    package private(set) var isTouched = false

    package init() {}

    /// Whether the line tells how large it is from now on.
    @discardableResult
    package mutating func note(_ line: TouchLine) -> Bool {
        if line.beginsTouch { isTouched = true }
        guard let size = line.size, self.size == nil || output == line.output else { return false }
        if !isTouched || self.size == nil { (self.size, output) = (size, line.output) }
        return true
    }
}
