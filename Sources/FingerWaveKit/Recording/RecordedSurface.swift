package import Gestures
package import Recording

/// What was touched: an output or a window in its logical px, or a panel that is taken for one.
package struct RecordedSurface: Equatable, Sendable {
    /// How its size is known.
    package enum Basis: Equatable, Sendable {
        /// By an option.
        case told
        /// By a line of the recording.
        case recorded
        /// The panel's mm, at the usual density.
        case millimetres
        /// The panel's own units.
        case range
        /// Not at all.
        case assumed
    }

    /// The output's or the device's; nil where lines name neither.
    package var name: String?
    /// Logical px; nil for one whose places are in logical px and which is as large as they reach.
    package var size: Size?
    package var basis: Basis
    /// As it was when something first touched it, or else as soon as that was told.
    package internal(set) var firstSize: Size?
    var isTouched = false
    /// Nil where nothing tells it.
    package var pixelsPerMillimetre: Double?
    /// A window that showed it larger or smaller was recorded.
    var magnification = 1.0
    /// What of that window it was; nil for all of it.
    var part: RecordedPart.Extent?

    /// Logical px; nil where nobody knows it.
    var touchedSize: Size? {
        guard case .area(_, let size) = extent else { return nil }
        return size
    }

    /// What can be touched of it: nobody knows it where its size is not known.
    var extent: RecordedPart.Extent {
        if let part { return part }
        return size.map { .area(.zero, $0) } ?? .unknown
    }

    /// Logical px.
    package func position(_ place: TouchLine.Place) -> Point {
        switch place {
        case .output(let point): point
        case .panel(let fraction):
            PanelPlace.onOutput(fraction, transform: 0, size: size ?? PanelSizes.assumed)
        }
    }
}

/// All that a recording has touches on, as far as its lines tell: who comes first has number 0.
package struct RecordedSurfaces {
    /// Of outputs that are told of: as many as there are seats and devices.
    private static let most = 256

    package private(set) var all: [RecordedSurface] = []

    /// By the numbers that lines have.
    private var parts: [(number: Int32, part: RecordedPart)] = []
    private static let mostParts = 256
    private var keys: [Key] = []
    /// Of each key: recordings of years have many devices.
    private var numbers: [Key: Int] = [:]
    /// The same as one of them, for lines that follow each other.
    private var latest = 0
    /// Where the device said that it belongs, when it was touched first.
    private var outputs: [String?] = []
    private var told: Size?
    private var panels = PanelSizes()
    /// By output; nil for the window's.
    private var recorded: [(output: String?, size: Size)] = []

    /// Who has which: places in logical px are an output's, fractions are a device's.
    private enum Key: Hashable {
        case output(String?)
        case panel(String?)
        /// Of a window that showed a recording.
        case part(Int32)
    }

    init(size: Size?) { told = size }

    /// The number that contacts on it have as their target.
    package static func target(_ number: Int) -> Int { number + 1 }

    /// The number of what a contact with this target is on.
    package static func number(_ target: Int) -> Int { target - 1 }

    mutating func describe(_ device: EvdevDevice, number: Int) {
        if panels.describe(device, number: number) { settle() }
    }

    /// Takes the size that a line tells; false for one that tells none.
    mutating func note(_ line: TouchLine) -> Bool {
        switch line.kind {
        case .device:
            guard panels.note(line) else { return false }
            settle()
        case .other(TouchLine.surfaceType):
            guard let (number, part) = RecordedPart.read(line), parts.count < RecordedSurfaces.mostParts else {
                return false
            }
            parts.removeAll { $0.number == number }
            parts.append((number, part))
            settle()
        case .other:
            guard let size = line.size else { return false }
            recorded.removeAll { $0.output == line.output }
            guard recorded.count < RecordedSurfaces.most else { return false }
            recorded.append((line.output, size))
            settle()
        default: return false
        }
        return true
    }

    /// The number of what a line with a place is on.
    mutating func number(of line: TouchLine) -> Int {
        let key = key(of: line)
        let number = keys[latest...].first == key ? latest : numbers[key] ?? begin(key, on: line.output)
        latest = number
        if line.beginsTouch { touch(number) }
        return number
    }

    private func key(of line: TouchLine) -> Key {
        if let part = line.surface, parts.contains(where: { $0.number == part }) { return .part(part) }
        if case .panel = line.place { return .panel(line.device) }
        return .output(line.output)
    }

    private mutating func begin(_ key: Key, on output: String?) -> Int {
        let number = keys.count
        numbers[key] = number
        keys.append(key)
        outputs.append(output)
        all.append(surface(key, on: output))
        return number
    }

    private mutating func touch(_ index: Int) {
        guard all[index].firstSize == nil else { return }
        all[index].firstSize = all[index].touchedSize
        all[index].isTouched = true
    }

    /// What is known now, where touches were already.
    private mutating func settle() {
        for index in keys.indices {
            let old = all[index]
            all[index] = surface(keys[index], on: outputs[index])
            all[index].isTouched = old.isTouched
            all[index].firstSize = old.firstSize ?? (old.isTouched ? all[index].touchedSize : nil)
        }
    }

    /// - Parameter output: where a panel belongs.
    private func surface(_ key: Key, on output: String?) -> RecordedSurface {
        switch key {
        case .output(let name):
            if let told { return RecordedSurface(name: name, size: told, basis: .told) }
            guard let known = size(of: name) else { return RecordedSurface(name: name, basis: .assumed) }
            return RecordedSurface(name: name, size: known, basis: .recorded)
        case .panel(let device): return panel(device, on: output)
        case .part(let number):
            var window = surface(.output(nil), on: nil)
            guard let part = parts.last(where: { $0.number == number })?.part else { return window }
            window.name = part.name
            window.part = part.extent
            window.magnification = part.magnification
            window.pixelsPerMillimetre = part.pixelsPerMillimetre
            return window
        }
    }

    /// How large the newest panel is that was told of; nil when nothing says it.
    var panelSize: Size? { told ?? panels.newest }

    private func size(of output: String?) -> Size? { recorded.last { $0.output == output }?.size }

    private func panel(_ device: String?, on output: String?) -> RecordedSurface {
        let (size, basis) = panels.size(of: device)
        var surface = RecordedSurface(name: output ?? device, size: size, basis: .panel(basis))
        if let told {
            (surface.size, surface.basis) = (told, .told)
        } else if let output, let known = self.size(of: output) {
            (surface.size, surface.basis) = (known, .recorded)
        }
        if let width = panels.millimetres(of: device)?.width, let size = surface.size {
            surface.pixelsPerMillimetre = size.width / width
        }
        return surface
    }
}

extension RecordedSurface.Basis {
    fileprivate static func panel(_ basis: PanelSizes.Basis) -> RecordedSurface.Basis {
        switch basis {
        case .millimetres: .millimetres
        case .range: .range
        case .assumed: .assumed
        }
    }
}
