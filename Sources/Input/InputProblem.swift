/// Something that a compositor did wrong and that input goes on in spite of.
package enum InputProblem: Equatable, Sendable {
    /// The keymap could not be read or understood: keys work by their place, as on a US keyboard.
    case keymap(KeymapError)
    /// A keymap in a format that nobody has defined.
    case keymapFormat(UInt32)
}

/// Why a keymap is of no use.
package enum KeymapError: Error, Equatable, Sendable {
    case notMapped(errno: Int32)
    /// The file ends before the size that the compositor named, or it named one that no keymap has. Bytes.
    case badSize(named: UInt32, actual: Int64)
    /// xkbcommon refuses the text.
    case notUnderstood
}

extension InputProblem: CustomStringConvertible {
    /// What failed and why and what comes of it, in one line without a final stop.
    package var description: String {
        let remedy = "keys are taken by their place on a US keyboard"
        return switch self {
        case .keymapFormat(let format): "keymap: the compositor sent format \(format), which is unknown; \(remedy)"
        case .keymap(.notMapped(let errno)):
            "keymap: the compositor's file cannot be mapped (error \(errno)); \(remedy)"
        case .keymap(.badSize(let named, let actual)):
            "keymap: the compositor named \(named) bytes of a file of \(actual); \(remedy)"
        case .keymap(.notUnderstood): "keymap: xkbcommon does not understand what the compositor sent; \(remedy)"
        }
    }
}
