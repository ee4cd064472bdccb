package import WireTables

// What the forwarder tells of messages as they pass.
extension AppConnection: ForwarderObserver {
    package func willForward(_ message: WatchedMessage, of object: UInt32, _ arguments: MessageReader) {
        after = watchRequest(message, object, arguments)
        // What must not outlive a request goes before it.
        let before = after.filter {
            if case .rootEnded = $0 { true } else if case .changed = $0 { true } else { false }
        }
        if !before.isEmpty {
            apply(before)
            after.removeAll { before.contains($0) }
        }
    }

    package func didForward(_ message: WatchedMessage, of object: UInt32) {
        guard !after.isEmpty else { return }
        apply(after)
        after.removeAll()
    }

    package func receivedOwn(_ opcode: UInt16, of object: UInt32, _ arguments: MessageReader) {
        objects.receive(opcode, of: object, arguments)
    }

    package func deletedOwn(_ object: UInt32) {
        objects.deleted(object)
        beginUnmarkedWindows()
    }

    package func failed(over object: UInt32?, code: UInt32, _ text: String) {
        hasFailed = true
        let whose = object.map { "the app's \(name($0))" } ?? "what fingerwave draws"
        reports.onNote("the compositor ends the connection over \(whose): error \(code): \(text)")
    }

    /// As the app knows it; and by which number the compositor does, which its texts name.
    private func name(_ object: UInt32) -> String {
        let interface: StaticString = forwarder.interface(of: object)?.name ?? "object"
        let other = forwarder.compositorID(object)
        return "\(interface)@\(object)" + (other == object ? "" : " (for the compositor @\(other))")
    }

    package func hid(_ interface: String) { reports.onHidden(interface) }
}
