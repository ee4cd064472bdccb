/// Which device of a recording is wanted: by its node, its name or, where it has neither, its number, as `evdev1`. Lines
/// of an output are its own.
struct DeviceChoice {
    private let wanted: String?
    /// What it is called in lines, and its number among devices that are described.
    private var nodes: Set<String> = []
    private var numbers: Set<Int> = []
    /// Something of it was there.
    private(set) var isMet: Bool
    private static let most = 256

    init(_ wanted: String?) {
        self.wanted = wanted
        isMet = wanted == nil
    }

    mutating func takes(_ item: RecordingItem) -> Bool {
        guard let wanted else { return true }
        switch item.content {
        case .device(let device, let number):
            let node = device.node ?? "evdev\(number)"
            guard device.name == wanted || node == wanted || device.path == wanted else { return false }
            if nodes.count < DeviceChoice.most {
                nodes.insert(node)
                numbers.insert(number)
            }
            isMet = true
            return true
        case .event(_, let number): return numbers.contains(number)
        case .touch(let line): return takes(line, wanted)
        case .run, .fault, .end: return true
        }
    }

    private mutating func takes(_ line: TouchLine, _ wanted: String) -> Bool {
        switch line.kind {
        case .other: return line.output == nil || line.output == wanted || isMet
        case .device(let facts):
            guard let device = line.device, facts.name == wanted || device == wanted || nodes.contains(device) else {
                return false
            }
            if nodes.count < DeviceChoice.most { nodes.insert(device) }
        case .down, .motion, .up, .frame, .cancel, .shape, .orientation, .tool, .pointer:
            // A whole seat's.
            if line.kind == .cancel, line.device == nil, line.output == nil { return true }
            let isDevices = line.device.map { $0 == wanted || nodes.contains($0) } ?? false
            guard isDevices || line.output == wanted || line.device == nil && line.kind == .frame else { return false }
        }
        isMet = true
        return true
    }
}
