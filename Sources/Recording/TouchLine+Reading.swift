internal import Gestures

/// Why a line tells nothing.
package enum TouchLineError: Error, Equatable, Sendable, CustomStringConvertible {
    case notJSON(JSONProblem)
    /// The line is an object without a `type`.
    case noType
    /// A field that lines of this type have is not there.
    case missing(String, type: String)
    /// A field has what it cannot have; `takes` says what it could.
    case bad(String, takes: String)

    package var description: String {
        switch self {
        case .notJSON(let problem): "no JSON object: \(problem.description)"
        case .noType: "the object has no \"type\""
        case .missing(let field, let type): "\"\(type)\" lacks \"\(field)\""
        case .bad(let field, let takes): "\"\(field)\" must be \(takes)"
        }
    }
}

extension TouchLine {
    /// Reads one line, with or without its end. Types that tell of no touch are ``Kind-swift.enum/other(_:)`` and fields that
    /// nobody knows are passed over, so that lines of later versions can be read.
    package init(_ line: String) throws(TouchLineError) { try self.init(utf8: Array(line.utf8)) }

    package init(utf8 bytes: [UInt8]) throws(TouchLineError) {
        let fields: JSONFields
        do throws(JSONProblem) { fields = try JSONFields(utf8: bytes) } catch { throw .notJSON(error) }
        try self.init(LineFields(fields: fields))
    }

    init(_ fields: LineFields) throws(TouchLineError) {
        guard let type = try fields.text("type") else { throw .noType }
        switch type {
        case "device": self.init(.device(try TouchLineDevice(fields)))
        case "down": self.init(.down)
        case "motion": self.init(.motion)
        case "up": self.init(.up)
        case "frame": self.init(.frame)
        case "cancel": self.init(.cancel)
        case "shape":
            self.init(
                .shape(
                    major: try fields.required("major", type, fields.number("major")),
                    minor: try fields.required("minor", type, fields.number("minor"))))
        case "orientation":
            self.init(
                .orientation(degrees: try fields.required("orientation", type, fields.number("orientation"))))
        case "tool":
            guard let tool = try ToolLine(fields) else {
                try self.init(other: type, fields)
                return
            }
            self.init(.tool(tool))
        case "pointer":
            let name = try fields.required("phase", type, fields.text("phase"))
            guard let phase = ContactFrame.Phase(name: name) else {
                try self.init(other: type, fields)
                return
            }
            self.init(.pointer(phase))
        default:
            try self.init(other: type, fields)
            return
        }
        seat = try fields.text("seat")
        device = try fields.text("device")
        output = try fields.text("output")
        id = try fields.whole("id", Int32.self)
        time = try fields.whole("time", UInt32.self)
        place = try fields.place
        surface = try fields.whole("surface", Int32.self)
        isResumed = try fields.flag("resumed")
        serial = try fields.whole("serial", UInt32.self)
        arrival = try fields.whole("arrival_us", Int64.self)
        switch kind {
        case .down, .motion:
            _ = try fields.required("id", type, id)
            if place == nil { throw .missing("x", type: type) }
        case .up, .shape, .orientation: _ = try fields.required("id", type, id)
        case .device: _ = try fields.required("device", type, device)
        case .tool(let tool): if tool.event == .motion, place == nil { throw .missing("x", type: type) }
        case .pointer: if place == nil { throw .missing("x", type: type) }
        case .frame, .cancel, .other: break
        }
    }

    /// A line whose fields have meanings of their own.
    private init(other type: String, _ fields: LineFields) throws(TouchLineError) {
        self.init(.other(type))
        self.fields = fields.fields
        switch type {
        case "ready", "configure":
            size = try fields.size
            output = try fields.text("output")
        case "gap": try fields.checkGap()
        case TouchLine.surfaceType: try fields.checkSurface()
        default: break
        }
    }
}

extension TouchLineDevice {
    fileprivate init(_ fields: LineFields) throws(TouchLineError) {
        switch try fields.required("event", "device", fields.text("event")) {
        case "added": event = .added
        case "removed": event = .removed
        default: throw .bad("event", takes: "\"added\" or \"removed\"")
        }
        number = try fields.whole("number", Int32.self)
        name = try fields.text("name")
        touchCount = try fields.whole("touches", Int32.self)
        if let touchCount, touchCount < 1 { throw .bad("touches", takes: "1 or more") }
        calibration = try fields.numbers("calibration", count: 6)
        if let numbers = try fields.numbers("millimetres", count: 2) {
            guard numbers.allSatisfy(TouchLineDevice.sides.contains) else {
                throw .bad("millimetres", takes: "a panel's: numbers from 1 to 100000")
            }
            millimetres = Size(width: numbers[0], height: numbers[1])
        }
    }
}

