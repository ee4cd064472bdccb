internal import CLibc

/// wl_keyboard.modifiers: bits as the keymap numbers them, and the layout in force.
struct ModifierMasks {
    var depressed: UInt32 = 0
    var latched: UInt32 = 0
    var locked: UInt32 = 0
    var group: UInt32 = 0
}

/// What wl_keyboard events say: which press is which symbol.
///
/// A keymap is compiled at the first press. That takes 3 ms and 170 KiB (xkbcommon 1.5, layouts us and de, x86-64), more
/// than the rest of the program's start, and on a panel no key may ever be pressed.
struct KeyboardState {
    /// wl_keyboard.keymap_format.
    static let noKeymap: UInt32 = 0
    static let xkbText: UInt32 = 1

    private enum Source {
        case none
        case text(KeymapText)
        case keymap(Keymap)
    }

    private var source = Source.none
    private var masks = ModifierMasks()

    /// wl_keyboard.keymap. Owns and closes `descriptor`. What goes wrong leaves the keyboard without a keymap.
    mutating func setKeymap(format: UInt32, descriptor: Int32, size: UInt32) -> InputProblem? {
        source = .none
        // The compositor sends the masks anew, as the new keymap numbers them.
        masks = ModifierMasks()
        guard format == KeyboardState.xkbText else {
            close(descriptor)
            return format == KeyboardState.noKeymap ? nil : .keymapFormat(format)
        }
        do {
            source = .text(try KeymapText(descriptor: descriptor, size: size))
            return nil
        } catch {
            return .keymap(error)
        }
    }

    mutating func setModifiers(_ masks: ModifierMasks) {
        self.masks = masks
        if case .keymap(let keymap) = source { keymap.update(masks) }
    }

    /// The press of the key with evdev's code `key`; with the first one, what is wrong with the keymap.
    mutating func press(_ key: UInt32) -> (press: KeyPress, problem: InputProblem?) {
        var problem: InputProblem?
        if case .text(let text) = source {
            do {
                let keymap = try text.compile()
                keymap.update(masks)
                source = .keymap(keymap)
            } catch {
                source = .none
                problem = .keymap(error)
            }
        }
        if case .keymap(let keymap) = source { return (keymap.press(key), problem) }
        let symbol = KeyboardState.symbolByPlace(key)
        return (KeyPress(key: key, keysym: symbol, command: symbol, text: "", modifiers: []), problem)
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
