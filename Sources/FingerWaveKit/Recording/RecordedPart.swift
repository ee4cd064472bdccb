internal import Gestures
internal import Recording

/// What a window shows of a recording in one of its parts: what gestures made there are judged by, so that a log of it is a
/// recording that makes the same ones.
struct RecordedPart: Equatable {
    enum Extent: Equatable {
        /// Logical px of the window.
        case area(Point, Size)
        /// Nobody told how far it goes.
        case unknown
    }

    /// The output's or the device's.
    var name: String?
    var extent: Extent
    /// How much larger than it was it is shown.
    var magnification: Double
    /// Of what was touched, before that.
    var pixelsPerMillimetre: Double?

    /// A line of ``TouchLine/surfaceType``.
    func json(_ number: Int32) -> String {
        var line = JSONLine(type: TouchLine.surfaceType)
        line.add("surface", number)
        if let name { line.add("name", name) }
        if case .area(let origin, let size) = extent {
            line.add("x", origin.x)
            line.add("y", origin.y)
            line.add("width", size.width)
            line.add("height", size.height)
        }
        if magnification != 1 { line.add("magnified", magnification) }
        if let pixelsPerMillimetre { line.add("density", pixelsPerMillimetre) }
        return line.line
    }

    /// Nil for a line that is none, or that tells nothing. What its numbers can be was seen when it was read.
    static func read(_ line: TouchLine) -> (number: Int32, part: RecordedPart)? {
        guard let fields = line.fields, let number = fields.field("surface")?.whole(Int32.self) else { return nil }
        func value(_ key: String) -> Double? { fields.field(key)?.number }
        var part = RecordedPart(
            name: fields["name"], extent: .unknown, magnification: value("magnified") ?? 1,
            pixelsPerMillimetre: value("density"))
        if let x = value("x"), let y = value("y"), let width = value("width"), let height = value("height") {
            part.extent = .area(Point(x: x, y: y), Size(width: width, height: height))
        }
        return (number, part)
    }
}
