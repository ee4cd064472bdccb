import CLibc
import CLinuxShims
import CXKBCommon
import Testing

@testable import Input

/// Keymaps as a compositor sends them: text in a file.
enum TestKeymap {
    /// The keymap that xkbcommon compiles for a comma-separated list of layouts, with its closing NUL.
    static func text(layouts: String) -> [UInt8] {
        let context = xkb_context_new(XKB_CONTEXT_NO_ENVIRONMENT_NAMES)
        defer { xkb_context_unref(context) }
        let keymap = "evdev".withCString { rules in
            "pc105".withCString { model in
                layouts.withCString { layout in
                    var names = xkb_rule_names(
                        rules: rules, model: model, layout: layout, variant: nil, options: nil)
                    return xkb_keymap_new_from_names(context, &names, XKB_KEYMAP_COMPILE_NO_FLAGS)
                }
            }
        }
        defer { xkb_keymap_unref(keymap) }
        let text = xkb_keymap_get_as_string(keymap, XKB_KEYMAP_FORMAT_TEXT_V1)!
        defer { free(text) }
        return Array(String(cString: text).utf8) + [0]
    }

    /// A file of these bytes, which the taker closes.
    static func file(_ bytes: [UInt8]) -> Int32 {
        let descriptor = fw_memfd("keymap")
        #expect(write(descriptor, bytes, bytes.count) == bytes.count)
        return descriptor
    }
}

/// evdev codes by the letter on a US keyboard.
private enum Key {
    static let escape: UInt32 = 1
    static let q: UInt32 = 16
    static let y: UInt32 = 21
    static let `return`: UInt32 = 28
    static let f: UInt32 = 33
    static let h: UInt32 = 35
    static let semicolon: UInt32 = 39
    static let c: UInt32 = 46
    static let space: UInt32 = 57
    static let f11: UInt32 = 87
}

/// X's real modifiers, which wl_keyboard.modifiers carries.
private enum Mask {
    static let shift: UInt32 = 1
    static let lock: UInt32 = 2
    static let control: UInt32 = 4
    static let mod1: UInt32 = 8
    static let mod4: UInt32 = 64
}

struct KeyboardStateTests {
    private func keyboard(_ layouts: String) -> KeyboardState {
        var keyboard = KeyboardState()
        let text = TestKeymap.text(layouts: layouts)
        #expect(keyboard.setKeymap(format: 1, descriptor: TestKeymap.file(text), size: UInt32(text.count)) == nil)
        return keyboard
    }

    @Test("The keys that the window answers to have their symbols")
    func commands() {
        var keyboard = keyboard("us")
        let keys: [(UInt32, Keysym)] = [
            (Key.escape, .escape), (Key.q, .q), (Key.f, .f), (Key.f11, .f11), (Key.c, .c), (Key.space, .space),
            (Key.h, .h),
        ]
        for (key, symbol) in keys {
            #expect(keyboard.press(key).press.keysym == symbol)
            #expect(keyboard.press(key).press.command == symbol)
        }
    }

    @Test("Of two layouts the group in force decides: y and z change places, ö is not ;")
    func layouts() {
        var keyboard = keyboard("us,de")
        #expect(keyboard.press(Key.y).press.text == "y")
        #expect(keyboard.press(Key.semicolon).press.text == ";")
        keyboard.setModifiers(ModifierMasks(depressed: 0, latched: 0, locked: 0, group: 1))
        #expect(keyboard.press(Key.y).press.text == "z")
        #expect(keyboard.press(Key.semicolon).press.text == "ö")
        keyboard.setModifiers(ModifierMasks(depressed: Mask.shift, latched: 0, locked: 0, group: 1))
        #expect(keyboard.press(Key.semicolon).press.text == "Ö")
        keyboard.setModifiers(ModifierMasks(depressed: 0, latched: 0, locked: 0, group: 0))
        #expect(keyboard.press(Key.y).press.text == "y")
    }

    @Test("Modifiers are in force whether held, latched or locked, and let go")
    func modifiers() {
        var keyboard = keyboard("us")
        keyboard.setModifiers(ModifierMasks(depressed: Mask.shift | Mask.control, latched: 0, locked: 0, group: 0))
        #expect(keyboard.press(Key.q).press.modifiers == [.shift, .control])
        #expect(keyboard.press(Key.q).press.text == "", "a control character is no text")
        keyboard.setModifiers(ModifierMasks(depressed: 0, latched: Mask.mod1, locked: Mask.lock, group: 0))
        let press = keyboard.press(Key.q).press
        #expect(press.modifiers == [.alt, .capsLock])
        #expect(press.keysym == Keysym(rawValue: UInt32(XKB_KEY_Q)))
        #expect(press.text == "Q")
        #expect(press.command == .q, "Caps Lock must not keep q from quitting")
        keyboard.setModifiers(ModifierMasks(depressed: Mask.mod4, latched: 0, locked: 0, group: 0))
        #expect(keyboard.press(Key.q).press.modifiers == .logo)
        keyboard.setModifiers(ModifierMasks(depressed: 0, latched: 0, locked: 0, group: 0))
        #expect(keyboard.press(Key.q).press.modifiers == [])
        #expect(keyboard.press(Key.q).press.keysym == .q)
    }

