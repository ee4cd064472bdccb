internal import CXKBCommon

/// A symbol on a key, as X and xkbcommon number them.
package struct Keysym: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// No symbol: the key means nothing in this layout.
    package static let none = Keysym(rawValue: UInt32(XKB_KEY_NoSymbol))
    package static let escape = Keysym(rawValue: UInt32(XKB_KEY_Escape))
    package static let f11 = Keysym(rawValue: UInt32(XKB_KEY_F11))
    package static let space = Keysym(rawValue: UInt32(XKB_KEY_space))
    package static let c = Keysym(rawValue: UInt32(XKB_KEY_c))
    package static let f = Keysym(rawValue: UInt32(XKB_KEY_f))
    package static let h = Keysym(rawValue: UInt32(XKB_KEY_h))
    package static let i = Keysym(rawValue: UInt32(XKB_KEY_i))
    package static let q = Keysym(rawValue: UInt32(XKB_KEY_q))
    package static let r = Keysym(rawValue: UInt32(XKB_KEY_r))
    package static let home = Keysym(rawValue: UInt32(XKB_KEY_Home))
    package static let right = Keysym(rawValue: UInt32(XKB_KEY_Right))
    package static let period = Keysym(rawValue: UInt32(XKB_KEY_period))
    package static let plus = Keysym(rawValue: UInt32(XKB_KEY_plus))
    package static let equal = Keysym(rawValue: UInt32(XKB_KEY_equal))
    package static let minus = Keysym(rawValue: UInt32(XKB_KEY_minus))
    package static let keypadAdd = Keysym(rawValue: UInt32(XKB_KEY_KP_Add))
    package static let keypadSubtract = Keysym(rawValue: UInt32(XKB_KEY_KP_Subtract))

    /// Latin letters, digits and signs, and keys that no layout changes, such as Escape and F11.
    var isOnEveryKeyboard: Bool { (0x20...0x7e).contains(rawValue) || (0xfd00...0xffff).contains(rawValue) }
}
