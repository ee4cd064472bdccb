/// One event of the kernel's input layer, as `struct input_event` has it.
package struct EvdevEvent: Equatable, Sendable {
    /// μs, of unknown beginning.
    package var time: Int64
    package var type: UInt16
    package var code: UInt16
    package var value: Int32

    package init(time: Int64, type: UInt16, code: UInt16, value: Int32) {
        self.time = time
        self.type = type
        self.code = code
        self.value = value
    }
}

/// A kind of event, by its two numbers of linux/input-event-codes.h. Those that tell of touches have names.
package struct EvdevCode: Hashable, Sendable, Comparable {
    package var type: UInt16
    package var code: UInt16

    package init(_ type: UInt16, _ code: UInt16) {
        self.type = type
        self.code = code
    }

    package static func < (a: EvdevCode, b: EvdevCode) -> Bool { (a.type, a.code) < (b.type, b.code) }

    /// Types.
    package static let syn: UInt16 = 0
    package static let key: UInt16 = 1
    package static let abs: UInt16 = 3

    /// Codes of ``syn``.
    package static let report: UInt16 = 0
    package static let mtReport: UInt16 = 2
    package static let dropped: UInt16 = 3

    /// Codes of ``key``.
    package static let btnTouch: UInt16 = 0x14A

    /// Codes of ``abs``.
    package static let x: UInt16 = 0x00
    package static let y: UInt16 = 0x01
    package static let slot: UInt16 = 0x2F
    package static let touchMajor: UInt16 = 0x30
    package static let positionX: UInt16 = 0x35
    package static let positionY: UInt16 = 0x36
    package static let trackingID: UInt16 = 0x39
    package static let lastAbs: UInt16 = 0x3F

    /// Properties: INPUT_PROP_POINTER, INPUT_PROP_DIRECT.
    package static let pointer: UInt16 = 0
    package static let direct: UInt16 = 1
}

/// What a recording says of the device that it was made with.
package struct EvdevDevice: Equatable, Sendable {
    /// Of one absolute axis, in the device's own units.
    package struct Axis: Equatable, Sendable {
        package var code: UInt16
        package var minimum, maximum: Int32
        package var fuzz: Int32 = 0
        package var flat: Int32 = 0
        /// Units per mm; 0 when it is not known.
        package var resolution: Int32 = 0

        package init(
            _ code: UInt16, _ minimum: Int32, _ maximum: Int32, fuzz: Int32 = 0, flat: Int32 = 0, resolution: Int32 = 0
        ) {
            self.code = code
            self.minimum = minimum
            self.maximum = maximum
            self.fuzz = fuzz
            self.flat = flat
            self.resolution = resolution
        }

        /// Units that the axis has, both ends included; nil when it has no room.
        var span: Double? { maximum > minimum ? Double(maximum) - Double(minimum) + 1 : nil }

        /// mm; nil when it is not known, or no panel's.
        package var millimetres: Double? {
            guard resolution > 0, maximum > minimum else { return nil }
            let length = (Double(maximum) - Double(minimum)) / Double(resolution)
            return TouchLineDevice.sides.contains(length) ? length : nil
        }
    }

    /// More of a kind than the kernel has, and than a description may bring.
    static let mostCodes = 2048

    package var name = ""
    /// The kernel's name of the device's file, such as `event3`.
    package var node: String?
    package var bus: UInt16 = 0
    package var vendor: UInt16 = 0
    package var product: UInt16 = 0
    package var version: UInt16 = 0
    /// The recording has its touches as well as its events, as libinput made them.
    package var isBesideTouches = false
    /// INPUT_PROP_* that it has, ascending; nil when the recording says nothing of them.
    package var properties: [UInt16]?
    /// Ascending by their codes.
    package private(set) var axes: [Axis] = []
    /// What it can send, ascending; not the types and codes of EV_SYN, which every device has.
    package private(set) var codes: [EvdevCode] = []

    package init(name: String = "") { self.name = name }

    /// Of the device's file; nil where the recording tells none.
    package var path: String? { node.flatMap(EvdevDevice.path) }

    /// Nil for a name that is none of the kernel's.
    package static func path(ofNode node: String) -> String? {
        let prefix = "event"
        let digits = node.utf8.dropFirst(prefix.utf8.count)
        let isKernels = node.hasPrefix(prefix) && !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
        return isKernels ? "/dev/input/" + node : nil
    }

    /// Codes of EV_KEY.
    package var keys: [UInt16] { codes.filter { $0.type == EvdevCode.key }.map { $0.code } }

    package func axis(_ code: UInt16) -> Axis? { axes.first { $0.code == code } }

    package func has(_ type: UInt16, _ code: UInt16) -> Bool { codes.contains(EvdevCode(type, code)) }

    package mutating func add(_ axis: Axis) {
        guard axis.code <= EvdevCode.lastAbs else { return }
        let index = axes.firstIndex { $0.code >= axis.code } ?? axes.count
        if index < axes.count, axes[index].code == axis.code {
            axes[index] = axis
        } else {
            axes.insert(axis, at: index)
        }
        add(EvdevCode(EvdevCode.abs, axis.code))
    }

    package mutating func add(_ code: EvdevCode) {
        guard code.type != EvdevCode.syn, code.type < 0x20, code.code < 0x300, codes.count < EvdevDevice.mostCodes
        else {
            return
        }
        if let last = codes.last, last < code {
            codes.append(code)
            return
        }
        let index = codes.firstIndex { $0 >= code } ?? codes.count
        if index == codes.count || codes[index] != code { codes.insert(code, at: index) }
    }

    package mutating func add(property: UInt16) {
        guard property < 0x20 else { return }
        var all = properties ?? []
        if !all.contains(property) { all.append(property) }
        properties = all.sorted()
    }

    /// Contacts that it can tell at once; nil when it does not say.
    package var touchCount: Int32? {
        if let slots = axis(EvdevCode.slot), slots.maximum >= 0, slots.maximum < 1024 { return slots.maximum + 1 }
        return axis(EvdevCode.positionX) == nil && axis(EvdevCode.x) != nil ? 1 : nil
    }
}