    @Test("In a layout without Latin letters commands go by the next one that has them")
    func commandsInAnotherScript() {
        var keyboard = keyboard("ru,us")
        let press = keyboard.press(Key.q).press
        #expect(press.text == "й")
        #expect(press.keysym == Keysym(rawValue: UInt32(XKB_KEY_Cyrillic_shorti)))
        #expect(press.command == .q)
        #expect(keyboard.press(Key.escape).press.command == .escape)
    }

    @Test("Modifiers and layout that came before the first press hold at it; those of an earlier keymap do not")
    func modifiersBeforeTheFirstPress() {
        var keyboard = keyboard("us,de")
        keyboard.setModifiers(ModifierMasks(depressed: Mask.shift, group: 1))
        #expect(keyboard.press(Key.y).press.text == "Z")
        let text = TestKeymap.text(layouts: "us,de")
        #expect(keyboard.setKeymap(format: 1, descriptor: TestKeymap.file(text), size: UInt32(text.count)) == nil)
        #expect(keyboard.press(Key.y).press.text == "y")
    }

    @Test("Keys that type control characters have no text")
    func controlCharacters() {
        var keyboard = keyboard("us")
        for key in [Key.escape, Key.return, 14, 15, 111] { #expect(keyboard.press(key).press.text == "") }
        #expect(keyboard.press(Key.space).press.text == " ")
    }

    @Test("A key that the keymap has not means nothing")
    func unknownKey() {
        var keyboard = keyboard("us")
        for key in [0, 900, 1 << 20, UInt32.max] {
            #expect(keyboard.press(key).press.text == "")
            #expect(keyboard.press(key).press.command == .none)
        }
    }

    @Test("Without a keymap the window's keys work by their place, and nothing is reported")
    func noKeymap() {
        var keyboard = keyboard("de")
        #expect(keyboard.setKeymap(format: 0, descriptor: TestKeymap.file([]), size: 0) == nil)
        #expect(keyboard.press(Key.q).press.command == .q)
        #expect(keyboard.press(Key.escape).press.keysym == .escape)
        #expect(keyboard.press(Key.y).press.keysym == .none)
        keyboard.setModifiers(ModifierMasks(depressed: 1, latched: 0, locked: 0, group: 3))
        #expect(keyboard.press(Key.q).press.modifiers == [])
    }

    @Test("A keymap that is no keymap is reported once and leaves the keyboard usable")
    func badKeymap() {
        var keyboard = keyboard("us")
        let text = Array("xkb_keymap { this is not one\0".utf8)
        #expect(
            keyboard.setKeymap(format: 1, descriptor: TestKeymap.file(text), size: UInt32(text.count)) == nil)
        let (press, problem) = keyboard.press(Key.q)
        #expect(problem == .keymap(.notUnderstood))
        #expect(press.command == .q)
        #expect(keyboard.press(Key.q).problem == nil)
    }

    @Test("A keymap of a size that its file has not is refused, not read past its end")
    func badSize() {
        var keyboard = KeyboardState()
        let text = TestKeymap.text(layouts: "us")
        let named = UInt32(text.count + 100_000)
        #expect(
            keyboard.setKeymap(format: 1, descriptor: TestKeymap.file(text), size: named)
                == .keymap(.badSize(named: named, actual: Int64(text.count))))
        #expect(
            keyboard.setKeymap(format: 1, descriptor: TestKeymap.file([]), size: 0)
                == .keymap(.badSize(named: 0, actual: 0)))
        #expect(
            keyboard.setKeymap(format: 1, descriptor: TestKeymap.file([1]), size: .max)
                == .keymap(.badSize(named: .max, actual: 1)))
    }

    @Test("A descriptor that cannot be mapped is reported")
    func notMapped() {
        var keyboard = KeyboardState()
        var pair: [Int32] = [-1, -1]
        #expect(pipe(&pair) == 0)
        _ = write(pair[1], "x", 1)
        let problem = keyboard.setKeymap(format: 1, descriptor: pair[0], size: 1)
        #expect(problem != nil)
        close(pair[1])
    }

    @Test("A format that nobody defined is reported")
    func unknownFormat() {
        var keyboard = KeyboardState()
        #expect(
            keyboard.setKeymap(format: 7, descriptor: TestKeymap.file([0]), size: 1) == .keymapFormat(7))
    }

    @Test("A keymap without its closing zero is read to its named size and no further")
    func unterminated() {
        var keyboard = KeyboardState()
        let text = TestKeymap.text(layouts: "us").dropLast()
        let file = TestKeymap.file(Array(text) + Array("garbage".utf8))
        #expect(keyboard.setKeymap(format: 1, descriptor: file, size: UInt32(text.count)) == nil)
        #expect(keyboard.press(Key.q).press.text == "q")
    }

    @Test("Every descriptor is closed, whatever came with it")
    func descriptorsAreClosed() {
        var keyboard = KeyboardState()
        let text = TestKeymap.text(layouts: "us")
        let cases: [(format: UInt32, bytes: [UInt8], size: UInt32)] = [
            (1, text, UInt32(text.count)), (1, text, .max), (1, [1, 2, 3], 3), (0, [], 0), (9, [0], 1),
        ]
        for each in cases {
            let descriptor = TestKeymap.file(each.bytes)
            let file = inode(descriptor)
            #expect(file != nil)
            _ = keyboard.setKeymap(format: each.format, descriptor: descriptor, size: each.size)
            // Another test may have got the number meanwhile, but not the file.
            #expect(inode(descriptor) != file, "format \(each.format), size \(each.size)")
        }
    }

    private func inode(_ descriptor: Int32) -> UInt? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? UInt(status.st_ino) : nil
    }
}
