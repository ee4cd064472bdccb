/// Why a text is no JSON object, and where: RFC 8259.
package struct JSONProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// What stands there instead of what may, such as `a string without its end`.
    package var what: String
    /// Bytes before it, from 1.
    package var column: Int

    package init(_ what: String, column: Int) {
        self.what = what
        self.column = column
    }

    package var description: String { "\(what) in column \(column)" }
}
