internal import CLibc
internal import CLinuxShims
internal import CXKBCommon
internal import WaylandProtocols
internal import WaylandServer
public import WaylandServerProtocols

/// The keyboard of a seat. Modifiers follow from the keys and are sent by themselves, as compositors do.
public final class StageKeyboard {
    /// The surface that has the keys.
    public private(set) weak var focus: StageSurface?
    /// The keys that are down, as evdev codes, in the order they were pressed.
    public private(set) var pressed: [UInt32] = []
    /// What clients made of this seat's keyboard capability.
    public private(set) var objects: [WlKeyboardResource] = []
    /// The keymap's text, xkb_v1; nil when xkbcommon could not make one, for want of its data: none is sent then.
    public var keymap: String? { map.map { String(decoding: $0.text.dropLast(), as: UTF8.self) } }
    /// Repeats in a second and ms before the first (version 4).
    public var repeatInfo: (rate: Int32, delay: Int32) = (25, 600)

    private unowned let stage: Stage
    /// Compiled when the first keyboard asks: it costs more than all the rest of a stage.
    private lazy var map = Keymap(layout: "us", variant: "")
    private var inert: Set<ObjectIdentifier> = []
    private var modifiers = Modifiers()

    private struct Modifiers: Equatable {
        var depressed: UInt32 = 0
        var latched: UInt32 = 0
        var locked: UInt32 = 0
        var group: UInt32 = 0
    }

    init(stage: Stage) { self.stage = stage }

    /// Changes the layout (`de`, `us,ru`) and tells the clients. False when xkbcommon knows no such layout.
    @discardableResult
    public func setLayout(_ layout: String, variant: String = "") -> Bool {
        guard let made = Keymap(layout: layout, variant: variant) else { return false }
        map = made
        for object in objects where isLive(object) { sendKeymap(object) }
        return true
    }

    /// How many descriptors of this process refer to the keymap's file: the stage's own is one, and each more is one that a
    /// client in this process took and did not close.
    public var keymapDescriptorCount: Int { map.map { OpenDescriptors.count(sameFileAs: $0.descriptor) } ?? 0 }

    func add(_ object: WlKeyboardResource, inert isInert: Bool) {
        let key = ObjectIdentifier(object)
        objects.append(object)
        if isInert { inert.insert(key) }
        object.onDestroy = { [unowned self, unowned object] in
            objects.removeAll { $0 === object }
            inert.remove(key)
        }
        guard !isInert else { return }
        sendKeymap(object)
        object.sendRepeatInfo(rate: repeatInfo.rate, delay: repeatInfo.delay)
        if let focus, focus.resource.client === object.client { sendEnter(object, focus) }
    }

    func forgetFocus() {
        focus = nil
        pressed = []
        inert.formUnion(objects.map { ObjectIdentifier($0) })
    }

    func forget(_ surface: StageSurface) {
        if focus === surface { focus = nil }
    }

    private func isLive(_ object: WlKeyboardResource) -> Bool { !inert.contains(ObjectIdentifier(object)) }

    private var focused: [WlKeyboardResource] {
        objects.filter { isLive($0) && $0.client === focus?.resource.client }
    }

    private func sendKeymap(_ object: WlKeyboardResource) {
        guard let map else { return }
        object.sendKeymap(format: .xkbV1, fd: map.descriptor, size: UInt32(map.text.count))
    }

    /// Gives the keys to a surface; nil takes them away.
    public func enter(_ surface: StageSurface?) {
        guard surface !== focus else { return }
        if let focus {
            let serial = stage.nextSerial()
            for object in focused { object.sendLeave(serial: serial, surface: focus.resource) }
        }
        focus = surface
        guard let surface else { return }
        for object in focused { sendEnter(object, surface) }
    }

    private func sendEnter(_ object: WlKeyboardResource, _ surface: StageSurface) {
        object.sendEnter(serial: stage.nextSerial(), surface: surface.resource, keys: bytes(pressed))
        sendModifiers(object)
    }

