internal import CLibc
internal import CXKBCommon

/// The text of a compositor's keymap, mapped but not yet read.
@safe
final class KeymapText {
    // SAFETY: a private mapping of `length` bytes, unmapped in deinit alone.
    private let memory: UnsafeMutableRawPointer
    private let length: Int

    /// No keymap is larger; the largest of xkeyboard-config have about 80 KiB.
    private static let longest: UInt32 = 16 << 20

    /// Maps `size` bytes of `descriptor`, and closes it.
    init(descriptor: Int32, size: UInt32) throws(KeymapError) {
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .notMapped(errno: fw_errno()) }
        // Reading a mapping past the end of its file would end the process.
        guard size > 0, size <= KeymapText.longest, Int64(status.st_size) >= Int64(size) else {
            throw .badSize(named: size, actual: Int64(status.st_size))
        }
        // wl_keyboard asks for a private mapping from version 7 on; it serves every version.
        // MAP_FAILED is -1 as a pointer; Swift cannot import the macro.
        guard let memory = unsafe mmap(nil, Int(size), PROT_READ, MAP_PRIVATE, descriptor, 0),
            Int(bitPattern: memory) != -1
        else { throw .notMapped(errno: fw_errno()) }
        unsafe self.memory = memory
        length = Int(size)
    }

    deinit { unsafe _ = munmap(memory, length) }

    /// What xkbcommon makes of it.
    func compile() throws(KeymapError) -> Keymap {
        try unsafe Keymap(text: UnsafeBufferPointer(start: memory.assumingMemoryBound(to: CChar.self), count: length))
    }
}

/// A keymap and the state of the keyboard in it.
@safe
final class Keymap {
    // SAFETY: both are references of ours, given back in deinit alone; a state keeps its keymap and that its context.
    private let keymap: OpaquePointer
    private let state: OpaquePointer

    /// `text` may end at its first NUL.
    init(text: UnsafeBufferPointer<CChar>) throws(KeymapError) {
        // The text is complete in itself: no folder of includes is searched, no variable read.
        let flags = XKB_CONTEXT_NO_DEFAULT_INCLUDES.rawValue | XKB_CONTEXT_NO_ENVIRONMENT_NAMES.rawValue
        guard let start = text.baseAddress, let context = unsafe xkb_context_new(xkb_context_flags(flags)) else {
            throw .notUnderstood
        }
        defer { unsafe xkb_context_unref(context) }
        // What is wrong with the text is reported once, by whoever asked for the keymap.
        unsafe xkb_context_set_log_level(context, XKB_LOG_LEVEL_CRITICAL)
        guard
            let keymap = unsafe xkb_keymap_new_from_buffer(
                context, start, strnlen(start, text.count), XKB_KEYMAP_FORMAT_TEXT_V1, XKB_KEYMAP_COMPILE_NO_FLAGS)
        else { throw .notUnderstood }
        guard let state = unsafe xkb_state_new(keymap) else {
            unsafe xkb_keymap_unref(keymap)
            throw .notUnderstood
        }
        unsafe self.keymap = keymap
        unsafe self.state = state
    }

    deinit {
        unsafe xkb_state_unref(state)
        unsafe xkb_keymap_unref(keymap)
    }

    func update(_ masks: ModifierMasks) {
        unsafe _ = xkb_state_update_mask(
            state, masks.depressed, masks.latched, masks.locked, 0, 0, masks.group)
    }

    /// The press of the key with evdev's code `key`.
    func press(_ key: UInt32) -> KeyPress {
        // xkb's key codes are evdev's and the 8 that X kept for itself.
        let code = key &+ 8
        return KeyPress(
            key: key, keysym: unsafe Keysym(rawValue: xkb_state_key_get_one_sym(state, code)),
            command: command(code), text: text(code), modifiers: modifiers)
    }

    private func command(_ code: UInt32) -> Keysym {
        let own = symbol(code, layout: unsafe xkb_state_key_get_layout(state, code))
        if own.isOnEveryKeyboard { return own }
        for layout in 0..<(unsafe xkb_keymap_num_layouts_for_key(keymap, code)) {
            let other = symbol(code, layout: layout)
            if other.isOnEveryKeyboard { return other }
        }
        return own
    }

    /// What `code` gives in `layout` without any modifier.
    private func symbol(_ code: UInt32, layout: UInt32) -> Keysym {
        var symbols: UnsafePointer<UInt32>?
        // SAFETY: the array is the keymap's.
        guard unsafe xkb_keymap_key_get_syms_by_level(keymap, code, layout, 0, &symbols) == 1,
            let first = unsafe symbols
        else { return .none }
        return unsafe Keysym(rawValue: first.pointee)
    }

    private func text(_ code: UInt32) -> String {
        // Four bytes of UTF-8 for each of the few symbols that one key may give; what is longer is cut at a character.
        var bytes: [CChar] = .init(repeating: 0, count: 64)
        let length = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            unsafe xkb_state_key_get_utf8(state, code, buffer.baseAddress, buffer.count)
        }
        guard length > 0, Int(length) < bytes.count else { return "" }
        let letters = bytes[..<Int(length)].map { UInt8(bitPattern: $0) }
        // Escape, Return and letters with Control type control characters: nothing to show.
        guard letters[0] >= 0x20, letters[0] != 0x7f else { return "" }
        return String(decoding: letters, as: UTF8.self)
    }

    private var modifiers: KeyModifiers {
        var modifiers: KeyModifiers = []
        if isActive("Shift") { modifiers.insert(.shift) }
        if isActive("Control") { modifiers.insert(.control) }
        if isActive("Mod1") { modifiers.insert(.alt) }
        if isActive("Mod4") { modifiers.insert(.logo) }
        if isActive("Lock") { modifiers.insert(.capsLock) }
        return modifiers
    }

    /// xkbcommon's names of the real modifiers are X's.
    private func isActive(_ name: StaticString) -> Bool {
        // SAFETY: a StaticString with a pointer representation is NUL-terminated.
        let name = unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
        return unsafe xkb_state_mod_name_is_active(state, name, XKB_STATE_MODS_EFFECTIVE) > 0
    }
}
