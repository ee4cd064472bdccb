internal import CLibc
internal import CLinuxShims

/// The program: picks the command, runs it, says what went wrong.
package enum Command {
    /// `arguments` without the program's name.
    package static func run(_ arguments: [String]) -> ExitCode {
        fw_fill_standard_descriptors()
        do throws(Failure) {
            return try dispatch(arguments)
        } catch {
            complain(error.line)
            return error.code
        }
    }

    private static func dispatch(_ arguments: [String]) throws(Failure) -> ExitCode {
        var words = arguments
        if let first = words.first, first.utf8.first != UInt8(ascii: "-") {
            switch first {
            case "window": words.removeFirst()
            case "help":
                say(Help.window)
                return .done
            default:
                let near = nearest(to: first, among: ["window", "help"])
                throw .usage(
                    "unknown command \(first)", remedy: near.map { "did you mean \($0)?" } ?? "see fingerwave --help")
            }
        }
        let parsed = try ParsedArguments(words, specs: WindowOptions.specs)
        if parsed.options.contains(where: { $0.name == "help" }) {
            say(Help.window)
            return .done
        }
        if parsed.options.contains(where: { $0.name == "version" }) {
            say(Help.versionText)
            return .done
        }
        if let operand = parsed.operands.first {
            throw .usage("unexpected argument \(operand)", why: "a window takes options only")
        }
        try WindowCommand(WindowOptions(parsed.options)).run()
        return .done
    }

    private static func say(_ text: String) {
        let writer = LineWriter(descriptor: STDOUT_FILENO)
        writer.write(text)
        writer.finish(milliseconds: 1000)
    }
}
