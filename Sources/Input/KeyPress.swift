/// Modifiers that are in force, however they came to be: held, latched or locked.
package struct KeyModifiers: OptionSet, Hashable, Sendable {
    package var rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let shift = KeyModifiers(rawValue: 1)
    package static let control = KeyModifiers(rawValue: 2)
    package static let alt = KeyModifiers(rawValue: 4)
    package static let logo = KeyModifiers(rawValue: 8)
    package static let capsLock = KeyModifiers(rawValue: 16)
}

/// A key that went down while one of our surfaces had the keyboard.
package struct KeyPress: Hashable, Sendable {
    /// evdev's code, which says where the key is.
    package var key: UInt32
    /// The symbol in the active layout, modifiers applied: `Q` with Shift or Caps Lock.
    package var keysym: Keysym
    /// What the key is called in commands: its symbol without modifiers, `q` for `Q`; where the active layout writes
    /// another script, that of the first layout that writes Latin.
    package var command: Keysym
    /// What the key types; empty for keys that type nothing printable.
    package var text: String
    package var modifiers: KeyModifiers
}
