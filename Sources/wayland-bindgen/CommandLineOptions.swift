internal import WaylandXML

/// Why the command ends with exit status 1, ready to print.
struct CommandError: Error {
    var lines: [String]

    init(lines: [String]) { self.lines = lines }

    init(_ text: String) { lines = ["wayland-bindgen: \(text)"] }
}

struct CommandLineOptions {
    enum Command {
        case run(CommandLineOptions)
        case help
        case version
    }

    var bindgen: Bindgen.Options
    /// Nil with `--check`.
    var outputFolder: String?
    var paths: [String]

    static let help = """
        usage: wayland-bindgen --side client|server --out DIR [--import MODULE]... [--extern] FILE.xml...
               wayland-bindgen --check [--extern] FILE.xml...

        Writes Swift bindings for Wayland protocols: DIR/<Name>.swift for each FILE, where <Name> is FILE's base name
        in upper camel case (xdg-shell.xml becomes XdgShell.swift).

          --side client|server  what to write: classes for clients (module WaylandClient) or servers (WaylandServer)
          --out DIR             where to, created if need be; nothing is written unless all files are right
          --import MODULE       a module that the written files import besides the runtime's
          --extern              interfaces and enums that no FILE defines are taken to come from an imported module
          --check               read and check only
          --help, --version

        All FILEs are read together and may refer to each other. Errors go to stderr as file:line:column: error: what,
        and the exit status is 1.

        """

    static func parse(_ arguments: [String]) throws(CommandError) -> Command {
        var side: Bindgen.Side?
        var folder: String?
        var imports: [String] = []
        var hasExterns = false
        var isCheckOnly = false
        var paths: [String] = []
        var rest = arguments[...]

        func value(of option: String) throws(CommandError) -> String {
            guard let value = rest.popFirst() else { throw CommandError("\(option) needs a value; see --help") }
            return value
        }

        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": return .help
            case "--version": return .version
            case "--check": isCheckOnly = true
            case "--extern": hasExterns = true
            case "--out": folder = try value(of: argument)
            case "--import":
                let module = try value(of: argument)
                guard isModuleName(module) else { throw CommandError("--import \(module): that is no module's name") }
                if !imports.contains(module) { imports.append(module) }
            case "--side":
                let text = try value(of: argument)
                guard let known = Bindgen.Side(rawValue: text) else {
                    throw CommandError("--side \(text): there are only 'client' and 'server'")
                }
                side = known
            case "--":
                paths += rest
                rest = []
            case _ where argument.hasPrefix("-") && argument != "-":
                throw CommandError("unknown option \(argument); see --help")
            default: paths.append(argument)
            }
        }
        guard !paths.isEmpty else { throw CommandError("no file given; see --help") }
        guard isCheckOnly || (side != nil && folder != nil) else {
            throw CommandError("--side and --out are needed, or --check; see --help")
        }
        return .run(
            CommandLineOptions(
                bindgen: Bindgen.Options(side: side ?? .client, imports: imports, hasExterns: hasExterns),
                outputFolder: isCheckOnly ? nil : folder, paths: paths))
    }

    private static func isModuleName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.first.map { !(0x30...0x39).contains($0) } == true
            && name.unicodeScalars.allSatisfy {
                $0 == "_" || ($0.isASCII && ($0.properties.isAlphabetic || (0x30...0x39).contains($0.value)))
            }
    }
}
