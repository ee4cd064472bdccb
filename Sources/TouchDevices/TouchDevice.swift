package import Gestures

/// One touchscreen as libinput and udev describe it.
package struct TouchDevice: Equatable, Sendable {
    /// Given by the reader, never twice; 0 while nobody reads it.
    package var number: Int32
    /// The kernel's, such as `Goodix Capacitive TouchScreen`.
    package var name: String
    /// Such as `event3`.
    package var sysname: String
    /// Such as `/dev/input/event3`.
    package var path: String
    package var vendor: UInt32
    package var product: UInt32
    /// The physical seat that udev gives it to, `seat0` unless somebody decided otherwise.
    package var seat: String
    /// nil when unknown.
    package var millimetres: Size?
    /// The output that the udev property WL_OUTPUT names.
    package var outputName: String?
    /// The first two rows of the calibration matrix in force, for places in fractions of the panel; nil when it turns none.
    package var calibration: [Double]?
    /// Contacts that it can tell at once; nil when unknown.
    package var touchCount: Int32?

    package init(
        number: Int32, name: String, sysname: String, path: String, vendor: UInt32 = 0, product: UInt32 = 0,
        seat: String = "seat0", millimetres: Size? = nil, outputName: String? = nil, calibration: [Double]? = nil,
        touchCount: Int32? = nil
    ) {
        self.number = number
        self.name = name
        self.sysname = sysname
        self.path = path
        self.vendor = vendor
        self.product = product
        self.seat = seat
        self.millimetres = millimetres
        self.outputName = outputName
        self.calibration = calibration
        self.touchCount = touchCount
    }
}

/// A touch event before it has a place on any output.
package struct DeviceTouch: Equatable, Sendable {
    /// `id` is libinput's seat slot: no two contacts of a seat that are down have the same, on whatever device.
    /// `microseconds` are CLOCK_MONOTONIC's, from the kernel. `place` is in fractions of the panel, x to the right and y
    /// down as its axes stand after calibration; it may lie outside 0...1.
    package enum Kind: Equatable, Sendable {
        case down(id: Int32, microseconds: UInt64, place: Point)
        case motion(id: Int32, microseconds: UInt64, place: Point)
        case up(id: Int32, microseconds: UInt64)
        /// This contact ended without an up.
        case cancel(id: Int32, microseconds: UInt64)
        /// What came since the last one belongs together.
        case frame
    }

    package var kind: Kind
    package var arrival: Instant

    package init(_ kind: Kind, arrival: Instant) {
        self.kind = kind
        self.arrival = arrival
    }
}

package enum DeviceEvent: Equatable, Sendable {
    case added(TouchDevice)
    /// After its contacts have been cancelled.
    case removed(TouchDevice)
    case touch(device: Int32, DeviceTouch)
    case problem(DeviceProblem)
}

/// A touchscreen that udev knows, whether or not it can be read.
package struct ListedDevice: Equatable, Sendable {
    package var device: TouchDevice
    /// Why it cannot be read; nil when it can.
    package var problem: DeviceProblem?

    package init(_ device: TouchDevice, problem: DeviceProblem? = nil) {
        self.device = device
        self.problem = problem
    }
}
