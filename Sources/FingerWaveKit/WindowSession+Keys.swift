internal import Input
internal import Ripples

/// What keys do in the window; ``Help/keys`` is the list.
extension WindowSession {
    func act(on key: KeyPress) {
        // Shortcuts of the desktop are not ours.
        guard key.modifiers.isDisjoint(with: [.control, .alt, .logo]) else { return }
        switch key.command {
        case .escape, .q: isClosed = true
        case .f, .f11: window?.toggleFullscreen()
        case .c: ripples.clear()
        case .i: toggleInspector()
        case .space: isPaused.toggle()
        case .h: output.write(Help.keys)
        default: break
        }
    }
}
