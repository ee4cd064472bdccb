/// The events that are measured, as the wire has them.
enum EventKind: String, CaseIterable {
    case touchMotion = "wl_touch.motion"
    case touchDown = "wl_touch.down"
    case touchFrame = "wl_touch.frame"
    case pointerMotion = "wl_pointer.motion"

    /// `count` events for the client whose objects have these ids.
    func message(count: Int, touch: UInt32, pointer: UInt32, surface: UInt32) -> [UInt32] {
        var words: [UInt32] = []
        for index in 0..<UInt32(count) {
            // A finger that strays over a screen, in 24.8 fixed point.
            let x = index % 1920 * 256 + 64
            let y = index % 1080 * 256 + 128
            let (object, opcode, arguments): (UInt32, UInt32, [UInt32]) =
                switch self {
                case .touchDown: (touch, 0, [index, index, surface, index % 10, x, y])
                case .touchMotion: (touch, 2, [index, index % 10, x, y])
                case .touchFrame: (touch, 3, [])
                case .pointerMotion: (pointer, 2, [index, x, y])
                }
            words += [object, UInt32(8 + arguments.count * 4) << 16 | opcode] + arguments
        }
        return words
    }
}