    private func sendModifiers(_ object: WlKeyboardResource) {
        object.sendModifiers(
            serial: stage.nextSerial(), modsDepressed: modifiers.depressed, modsLatched: modifiers.latched,
            modsLocked: modifiers.locked, group: modifiers.group)
    }

    /// Presses or lifts a key (evdev code: 1 is Esc, 16 is Q).
    public func key(_ code: UInt32, pressed isPressed: Bool, time: UInt32? = nil) {
        pressed.removeAll { $0 == code }
        if isPressed { pressed.append(code) }
        let serial = stage.nextSerial()
        for object in focused {
            object.sendKey(
                serial: serial, time: time ?? stage.milliseconds, key: code, state: isPressed ? .pressed : .released)
        }
        guard let state = map?.update(code, isPressed) else { return }
        setModifiers(depressed: state.0, latched: state.1, locked: state.2, group: state.3)
    }

    /// Presses and lifts a key.
    public func tap(_ code: UInt32) {
        key(code, pressed: true)
        key(code, pressed: false)
    }

    /// Sends these modifiers, as xkb masks, when they differ from the last ones.
    public func setModifiers(depressed: UInt32, latched: UInt32, locked: UInt32, group: UInt32) {
        let new = Modifiers(depressed: depressed, latched: latched, locked: locked, group: group)
        guard new != modifiers else { return }
        modifiers = new
        for object in focused { sendModifiers(object) }
    }
}

/// A compiled keymap, in a file for clients and as a state for the modifiers.
@safe
private final class Keymap {
    /// With the closing zero.
    let text: [UInt8]
    let descriptor: Int32
    // SAFETY: xkbcommon's; made in init, released in deinit, used in between alone.
    private let state: OpaquePointer

    init?(layout: String, variant: String) {
        guard let context = unsafe xkb_context_new(XKB_CONTEXT_NO_FLAGS) else { return nil }
        defer { unsafe xkb_context_unref(context) }
        let keymap = unsafe layout.withCString { layout in
            unsafe variant.withCString { variant in
                unsafe "evdev".withCString { rules in
                    unsafe "pc105".withCString { model in
                        var names = unsafe xkb_rule_names(
                            rules: rules, model: model, layout: layout, variant: variant, options: nil)
                        return unsafe xkb_keymap_new_from_names(context, &names, XKB_KEYMAP_COMPILE_NO_FLAGS)
                    }
                }
            }
        }
        guard let keymap = unsafe keymap else { return nil }
        defer { unsafe xkb_keymap_unref(keymap) }
        guard let written = unsafe xkb_keymap_get_as_string(keymap, XKB_KEYMAP_FORMAT_TEXT_V1) else { return nil }
        defer { unsafe free(written) }
        let file = unsafe fw_memfd("stage-keymap")
        guard file >= 0 else { return nil }
        guard let state = unsafe xkb_state_new(keymap) else {
            close(file)
            return nil
        }
        let length = unsafe strlen(written) + 1
        unsafe text = Array(UnsafeRawBufferPointer(start: written, count: length))
        descriptor = file
        unsafe self.state = state
        unsafe _ = write(file, written, length)
    }

    deinit {
        unsafe xkb_state_unref(state)
        close(descriptor)
    }

    /// Notes a key (xkb's codes are larger by 8), and returns the modifiers that follow.
    func update(_ code: UInt32, _ isPressed: Bool) -> (UInt32, UInt32, UInt32, UInt32) {
        unsafe _ = xkb_state_update_key(state, code + 8, isPressed ? XKB_KEY_DOWN : XKB_KEY_UP)
        return (
            unsafe xkb_state_serialize_mods(state, XKB_STATE_MODS_DEPRESSED),
            unsafe xkb_state_serialize_mods(state, XKB_STATE_MODS_LATCHED),
            unsafe xkb_state_serialize_mods(state, XKB_STATE_MODS_LOCKED),
            unsafe xkb_state_serialize_layout(state, XKB_STATE_LAYOUT_EFFECTIVE)
        )
    }
}
