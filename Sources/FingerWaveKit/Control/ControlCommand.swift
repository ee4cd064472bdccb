/// What a running instance can be told: one line of text.
package enum ControlCommand: Equatable, Sendable {
    /// Show nothing more; touches are still recognised and logged.
    case pause
    case resume
    case toggle
    /// Remove what is shown now.
    case clear
    /// Take on another style.
    case style(String)
    case status
    case quit

    package static let help: [(syntax: String, text: String)] = [
        ("pause", "show nothing more; touches are still recognised and logged"),
        ("resume", "show touches again"),
        ("toggle", "pause or resume, as SIGUSR1 does"),
        ("clear", "remove what is shown now"),
        ("style NAME", "show touches in another style"),
        ("status", "what it is doing"),
        ("quit", "end it"),
    ]

    /// Throws a usage failure that names the nearest command.
    package init(_ words: [String]) throws(Failure) {
        guard let first = words.first else { throw .usage("no command", remedy: "see fingerwave help ctl") }
        // Behind the end of a line another command would begin.
        if words.contains(where: { $0.utf8.contains { $0 < 0x20 } }) {
            throw .usage("a command is one line", remedy: "leave out what is no letter")
        }
        switch first {
        case "pause": self = .pause
        case "resume": self = .resume
        case "toggle": self = .toggle
        case "clear": self = .clear
        case "style":
            guard words.count >= 2 else {
                throw .usage("style needs a name", remedy: "fingerwave help look lists the styles")
            }
            self = .style(words[1])
        case "status": self = .status
        case "quit": self = .quit
        default:
            let names = ControlCommand.help.map { String($0.syntax.split(separator: " ")[0]) } + ["list"]
            throw .usage(
                "unknown command \(named(first))",
                remedy: nearest(to: first, among: names).map { "did you mean \($0)?" } ?? "see fingerwave help ctl")
        }
        let count = if case .style = self { 2 } else { 1 }
        if words.count > count { throw .usage("\(first) does not take \"\(words[count])\"", remedy: "leave it out") }
    }

    /// The line that says it.
    package var line: String {
        switch self {
        case .pause: "pause"
        case .resume: "resume"
        case .toggle: "toggle"
        case .clear: "clear"
        case .style(let name): "style \(name)"
        case .status: "status"
        case .quit: "quit"
        }
    }
}
