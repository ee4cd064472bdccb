internal import Gestures

/// How large surfaces are, as far as a WAYLAND_DEBUG log tells: by what their windows were configured to or said of
/// themselves, else by the output that they are on.
struct LoggedSurfaces {
    /// Of each kind.
    private static let mostObjects = 1024
    /// Subsurfaces and popups within one another.
    private static let deepest = 16

    private struct Output {
        /// Pixels.
        var mode: Size?
        var scale = 1.0
        var isTurned = false
        /// Of xdg-output: logical px.
        var logicalSize: Size?

        var size: Size? {
            if let logicalSize { return logicalSize }
            guard let mode, scale > 0 else { return nil }
            let (width, height) = isTurned ? (mode.height, mode.width) : (mode.width, mode.height)
            return Size(width: width / scale, height: height / scale)
        }
    }

    /// By the numbers of their objects.
    private var outputs: [UInt32: Output] = [:]
    private var outputOfXdgOutput: [UInt32: UInt32] = [:]
    /// Of xdg_surface, and of what is made of one; of a layer surface.
    private var surfaceOfRole: [UInt32: UInt32] = [:]
    /// Of subsurfaces and popups.
    private var parents: [UInt32: UInt32] = [:]
    private var entered: [UInt32: UInt32] = [:]
    /// Of windows: what was told last.
    private var told: [UInt32: Size] = [:]

    /// Logical px; nil where nothing tells it.
    func size(of surface: UInt32) -> Size? {
        var root = surface
        var depth = 0
        while let parent = parents[root], depth < LoggedSurfaces.deepest {
            root = parent
            depth += 1
        }
        if let size = told[root] { return size }
        if let output = entered[root] { return outputs[output]?.size }
        // Where all that are known are as large, it is on one of them.
        let sizes = outputs.values.map { $0.size }
        guard let first = sizes.first, sizes.allSatisfy({ $0 == first }) else { return nil }
        return first
    }

    // MARK: Messages

    /// One line that is no wl_touch's.
    mutating func read(_ line: LineCursor) {
        var line = line
        // A journal has brackets of its own before it.
        while let stamp = line.find("] ") {
            line.move(to: stamp + 2)
            if readMessage(line) { return }
        }
    }

    private mutating func readMessage(_ start: LineCursor) -> Bool {
        var line = start
        line.skipBlanks()
        if line.take("{") {
            guard let end = line.find("}") else { return false }
            line.move(to: end + 1)
            line.skipBlanks()
        }
        if line.take(word: "-> ") { line.skipBlanks() }
        guard let interface = LoggedSurfaces.interface(&line), line.take("#") || line.take("@"),
            let object = line.decimal(UInt32.self), line.take(".")
        else { return false }
        let message = line.text(line.word())
        guard line.take("(") else { return false }
        take(interface, object, message, line)
        return true
    }

    private enum Interface {
        case output, xdgOutputManager, xdgOutput, wmBase, xdgSurface, toplevel, layerShell, layerSurface,
            subcompositor, surface
    }

    private static func interface(_ line: inout LineCursor) -> Interface? {
        switch line.next {
        case UInt8(ascii: "w"):
            if line.take(word: "wl_output") { return .output }
            if line.take(word: "wl_surface") { return .surface }
            return line.take(word: "wl_subcompositor") ? .subcompositor : nil
        case UInt8(ascii: "x"):
            if line.take(word: "xdg_surface") { return .xdgSurface }
            if line.take(word: "xdg_toplevel") { return .toplevel }
            return line.take(word: "xdg_wm_base") ? .wmBase : nil
        case UInt8(ascii: "z"):
            if line.take(word: "zxdg_output_v1") { return .xdgOutput }
            if line.take(word: "zxdg_output_manager_v1") { return .xdgOutputManager }
            if line.take(word: "zwlr_layer_surface_v1") { return .layerSurface }
            return line.take(word: "zwlr_layer_shell_v1") ? .layerShell : nil
        default: return nil
        }
    }

