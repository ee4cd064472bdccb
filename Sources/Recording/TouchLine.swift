package import Gestures

/// One line of the touch log or of `fingerwave events`, as the README's schema has it.
package struct TouchLine: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// A touchscreen came or went.
        case device(TouchLineDevice)
        case down, motion, up, frame
        /// Ends the contact of its id; without an id all of its device, or without a device all of its seat.
        case cancel
        /// The contact's ellipse: diameters in logical px.
        case shape(major: Double, minor: Double)
        /// Of the ellipse's major axis, in degrees.
        case orientation(degrees: Double)
        /// A pen's, or another tool's of a tablet.
        indirect case tool(ToolLine)
        /// The pointer's primary button, which stands in for a finger.
        case pointer(ContactFrame.Phase)
        /// A line that tells of no touch, by its type.
        case other(String)
    }

    /// Where a touch is.
    package enum Place: Hashable, Sendable {
        /// `x` and `y`: logical px of ``TouchLine/output``, or of the first output when the line names none.
        case output(Point)
        /// `u` and `v`: fractions of the panel, to the right and down.
        case panel(Point)
    }

    package var kind: Kind
    package var seat: String?
    /// The kernel's name of the touchscreen, such as `event3`.
    package var device: String?
    /// Where the touch is, or where the touchscreen says that it belongs.
    package var output: String?
    /// Of the contact.
    package var id: Int32?
    /// ms of unknown beginning, modulo 2^32.
    package var time: UInt32?
    /// Of every `down` and `motion`.
    package var place: Place?
    /// Logical px of the window, or of ``output``: of `ready` and `configure`.
    package var size: Size?
    /// Of the Wayland event; recordings alone have it.
    package var serial: UInt32?
    /// When it came to who recorded it: CLOCK_MONOTONIC's μs. Recordings alone have it.
    package var arrival: Int64?
    /// The number of the part of the window that a place is on, of which a line of ``surfaceType`` tells: logs of recordings
    /// that are played have it where the window shows several, or one that is larger or smaller there.
    package var surface: Int32?
    /// A `down` that says again what was down before: a recording's file began, or lines were lost.
    package var isResumed = false
    /// ``time`` is none that the line told: it follows from the arrival.
    var isTimeReckoned = false
    /// All that a line of ``Kind-swift.enum/other(_:)`` tells, as it was read.
    package internal(set) var fields: JSONFields?

    /// Of the lines; it rises when one is renamed or removed, never when one is added.
    package static let version = 1

    /// Of the lines that follow a header which this program does not know; nil where it does.
    package var newerVersion: Int? {
        guard kind == .other("header"), let told = fields?.field("version")?.whole(Int.self) else { return nil }
        return told > TouchLine.version ? told : nil
    }

    /// The type of lines that tell what a window shows where, of a recording that is played.
    package static let surfaceType = "surface"

    /// It begins a contact, or a pen comes near, which has its place before it comes down: something touches.
    package var beginsTouch: Bool {
        switch kind {
        case .down, .pointer(.began): true
        case .tool(let tool): tool.event == .motion
        default: false
        }
    }

    package init(
        _ kind: Kind, seat: String? = nil, device: String? = nil, output: String? = nil, id: Int32? = nil,
        time: UInt32? = nil, place: Place? = nil
    ) {
        self.kind = kind
        self.seat = seat
        self.device = device
        self.output = output
        self.id = id
        self.time = time
        self.place = place
    }
}

/// A touchscreen that came or went, as far as its line tells.
package struct TouchLineDevice: Equatable, Sendable {
    package enum Event: Equatable, Sendable {
        case added, removed
    }

    package var event: Event
    /// Given by who reads the touchscreen, never twice.
    package var number: Int32?
    package var name: String?
    /// Nil for what is no panel's size.
    package var millimetres: Size? {
        didSet { millimetres = millimetres.flatMap(TouchLineDevice.plausible) }
    }
    /// The first two rows of the matrix that turns places on the panel; nil when it turns none.
    package var calibration: [Double]?
    /// Contacts that it can tell at once.
    package var touchCount: Int32?

    package init(
        _ event: Event, number: Int32? = nil, name: String? = nil, millimetres: Size? = nil,
        calibration: [Double]? = nil, touchCount: Int32? = nil
    ) {
        self.event = event
        self.number = number
        self.name = name
        self.millimetres = millimetres.flatMap(TouchLineDevice.plausible)
        self.calibration = calibration
        self.touchCount = touchCount
    }
}

extension TouchLineDevice {
    /// Of a panel, mm. Walls of screens are some 10 m wide; our choice.
    static let sides = 1.0...100_000.0

    private static func plausible(_ size: Size) -> Size? {
        sides.contains(size.width) && sides.contains(size.height) ? size : nil
    }
}

extension TouchLine.Kind {
    /// The line's `type`.
    package var name: String {
        switch self {
        case .device: "device"
        case .down: "down"
        case .motion: "motion"
        case .up: "up"
        case .frame: "frame"
        case .cancel: "cancel"
        case .shape: "shape"
        case .orientation: "orientation"
        case .tool: "tool"
        case .pointer: "pointer"
        case .other(let name): name
        }
    }
}
