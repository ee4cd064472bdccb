internal import CLibc
internal import Recording

/// What `fingerwave ctl` takes beside its command.
package struct CtlOptions: OptionTable {
    /// nil: the only instance there is.
    package var name: String?
    package var json = false

    package init() {}

    package static let topic: HelpTopic? = .ctl

    package static let entries: [OptionEntry<CtlOptions>] = [
        OptionEntry(
            "name", .optional(.instanceName, or: ""), "the instance; needed where several run", get: { $0.name },
            put: { $0.name = $1 }),
        OptionEntry("json", .flag, "print the answer as it came, JSON Lines", get: { $0.json }, put: { $0.json = $1 }),
    ]
}

/// `fingerwave ctl`: tells a running instance something, or asks it.
struct CtlCommand {
    let options: CtlOptions
    let environment: Environment

    /// Returns what is to be printed.
    func run(_ words: [String]) throws(Failure) -> String {
        guard let first = words.first else {
            throw .usage("ctl needs a command", remedy: "see fingerwave help ctl")
        }
        guard let folder = environment.runtimeDirectory, !folder.isEmpty else {
            throw .nobody("XDG_RUNTIME_DIR is not set", remedy: "set it to the one of the fingerwave that is meant")
        }
        if first == "list", words.count == 1 { return list(folder) }
        let command = try ControlCommand(words)
        let lines = try ask(command.line, folder)
        guard let last = lines.last.flatMap({ try? JSONFields($0) }) else {
            throw .nobody("the answer makes no sense", remedy: "is it another version?")
        }
        if last["type"] == "error" {
            throw .usage(
                last["what"] ?? "refused", why: last["why"] ?? "", remedy: last["remedy"] ?? "see fingerwave help ctl")
        }
        if options.json { return lines.map { $0 + "\n" }.joined() }
        return lines.dropLast().compactMap { try? JSONFields($0) }.map(CtlCommand.text).joined()
    }

    private func ask(_ line: String, _ folder: String) throws(Failure) -> [String] {
        if let name = options.name { return try ask(line, name, folder) }
        var alive: [String] = []
        for name in ControlClient.names(in: folder) where isAlive(name, folder) { alive.append(name) }
        guard let name = alive.first else {
            throw .nobody(
                "no fingerwave runs here",
                remedy: "start one as this user with this XDG_RUNTIME_DIR; its --verbose says why it has no control")
        }
        if alive.count > 1 {
            throw .usage(
                "several run", why: "they are " + alive.joined(separator: ", "), remedy: "say which with --name")
        }
        return try ask(line, name, folder)
    }

    private func ask(_ line: String, _ name: String, _ folder: String) throws(Failure) -> [String] {
        do throws(ControlClient.Problem) {
            return try ControlClient.ask(line, name: name, folder: folder)
        } catch {
            switch error {
            case .nobody:
                throw .nobody("no fingerwave of the name \(name) runs here", remedy: "see fingerwave ctl list")
            case .noAnswer(let why): throw .nobody("\(name): \(why)", remedy: "see whether it is stopped or busy")
            }
        }
    }

    /// Whether anybody accepts at the socket; one who does not answer is alive as well.
    private func isAlive(_ name: String, _ folder: String) -> Bool {
        do throws(ControlClient.Problem) {
            _ = try ControlClient.ask("status", name: name, folder: folder, patience: 1000)
            return true
        } catch {
            return error != .nobody
        }
    }

    private func list(_ folder: String) -> String {
        var text = ""
        for name in ControlClient.names(in: folder) {
            do throws(ControlClient.Problem) {
                let lines = try ControlClient.ask("status", name: name, folder: folder, patience: 1000)
                guard let first = lines.first, let fields = try? JSONFields(first) else { continue }
                let state = fields["paused"] == "true" ? "paused" : "running"
                text += options.json ? first + "\n" : "\(name)  pid \(fields["pid"] ?? "?")  \(state)\n"
            } catch {
                guard error != .nobody else { continue }
                var line = JSONLine(type: "status")
                line.add("name", name)
                line.add("answers", false)
                text += options.json ? line.line : "\(name)  does not answer\n"
            }
        }
        return text
    }

    /// One line's fields for people: those of `status` under one another, those of the others behind one another.
    private static func text(_ fields: JSONFields) -> String {
        let type = fields["type"] ?? ""
        let rest = fields.fields.filter { $0.key != "type" }
        if type == "status" {
            return rest.map { pad($0.key, 14) + readable($0.value) + "\n" }.joined()
        }
        return pad(type, 14) + rest.map { "\($0.key) \(readable($0.value))" }.joined(separator: ", ") + "\n"
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.utf8.count))
    }

    private static func readable(_ value: String) -> String {
        switch value {
        case "true": "yes"
        case "false": "no"
        case "": "-"
        default: value
        }
    }
}

extension Failure {
    static func nobody(_ why: String, remedy: String) -> Failure {
        Failure("nobody answers", why: why, remedy: remedy, code: .noAnswer)
    }
}
