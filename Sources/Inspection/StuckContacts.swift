package import Gestures

/// Finds contacts of one seat whose end was lost. A finger may rest for as long as it likes, so silence alone proves nothing.
///
/// A contact counts as stuck when it has been silent for 3 s and since its last event either
/// * another contact came down nearer to it than two fingers can be, or
/// * three times a contact came and was lifted, or the pointer's button was pressed: whoever uses the screen like that has
///   hardly left a finger on it without a tremor. KDE Plasma's and other compositors' `up` gets lost when a mouse button is
///   pressed meanwhile.
///
/// One that speaks again, or is lifted after all, was not stuck and is not counted any longer. All numbers are our choice.
package struct StuckContacts: Hashable, Sendable {
    /// ns.
    package static let silence: Int64 = .milliseconds(3000)
    /// Logical px: the slop of a finger, half its width.
    package static let overlap = 18.0
    package static let passers = 3

    private struct Entry: Hashable, Sendable {
        var serial: UInt64
        var position: Point
        /// When its first and its last event came.
        var began: Instant
        var heard: Instant
        var isPointer: Bool
        var isOverlaid = false
        var passers = 0
        var isStuck = false
    }

    private var entries: [Entry] = []
    /// Stuck contacts since the start, those that are down included.
    package private(set) var count = 0

    package init() {}

    /// The serials of the contacts that are down and look stuck.
    package var serials: [UInt64] { entries.filter { $0.isStuck }.map { $0.serial } }

    package mutating func handle(_ frame: ContactFrame) {
        for change in frame.changes { handle(change, at: frame.arrival) }
        for index in entries.indices where !entries[index].isStuck {
            let entry = entries[index]
            guard frame.arrival - entry.heard >= Self.silence, entry.isOverlaid || entry.passers >= Self.passers else {
                continue
            }
            entries[index].isStuck = true
            count += 1
        }
    }

    private mutating func handle(_ change: ContactFrame.Change, at now: Instant) {
        let contact = change.contact
        let isPointer = contact.kind == .pointer
        switch change.phase {
        case .began:
            for index in entries.indices where !entries[index].isPointer {
                if isPointer {
                    entries[index].passers += 1
                } else if entries[index].position.distance(to: contact.position) < Self.overlap {
                    entries[index].isOverlaid = true
                }
            }
            entries.append(
                Entry(
                    serial: contact.serial, position: contact.position, began: now, heard: now,
                    isPointer: isPointer))
        case .moved:
            guard let index = entries.firstIndex(where: { $0.serial == contact.serial }) else { return }
            takeBack(index)
            entries[index] = Entry(
                serial: contact.serial, position: contact.position, began: entries[index].began, heard: now,
                isPointer: isPointer)
        case .ended:
            guard let index = entries.firstIndex(where: { $0.serial == contact.serial }) else { return }
            takeBack(index)
            let passer = entries.remove(at: index)
            if isPointer { return }
            for index in entries.indices where !entries[index].isPointer && entries[index].heard <= passer.began {
                entries[index].passers += 1
            }
        case .cancelled:
            entries.removeAll { $0.serial == contact.serial }
        }
    }

    private mutating func takeBack(_ index: Int) {
        if entries[index].isStuck { count -= 1 }
    }
}