/// Fields by what they must be.
struct LineFields {
    let fields: JSONFields

    func required<Value>(_ key: String, _ type: String, _ value: Value?) throws(TouchLineError) -> Value {
        guard let value else { throw .missing(key, type: type) }
        return value
    }

    func text(_ key: String) throws(TouchLineError) -> String? {
        guard let field = fields.field(key) else { return nil }
        guard field.kind == .string else { throw .bad(key, takes: "a string") }
        return field.value
    }

    func number(_ key: String) throws(TouchLineError) -> Double? {
        guard let field = fields.field(key) else { return nil }
        // What is larger cannot be written again, and no place on any screen is that far away.
        guard let number = field.number, number.magnitude < 1e9 else { throw .bad(key, takes: "a number below 10^9") }
        return number
    }

    func flag(_ key: String) throws(TouchLineError) -> Bool {
        guard let field = fields.field(key) else { return false }
        guard field.kind == .word, field.value != "null" else { throw .bad(key, takes: "true or false") }
        return field.value == "true"
    }

    func whole<Number: FixedWidthInteger>(_ key: String, _: Number.Type) throws(TouchLineError) -> Number? {
        guard let field = fields.field(key) else { return nil }
        guard let number = field.whole(Number.self) else {
            throw .bad(key, takes: "a whole number from \(Number.min) to \(Number.max)")
        }
        return number
    }

    func numbers(_ key: String, count: Int) throws(TouchLineError) -> [Double]? {
        guard let field = fields.field(key) else { return nil }
        guard let numbers = field.numbers, numbers.count == count else {
            throw .bad(key, takes: "a list of \(count) numbers")
        }
        return numbers
    }

    /// A line that has both kinds of place is on an output: who knew where had more to go by.
    var place: TouchLine.Place? {
        get throws(TouchLineError) {
            if let point = try point("x", "y") { return .output(point) }
            return try point("u", "v").map(TouchLine.Place.panel)
        }
    }

    /// Of a window or an output, logical px: more than any has. Our choice.
    private static let sides = 1.0...100_000.0

    /// Nil where it is not told.
    var size: Size? {
        get throws(TouchLineError) {
            guard let (width, height) = try pair("width", "height") else { return nil }
            for (key, side) in [("width", width), ("height", height)] where !LineFields.sides.contains(side) {
                throw .bad(key, takes: "a number from 1 to 100000")
            }
            return Size(width: width, height: height)
        }
    }

    /// Lines that were lost: nobody loses more. Our choice.
    private static let losses = 0...(1 << 40)

    func checkGap() throws(TouchLineError) {
        guard fields.field("lines") != nil else { return }
        guard let lost = fields.field("lines")?.whole(Int.self), LineFields.losses.contains(lost) else {
            throw .bad("lines", takes: "a whole number from 0 to \(LineFields.losses.upperBound)")
        }
    }

    /// What one side can be of another, and px for a mm: as sides and a panel's millimetres are bounded.
    private static let ratios = 1e-5...1e5

    func checkSurface() throws(TouchLineError) {
        _ = try whole("surface", Int32.self)
        _ = try point("x", "y")
        _ = try size
        for key in ["magnified", "density"] {
            guard let ratio = try number(key), !LineFields.ratios.contains(ratio) else { continue }
            throw .bad(key, takes: "a number from 0.00001 to 100000")
        }
    }

    private func point(_ horizontal: String, _ vertical: String) throws(TouchLineError) -> Point? {
        try pair(horizontal, vertical).map { Point(x: $0.0, y: $0.1) }
    }

    /// Two numbers of which neither says anything without the other.
    private func pair(_ first: String, _ second: String) throws(TouchLineError) -> (Double, Double)? {
        let (one, other) = (try number(first), try number(second))
        switch (one, other) {
        case (nil, nil): return nil
        case (let one?, let other?): return (one, other)
        case (nil, _): throw .bad(second, takes: "together with \"\(first)\"")
        case (_, nil): throw .bad(first, takes: "together with \"\(second)\"")
        }
    }
}
