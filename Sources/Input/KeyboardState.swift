internal import CLibc

/// What wl_keyboard events say: which press is which symbol.
struct KeyboardState {
    /// wl_keyboard.keymap_format.
    static let noKeymap: UInt32 = 0
    static let xkbText: UInt32 = 1

    private var keymap: Keymap?

    /// wl_keyboard.keymap. Owns and closes `descriptor`. What goes wrong leaves the keyboard without a keymap.
    mutating func setKeymap(format: UInt32, descriptor: Int32, size: UInt32) -> InputProblem? {
        keymap = nil
        guard format == KeyboardState.xkbText else {
            close(descriptor)
            return format == KeyboardState.noKeymap ? nil : .keymapFormat(format)
        }
        do {
            keymap = try Keymap(descriptor: descriptor, size: size)
            return nil
        } catch {
            return .keymap(error)
        }
    }

    /// wl_keyboard.modifiers; without a keymap the masks mean nothing.
    func setModifiers(depressed: UInt32, latched: UInt32, locked: UInt32, group: UInt32) {
        keymap?.update(depressed: depressed, latched: latched, locked: locked, group: group)
    }

    /// The press of the key with evdev's code `key`.
    func press(_ key: UInt32) -> KeyPress {
        if let keymap { return keymap.press(key) }
        let symbol = KeyboardState.symbolByPlace(key)
        return KeyPress(key: key, keysym: symbol, command: symbol, text: "", modifiers: [])
    }

    /// Without a keymap only the place of a key is known. These are the keys that a window must answer to, at their
    /// places on a US keyboard (codes of Linux's input-event-codes.h): nobody may be caught in a full-screen window.
    private static func symbolByPlace(_ key: UInt32) -> Keysym {
        switch key {
        case 1: .escape
        case 16: .q
        case 33: .f
        case 35: .h
        case 46: .c
        case 57: .space
        case 87: .f11
        default: .none
        }
    }
}
