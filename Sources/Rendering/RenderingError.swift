/// Why a picture cannot be made, in a library's or our own words.
package struct RenderingError: Error, Equatable, Sendable {
    package var reason: String

    package init(_ reason: String) { self.reason = reason }
}
