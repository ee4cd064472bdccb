package import Gestures

/// A kind of fault, under the name that the inspector and the log give it.
package enum Fault: Hashable, Sendable, CaseIterable {
    case duplicateDown, unknownMotion, unknownUp, unknownShape, missingFrame, emptyFrame, repeatedCancel, timeBackwards
    case jump, badNumber, overflow
    /// See ``StuckContacts``.
    case stuckContact
    /// Something is to be drawn and the compositor has held every buffer for too long.
    case heldBuffers

    package var name: String {
        switch self {
        case .duplicateDown: "duplicate-down"
        case .unknownMotion: "motion-without-down"
        case .unknownUp: "up-without-down"
        case .unknownShape: "shape-without-down"
        case .missingFrame: "missing-frame"
        case .emptyFrame: "empty-frame"
        case .repeatedCancel: "repeated-cancel"
        case .timeBackwards: "time-backwards"
        case .jump: "jump"
        case .badNumber: "bad-number"
        case .overflow: "too-many-contacts"
        case .stuckContact: "stuck-contact"
        case .heldBuffers: "buffers-not-released"
        }
    }
}

/// How often each fault was seen since the start.
package struct FaultCounts: Hashable, Sendable {
    /// What the contact rules counted.
    package var contacts = FaultCounters()
    package var stuckContacts = 0
    package var heldBuffers = 0

    package init() {}

    package subscript(fault: Fault) -> Int {
        switch fault {
        case .duplicateDown: contacts.duplicateDown
        case .unknownMotion: contacts.unknownMotion
        case .unknownUp: contacts.unknownUp
        case .unknownShape: contacts.unknownShape
        case .missingFrame: contacts.missingFrame
        case .emptyFrame: contacts.emptyFrame
        case .repeatedCancel: contacts.repeatedCancel
        case .timeBackwards: contacts.timeBackwards
        case .jump: contacts.jump
        case .badNumber: contacts.badNumber
        case .overflow: contacts.overflow
        case .stuckContact: stuckContacts
        case .heldBuffers: heldBuffers
        }
    }

    /// Those that were seen at all, in the order of ``Fault``.
    package var seen: [(fault: Fault, count: Int)] {
        Fault.allCases.compactMap { fault in self[fault] > 0 ? (fault, self[fault]) : nil }
    }

    /// Those that were seen more often than `earlier`.
    package func risen(since earlier: FaultCounts) -> [(fault: Fault, count: Int)] {
        seen.filter { $0.count > earlier[$0.fault] }
    }

    package static func + (a: FaultCounts, b: FaultCounts) -> FaultCounts {
        var sum = FaultCounts()
        sum.contacts = a.contacts + b.contacts
        sum.stuckContacts = a.stuckContacts + b.stuckContacts
        sum.heldBuffers = a.heldBuffers + b.heldBuffers
        return sum
    }
}