    private mutating func take(_ interface: Interface, _ object: UInt32, _ message: String, _ line: LineCursor) {
        switch (interface, message) {
        case (.surface, "commit"), (.surface, "attach"), (.surface, "damage"), (.surface, "damage_buffer"),
            (.surface, "frame"):
            return
        default: break
        }
        let values = LoggedSurfaces.arguments(line)
        func number(_ index: Int) -> UInt32? {
            index < values.count ? values[index].flatMap { UInt32(exactly: $0) } : nil
        }
        switch (interface, message) {
        case (.output, "mode"):
            // Others than the current one are only possible.
            guard let flags = number(0), flags & 1 == 1, let size = LoggedSurfaces.size(values, 1) else { return }
            change(object) { $0.mode = size }
        case (.output, "scale"): if let scale = number(0) { change(object) { $0.scale = Double(scale) } }
        case (.output, "geometry"): if let transform = number(7) { change(object) { $0.isTurned = transform & 1 == 1 } }
        case (.output, "release"): outputs[object] = nil
        case (.xdgOutputManager, "get_xdg_output"): set(&outputOfXdgOutput, number(0), number(1))
        case (.xdgOutput, "logical_size"):
            guard let output = outputOfXdgOutput[object], let size = LoggedSurfaces.size(values, 0) else { return }
            change(output) { $0.logicalSize = size }
        case (.wmBase, "get_xdg_surface"):
            // What was known of this number was another one's.
            if let surface = number(1) { forget(surface) }
            set(&surfaceOfRole, number(0), number(1))
        case (.xdgSurface, "get_toplevel"): set(&surfaceOfRole, number(0), surfaceOfRole[object])
        case (.xdgSurface, "get_popup"):
            set(&parents, surfaceOfRole[object], number(1).flatMap { surfaceOfRole[$0] })
        case (.layerShell, "get_layer_surface"):
            if let surface = number(1) { forget(surface) }
            set(&surfaceOfRole, number(0), number(1))
        case (.subcompositor, "get_subsurface"): set(&parents, number(1), number(2))
        case (.toplevel, "configure"): tell(object, LoggedSurfaces.size(values, 0))
        case (.layerSurface, "configure"): tell(object, LoggedSurfaces.size(values, 1))
        case (.xdgSurface, "set_window_geometry"):
            // Without the shadow, which is as wide on the other side: places are counted from its edge.
            guard let size = LoggedSurfaces.size(values, 2), let x = values[0], let y = values[1] else { return }
            tell(object, Size(width: size.width + 2 * Double(max(0, x)), height: size.height + 2 * Double(max(0, y))))
        case (.surface, "enter"): set(&entered, object, number(0))
        case (.surface, "leave"): if entered[object] == number(0) { entered[object] = nil }
        case (.surface, "destroy"): forget(object)
        default: return
        }
    }

    private mutating func change(_ output: UInt32, _ body: (inout Output) -> Void) {
        guard outputs[output] != nil || outputs.count < LoggedSurfaces.mostObjects else { return }
        var facts = outputs[output] ?? Output()
        body(&facts)
        outputs[output] = facts
    }

    private func set(_ list: inout [UInt32: UInt32], _ key: UInt32?, _ value: UInt32?) {
        guard let key, list[key] != nil || list.count < LoggedSurfaces.mostObjects else { return }
        list[key] = value
    }

    private mutating func tell(_ role: UInt32, _ size: Size?) {
        guard let surface = surfaceOfRole[role], let size else { return }
        guard told[surface] != nil || told.count < LoggedSurfaces.mostObjects else { return }
        told[surface] = size
    }

    private mutating func forget(_ surface: UInt32) {
        told[surface] = nil
        parents[surface] = nil
        entered[surface] = nil
    }

    // MARK: Arguments

    /// Two of them; nil where they are none, as 0 is what says that the client is to choose.
    private static func size(_ values: [Int64?], _ index: Int) -> Size? {
        guard index + 1 < values.count, let width = values[index], let height = values[index + 1],
            (1...65_536).contains(width), (1...65_536).contains(height)
        else { return nil }
        return Size(width: Double(width), height: Double(height))
    }

    /// Whole numbers, and those of objects; nil for all others.
    private static func arguments(_ line: LineCursor) -> [Int64?] {
        var line = line
        var values: [Int64?] = []
        while values.count < 8, let next = line.next, next != UInt8(ascii: ")") {
            line.skipBlanks()
            values.append(argument(&line))
            guard line.take(",") else { break }
        }
        return values
    }

    /// Goes to the comma or bracket behind it.
    private static func argument(_ line: inout LineCursor) -> Int64? {
        if line.take("\"") {
            while let next = line.next, next != UInt8(ascii: "\"") { line.skip() }
            line.skip()
            return nil
        }
        let start = line
        var object: Int64?
        var isWhole = true
        while let next = line.next, next != UInt8(ascii: ","), next != UInt8(ascii: ")") {
            isWhole = isWhole && (next == UInt8(ascii: "-") || (0x30...0x39).contains(next))
            line.skip()
            guard next == UInt8(ascii: "#") || next == UInt8(ascii: "@") else { continue }
            object = line.decimal()
        }
        var number = start
        return isWhole ? number.decimal() : object
    }
}
