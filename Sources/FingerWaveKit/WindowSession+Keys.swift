internal import Input

/// What keys do in the window; ``Help/keys`` is the list.
extension WindowSession {
    func act(on key: KeyPress) {
        // Shortcuts of the desktop are not ours.
        guard key.modifiers.isDisjoint(with: [.control, .alt, .logo]) else { return }
        if replay?.onKey(key.command) == true { return }
        switch key.command {
        case .escape, .q: isClosed = true
        case .f, .f11: window?.toggleFullscreen()
        case .c: clear()
        case .i: toggleInspector()
        case .space: isHeld.toggle()
        // A log is for programs.
        case .h: complain(Help.keys)
        default: break
        }
    }
}
