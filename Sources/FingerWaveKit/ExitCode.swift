/// What the program tells its caller. Documented in the README; never renumbered.
package enum ExitCode: Int32, Sendable {
    case done = 0
    /// The command line is wrong.
    case usage = 1
    /// No compositor answers, or it went away.
    case noCompositor = 2
    /// The compositor refused a request or sent what is no Wayland.
    case protocolError = 3
    /// The compositor lacks a global that the command cannot do without.
    case missingGlobal = 4
    /// A file cannot be read for what it should be.
    case badInput = 5
    /// A recording that was to be checked has faults.
    case faults = 6

    /// For `ctl`, which needs no compositor: no running program answers.
    package static let noAnswer = ExitCode.noCompositor

    /// For `events`, which needs no compositor either: no touchscreen can be read.
    package static let noDevice = ExitCode.noCompositor
}

/// Why a command ends early: what failed, why, and what to do about it.
package struct Failure: Error, Equatable, Sendable {
    package var what: String
    package var why: String
    package var remedy: String
    package var code: ExitCode
    /// What else is wrong, where several things are told at once.
    package var others: [Failure] = []

    package init(_ what: String, why: String, remedy: String, code: ExitCode) {
        self.what = what
        self.why = why
        self.remedy = remedy
        self.code = code
    }

    /// `fingerwave: what failed: why; what to do`, with the line's end; a line for each of ``others``. For people: see
    /// ``printable(_:keepsLines:)``.
    package var line: String {
        var line = "fingerwave: \(what)"
        if !why.isEmpty { line += ": \(why)" }
        if !remedy.isEmpty { line += "; \(remedy)" }
        line = printable(line) + "\n"
        for other in others { line += other.line }
        return line
    }
}
