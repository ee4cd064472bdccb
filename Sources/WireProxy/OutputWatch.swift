/// The outputs that an app knows on one connection, and which of its surfaces are on which: how large a millimetre is.
///
/// An output that the app has bound twice is two objects here, and a surface is on both.
struct OutputWatch {
    private struct Output {
        /// Of the current mode, physical px; 0 when unknown.
        var width: Int32 = 0
        /// 0 when unknown.
        var millimetres: Int32 = 0
        /// 1 before wl_output version 2.
        var scale: Int32 = 1
    }

    private var outputs: [UInt32: Output] = [:]
    /// By surface, the first that it came onto first.
    private var entered: [UInt32: [UInt32]] = [:]

    /// Logical px on one mm of the output that a surface is on; nil as long as none tells its size. `scale120`: physical for
    /// 120 logical px when the compositor has told the surface, else the output's own scale counts.
    func pixelsPerMillimetre(of surface: UInt32, scale120: UInt32?) -> Double? {
        for id in entered[surface] ?? [] {
            guard let output = outputs[id], output.width > 0, output.millimetres > 0 else { continue }
            let scale = scale120.map { Double(max(1, $0)) / 120 } ?? Double(max(1, output.scale))
            return Double(output.width) / Double(output.millimetres) / scale
        }
        return nil
    }

    /// The largest of the outputs that a surface is on; 1 to 10.
    func scale(of surface: UInt32) -> Int32 {
        var largest: Int32 = 1
        for id in entered[surface] ?? [] { largest = max(largest, outputs[id]?.scale ?? 1) }
        return min(largest, 10)
    }

    // MARK: Objects

    mutating func begin(_ output: UInt32) { outputs[output] = Output() }

    mutating func end(_ output: UInt32) {
        outputs[output] = nil
        for surface in entered.keys { leave(surface, output) }
    }

    mutating func endSurface(_ surface: UInt32) { entered[surface] = nil }

    // MARK: Events

    /// wl_output.geometry
    mutating func geometry(_ output: UInt32, _ arguments: MessageReader) {
        var arguments = arguments
        _ = (arguments.int(), arguments.int())
        outputs[output]?.millimetres = arguments.int()
    }

    /// wl_output.mode; 1 marks the current one.
    mutating func mode(_ output: UInt32, _ arguments: MessageReader) {
        var arguments = arguments
        guard arguments.uint() & 1 != 0 else { return }
        outputs[output]?.width = arguments.int()
    }

    mutating func scale(_ output: UInt32, _ scale: Int32) { outputs[output]?.scale = scale }

    /// wl_surface.enter
    mutating func enter(_ surface: UInt32, _ output: UInt32) {
        guard outputs[output] != nil, entered[surface]?.contains(output) != true else { return }
        entered[surface, default: []].append(output)
    }

    /// wl_surface.leave
    mutating func leave(_ surface: UInt32, _ output: UInt32) { entered[surface]?.removeAll { $0 == output } }
}
