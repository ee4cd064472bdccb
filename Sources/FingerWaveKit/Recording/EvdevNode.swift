internal import CLibc
internal import CLinuxShims
internal import EventLoop
internal import Recording

/// A touchscreen's node, opened a second time beside libinput for the kernel's own events: for reading alone, never
/// grabbed.
///
/// The loop's handler refers to it unowned: ``close()``, which deinit calls, ends it.
final class EvdevNode {
    /// Bytes of the kernel's masks: of codes, with KEY_MAX at 0x2FF, and of types and properties.
    private static let codeBytes = 0x300 / 8
    private static let typeCount: UInt16 = 0x20
    /// Events of one read.
    private static let most = 64

    let device: EvdevDevice
    /// Events as they came, of which no key's are any.
    var onEvents: (([EvdevEvent]) -> Void)?
    private let loop: EventLoop
    private var descriptor: Int32
    private var watch: EventLoop.Token?
    private var state = EvdevState()
    private var hasLost = false

    /// nil when it cannot be opened or is no input device.
    ///
    /// - Parameters:
    ///   - path: such as `/dev/input/event3`.
    ///   - node: such as `event3`.
    init?(path: String, node: String, _ loop: EventLoop) {
        self.loop = loop
        descriptor = unsafe path.withCString { unsafe fw_open_for_reading($0) }
        guard descriptor >= 0 else { return nil }
        guard let device = EvdevNode.describe(descriptor, node) else {
            _ = CLibc.close(descriptor)
            return nil
        }
        self.device = device
        // An older kernel stamps by the wall clock; the recording says what it said.
        _ = fw_evdev_use_monotonic(descriptor)
        readState()
        // SAFETY: see the type's comment.
        watch = loop.watch(descriptor, .readable) { [unowned(unsafe) self] _ in unsafe self.read() }
    }

    deinit { close() }

    func close() {
        if let watch { loop.unwatch(watch) }
        watch = nil
        if descriptor >= 0 { _ = CLibc.close(descriptor) }
        descriptor = -1
    }

    /// What is down, for who has not seen it come down.
    ///
    /// - Parameter time: μs.
    func heldEvents(time: Int64) -> [EvdevEvent] { state.frame(time: time) }

    // MARK: Description

    private static func describe(_ descriptor: Int32, _ node: String) -> EvdevDevice? {
        var ids = [UInt16](repeating: 0, count: 4)
        guard unsafe fw_evdev_ids(descriptor, &ids) >= 0 else { return nil }
        var name = [CChar](repeating: 0, count: 256)
        unsafe _ = fw_evdev_name(descriptor, &name, name.count - 1)
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        var device = EvdevDevice(name: String(decoding: bytes, as: UTF8.self))
        device.node = node
        device.isBesideTouches = true
        (device.bus, device.vendor, device.product, device.version) = (ids[0], ids[1], ids[2], ids[3])
        var properties = [UInt8](repeating: 0, count: Int(typeCount) / 8)
        if unsafe fw_evdev_properties(descriptor, &properties, properties.count) >= 0 {
            device.properties = []
            for property in codes(in: properties) { device.add(property: property) }
        }
        var types = [UInt8](repeating: 0, count: Int(typeCount) / 8)
        guard unsafe fw_evdev_codes(descriptor, 0, &types, types.count) >= 0 else { return nil }
        for type in codes(in: types) where type != EvdevCode.syn {
            var bits = [UInt8](repeating: 0, count: codeBytes)
            guard unsafe fw_evdev_codes(descriptor, UInt32(type), &bits, bits.count) >= 0 else { continue }
            for code in codes(in: bits) {
                if type == EvdevCode.abs, let axis = axis(descriptor, code) {
                    device.add(axis)
                } else {
                    device.add(EvdevCode(type, code))
                }
            }
        }
        return device
    }

    private static func codes(in bits: [UInt8]) -> [UInt16] {
        var codes: [UInt16] = []
        for (index, byte) in bits.enumerated() where byte != 0 {
            for bit in 0..<8 where byte & 1 << bit != 0 { codes.append(UInt16(8 * index + bit)) }
        }
        return codes
    }

    private static func axis(_ descriptor: Int32, _ code: UInt16) -> EvdevDevice.Axis? {
        var values = [Int32](repeating: 0, count: 6)
        guard unsafe fw_evdev_axis(descriptor, UInt32(code), &values) >= 0 else { return nil }
        return EvdevDevice.Axis(
            code, values[1], values[2], fuzz: values[3], flat: values[4], resolution: values[5])
    }

    /// What is down now: a finger may have come before the program.
    private func readState() {
        state = EvdevState()
        guard let slots = device.axis(EvdevCode.slot), (0..<Int32(EvdevState.mostSlots)).contains(slots.maximum) else {
            return
        }
        let count = Int(slots.maximum) + 1
        for axis in device.axes where axis.code > EvdevCode.slot {
            var values = [Int32](repeating: 0, count: count + 1)
            values[0] = Int32(axis.code)
            guard unsafe fw_evdev_slots(descriptor, &values, count) >= 0 else { continue }
            for slot in 0..<count { state.setSlot(slot, axis.code, values[slot + 1]) }
        }
        for axis in device.axes where axis.code < EvdevCode.touchMajor {
            var values = [Int32](repeating: 0, count: 6)
            guard unsafe fw_evdev_axis(descriptor, UInt32(axis.code), &values) >= 0 else { continue }
            state.note(EvdevEvent(time: 0, type: EvdevCode.abs, code: axis.code, value: values[0]))
        }
        var keys = [UInt8](repeating: 0, count: EvdevNode.codeBytes)
        guard unsafe fw_evdev_keys(descriptor, &keys, keys.count) >= 0 else { return }
        for code in EvdevNode.codes(in: keys) {
            let event = EvdevEvent(time: 0, type: EvdevCode.key, code: code, value: 1)
            if EvdevNode.isOfTouch(event) { state.note(event) }
        }
    }

    // MARK: Events

    private func read() {
        var events = [fw_evdev_event](repeating: fw_evdev_event(), count: EvdevNode.most)
        let count = unsafe fw_evdev_read(descriptor, &events)
        guard count > 0 else {
            if count == 0 || fw_errno() != EAGAIN { close() }
            return
        }
        var taken: [EvdevEvent] = []
        for raw in events[..<Int(count)] {
            let event = EvdevEvent(time: raw.microseconds, type: raw.type, code: raw.code, value: raw.value)
            guard EvdevNode.isOfTouch(event) else { continue }
            taken.append(event)
            state.note(event)
            if event.type == EvdevCode.syn, event.code == EvdevCode.dropped { hasLost = true }
            if hasLost, event.type == EvdevCode.syn, event.code == EvdevCode.report {
                // What is down by now is asked for, as everybody has to behind SYN_DROPPED.
                hasLost = false
                readState()
                taken += state.frame(time: event.time)
            }
        }
        if !taken.isEmpty { onEvents?(taken) }
    }

    /// No key press is recorded: of EV_KEY the tools of a digitizer alone, BTN_TOUCH and its kin, and of EV_MSC
    /// no scan codes.
    static func isOfTouch(_ event: EvdevEvent) -> Bool {
        switch event.type {
        case EvdevCode.key: (0x140...0x14F).contains(event.code)
        case EvdevNode.miscellaneous: event.code != EvdevNode.scan
        default: true
        }
    }

    /// EV_MSC and its MSC_SCAN.
    private static let miscellaneous: UInt16 = 4
    private static let scan: UInt16 = 4
}
