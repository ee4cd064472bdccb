/// How names of the wire become names in Swift. A rule of the name alone, so that one package can name what another
/// generated.
package enum SwiftName {
    /// `wl_surface` -> `WlSurface`. A name that generated code needs for something else gets the suffix `Object`.
    package static func type(_ name: String) -> String {
        let result = upperCamel(name)
        return reservedTypes.contains(result) ? result + "Object" : result
    }

    /// The server's class for an interface: `wl_surface` -> `WlSurfaceResource`.
    package static func resource(_ name: String) -> String { upperCamel(name) + "Resource" }

    /// An enum in its class: `buffer_type` -> `BufferType`. `Event`, `Type` and the like get the suffix `Value`.
    package static func enumeration(_ name: String) -> String {
        let result = upperCamel(name)
        return reservedTypes.contains(result) || nestedTypes.contains(result) ? result + "Value" : result
    }

    /// A request, event, argument or entry: `set_title` -> `setTitle`, `90` -> `_90`. Without backticks.
    package static func member(_ name: String) -> String { lowerCamel(name) }

    /// As ``member(_:)``, ready for source code.
    package static func escaped(_ name: String) -> String { escape(member(name)) }

    /// An argument's label in a call, where every keyword but one stands as it is.
    package static func label(_ name: String) -> String {
        let result = member(name)
        return result == "inout" ? "`inout`" : result
    }

    /// A request's method. One that the runtime's class has already gets the suffix `Request`.
    package static func method(_ name: String) -> String {
        let result = member(name)
        return inherited.contains(result) ? result + "Request" : escape(result)
    }

    /// For the end of a name, as in `sendEnter`.
    package static func capitalised(_ name: String) -> String { upperCamel(name) }

    package static func escape(_ swiftName: String) -> String {
        keywords.contains(swiftName) ? "`\(swiftName)`" : swiftName
    }

    /// The Swift file, and the prefix of the tables, of a protocol file: upper camel case of its base name.
    package static func file(_ baseName: String) -> String {
        let words = baseName.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                ? Character(scalar) : "_"
        }
        return upperCamel(String(words))
    }

    // MARK: Case

    private static func upperCamel(_ name: String) -> String {
        let result = joined(words(name).map(capitalised))
        return beginsWithDigit(result) || result.isEmpty ? "_" + result : result
    }

    private static func lowerCamel(_ name: String) -> String {
        let parts = words(name)
        guard let first = parts.first else { return "_" }
        // ARGB -> argb, but Depth -> depth.
        let start =
            first.contains(where: \.isLowercase)
            ? first.prefix(1).lowercased() + first.dropFirst() : first.lowercased()
        let result = joined([start] + parts.dropFirst().map(capitalised))
        return beginsWithDigit(result) ? "_" + result : result
    }

    private static func words(_ name: String) -> [Substring] { name.split(separator: "_") }

    private static func capitalised(_ word: Substring) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    /// Between two digits the underscore stays: `yuv420_8bit` is not `yuv4208bit`.
    private static func joined(_ words: [String]) -> String {
        words.reduce("") { result, word in
            result + (result.last?.isNumber == true && word.first?.isNumber == true ? "_" : "") + word
        }
    }

    private static func beginsWithDigit(_ name: String) -> Bool { name.first?.isNumber == true }

    // MARK: Taken names

    private static let nestedTypes: Set<String> = ["Event", "Request", "Since", "Type", "Protocol", "Self"]

    /// What generated code says unqualified.
    private static let reservedTypes: Set<String> = [
        "Any", "Bool", "Connection", "Double", "EventArguments", "Hashable", "Int32", "Interface", "InterfaceFacts",
        "InterfaceTable", "MessageFacts", "OptionSet", "Protocol", "Proxy", "ProxySeed", "RawRepresentable",
        "ReceivedDescriptor", "ReceivedFD", "RequestArgument", "RequestArguments", "Resource", "ResourceSeed", "Self",
        "Sendable", "ServerArgument", "ServerObject", "String", "Type", "UInt32", "UInt8", "WaylandObject", "WireArray",
    ]

    private static let inherited: Set<String> = [
        "connection", "discard", "dropHandler", "endUnheard", "interface", "isAlive", "objectID", "onEvent", "raw",
        "version",
    ]

    private static let keywords: Set<String> = [
        "Any", "Protocol", "Self", "Type", "as", "associatedtype", "await", "break", "case", "catch", "class",
        "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
        "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
        "open", "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
        "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var",
        "where", "while",
    ]
}
