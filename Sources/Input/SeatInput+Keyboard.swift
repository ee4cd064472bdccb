internal import WaylandClient
internal import WaylandProtocols

extension SeatInput {
    func receive(_ event: WlKeyboard.Event) {
        switch event {
        case .keymap(let format, let fd, let size):
            guard let descriptor = fd.take() else { return }
            let problem = keyboardState.setKeymap(format: format.rawValue, descriptor: descriptor, size: size)
            if let problem { onProblem?(problem) }
        case .modifiers(_, let depressed, let latched, let locked, let group):
            keyboardState.setModifiers(
                ModifierMasks(depressed: depressed, latched: latched, locked: locked, group: group))
        case .key(_, _, let key, let state):
            // Repeats, which compositors may send from version 10 on, are no presses.
            guard state == .pressed else { return }
            let (press, problem) = keyboardState.press(key)
            if let problem { onProblem?(problem) }
            onKey?(press)
        case .enter, .leave:
            // Keys that are down at `enter` were pressed for somebody else.
            break
        case .repeatInfo: break
        }
    }
}
