internal import Recording

/// What a touchscreen's events have added up to: a file that begins in the middle of a touch is read by it alone.
struct EvdevState {
    /// Slots that are followed; no panel is known to have more than 32.
    static let mostSlots = 256

    /// The value of each axis in each slot that was named.
    private(set) var slots: [[(code: UInt16, value: Int32)]] = []
    /// Of axes without slots.
    private var axes: [(code: UInt16, value: Int32)] = []
    private var keys: [UInt16] = []
    private var current = 0

    private static func isOfSlot(_ code: UInt16) -> Bool { code > EvdevCode.slot && code <= EvdevCode.lastAbs }

    private static func set(_ list: inout [(code: UInt16, value: Int32)], _ code: UInt16, _ value: Int32) {
        if let index = list.firstIndex(where: { $0.code == code }) {
            list[index].value = value
        } else {
            list.append((code, value))
        }
    }

    mutating func setSlot(_ slot: Int, _ code: UInt16, _ value: Int32) {
        guard (0..<EvdevState.mostSlots).contains(slot) else { return }
        while slots.count <= slot { slots.append([]) }
        EvdevState.set(&slots[slot], code, value)
    }

    mutating func note(_ event: EvdevEvent) {
        switch event.type {
        case EvdevCode.abs where event.code == EvdevCode.slot: current = Int(event.value)
        case EvdevCode.abs where EvdevState.isOfSlot(event.code): setSlot(current, event.code, event.value)
        case EvdevCode.abs: EvdevState.set(&axes, event.code, event.value)
        case EvdevCode.key:
            keys.removeAll { $0 == event.code }
            if event.value != 0 { keys.append(event.code) }
        default: break
        }
    }

    private func isDown(_ slot: Int) -> Bool {
        slots[slot].contains { $0.code == EvdevCode.trackingID && $0.value >= 0 }
    }

    /// One frame that says what is down again; nothing when nothing is.
    func frame(time: Int64) -> [EvdevEvent] {
        let down = slots.indices.filter { isDown($0) }
        guard !down.isEmpty || !keys.isEmpty else { return [] }
        var events: [EvdevEvent] = []
        func add(_ type: UInt16, _ code: UInt16, _ value: Int32) {
            events.append(EvdevEvent(time: time, type: type, code: code, value: value))
        }
        for slot in down {
            add(EvdevCode.abs, EvdevCode.slot, Int32(slot))
            // The id first: without it the slot has no contact to have a place.
            for value in slots[slot] where value.code == EvdevCode.trackingID {
                add(EvdevCode.abs, value.code, value.value)
            }
            for value in slots[slot] where value.code != EvdevCode.trackingID {
                add(EvdevCode.abs, value.code, value.value)
            }
        }
        if !down.isEmpty, down.last != current { add(EvdevCode.abs, EvdevCode.slot, Int32(current)) }
        for key in keys { add(EvdevCode.key, key, 1) }
        for axis in axes { add(EvdevCode.abs, axis.code, axis.value) }
        add(EvdevCode.syn, EvdevCode.report, 0)
        return events
    }
}
