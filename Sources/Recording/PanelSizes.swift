package import Gestures

/// How large panels are whose places are fractions, in logical px: one rule for all that need it.
package struct PanelSizes: Equatable, Sendable {
    /// How a size is known.
    package enum Basis: Equatable, Sendable {
        /// The panel's mm, at the usual density.
        case millimetres
        /// The panel's own units.
        case range
        /// Not at all.
        case assumed
    }

    /// For panels that tell nothing of themselves; logical px.
    package static let assumed = Size(width: 1280, height: 720)
    /// As many as there are seats and devices.
    private static let most = 256
    /// Units that are taken for logical px as they are. Others keep their proportion.
    private static let plainUnits = 320.0...4096.0

    /// What a device says of itself.
    private struct Panel: Equatable {
        var device: String?
        var millimetres: Size?
        /// Units of its axes.
        var range: Size?
    }

    private var panels: [Panel] = []

    package init() {}

    /// What the recording says of a device, which no line does: its axes. False where they tell nothing.
    @inline(never) @discardableResult
    package mutating func describe(_ device: EvdevDevice, number: Int) -> Bool {
        guard let x = device.axis(EvdevCode.positionX) ?? device.axis(EvdevCode.x),
            let y = device.axis(EvdevCode.positionY) ?? device.axis(EvdevCode.y), x.maximum > x.minimum,
            y.maximum > y.minimum
        else { return false }
        let range = Size(
            width: Double(x.maximum) - Double(x.minimum) + 1, height: Double(y.maximum) - Double(y.minimum) + 1)
        return change(device.node ?? "evdev\(number)") { $0.range = range }
    }

    /// Takes the mm that a line tells; false for one that tells none.
    @inline(never) @discardableResult
    package mutating func note(_ line: TouchLine) -> Bool {
        guard case .device(let facts) = line.kind, facts.event == .added, let size = facts.millimetres, size.width > 0,
            size.height > 0
        else { return false }
        return change(line.device) { $0.millimetres = size }
    }

    private mutating func change(_ device: String?, _ body: (inout Panel) -> Void) -> Bool {
        if let index = panels.firstIndex(where: { $0.device == device }) {
            body(&panels[index])
        } else {
            guard panels.count < PanelSizes.most else { return false }
            panels.append(Panel(device: device))
            body(&panels[panels.count - 1])
        }
        return true
    }

    package func size(of device: String?) -> (size: Size, basis: Basis) {
        size(panels.last { $0.device == device })
    }

    private func size(_ panel: Panel?) -> (size: Size, basis: Basis) {
        if let millimetres = panel?.millimetres {
            let density = GestureConfiguration.usualDensity
            let size = Size(
                width: (millimetres.width * density).rounded(), height: (millimetres.height * density).rounded())
            return (size, .millimetres)
        }
        if let range = panel?.range, let size = PanelSizes.pixels(of: range) { return (size, .range) }
        return (PanelSizes.assumed, .assumed)
    }

    /// Of the newest panel that was told of; nil when nothing says it.
    package var newest: Size? {
        guard let newest = panels.last else { return nil }
        let (size, basis) = size(newest)
        return basis == .assumed ? nil : size
    }

    package func millimetres(of device: String?) -> Size? { panels.last { $0.device == device }?.millimetres }

    /// Logical px for a panel of so many units; nil for a range that says nothing, as 0 to 32767 on either axis does.
    private static func pixels(of range: Size) -> Size? {
        guard range.width != range.height, (0.2...5).contains(range.width / range.height) else { return nil }
        if plainUnits.contains(range.width), plainUnits.contains(range.height) { return range }
        let factor = assumed.width / max(range.width, range.height)
        return Size(width: (range.width * factor).rounded(), height: (range.height * factor).rounded())
    }
}
