/// An element with what it holds. Offsets are bytes of the file.
package struct XMLElement {
    package struct Attribute {
        package let name: String
        package let value: String
        package let offset: Int
        /// Of the value's first byte, after the quote.
        package let valueOffset: Int
    }

    package let name: String
    package let attributes: [Attribute]
    package let offset: Int
    package internal(set) var children: [XMLElement] = []
    /// The text between the tags, that of children left out.
    package internal(set) var text = ""

    package func attribute(_ name: String) -> Attribute? { attributes.first { $0.name == name } }
}

/// What a file may hold at most. Far above any real protocol; a hostile file ends here with an error.
package struct XMLLimits: Sendable {
    package var bytes = 8 << 20
    package var depth = 32
    package var elements = 100_000
    package var attributes = 64
    package var nameBytes = 256

    package init() {}
}
