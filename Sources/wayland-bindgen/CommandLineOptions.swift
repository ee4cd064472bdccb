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

    struct Import {
        var module: String
        var known: [(side: Bindgen.Side, path: String)] = []
    }

    /// What is written: bindings of a side, or the wire tables.
    enum Product: Equatable {
        case bindings(Bindgen.Side)
        case wire
    }

    var product: Product
    var imports: [Import]
    var hasExterns: Bool
    /// For the wire tables: files that need not be right, and messages that get a name.
    var optionalPaths: [String]
    var watched: [String]
    /// Nil with `--check`.
    var outputFolder: String?
    var paths: [String]

    static let help = """
        usage: wayland-bindgen --side client|server --out DIR [--import MODULE]... [--known MODULE SIDE XML]...
                               [--extern] FILE.xml...
               wayland-bindgen --side wire --out DIR [--optional XML]... [--watch MESSAGE]... FILE.xml...
               wayland-bindgen --check [--extern] FILE.xml...

        Writes Swift bindings for Wayland protocols: DIR/<Name>.swift for each FILE, where <Name> is FILE's base name
        in upper camel case (xdg-shell.xml becomes XdgShell.swift).

          --side client|server  what to write: classes for clients (module WaylandClient) or servers (WaylandServer)
          --side wire           DIR/WireData.swift instead: where ids and descriptors are in all messages of all FILEs
          --optional XML        for wire: a further file; when something is wrong with it, it is left out
          --watch MESSAGE       for wire: a message that gets a name, as interface.message
          --out DIR             where to, created if need be; nothing is written unless all files are right
          --import MODULE       a module that the written files import besides the runtime's
          --known MODULE SIDE XML
                                imports MODULE too, and says that it was generated from XML for SIDE; may be repeated
          --extern              interfaces and enums that neither a FILE nor a known module defines are taken to come
                                from an imported one
          --check               read and check only
          --help, --version

        All FILEs are read together and may refer to each other. Errors go to stderr as file:line:column: error: what,
        and the exit status is 1.

        """

    static func parse(_ arguments: [String]) throws(CommandError) -> Command {
        var product: Product?
        var optionalPaths: [String] = []
        var watched: [String] = []
        var folder: String?
        var imports: [Import] = []
        var hasExterns = false
        var isCheckOnly = false
        var paths: [String] = []
        var rest = arguments[...]

        func value(of option: String) throws(CommandError) -> String {
            guard let value = rest.popFirst() else { throw CommandError("\(option) needs a value; see --help") }
            return value
        }

        func place(of module: String, _ option: String) throws(CommandError) -> Int {
            guard isModuleName(module) else { throw CommandError("\(option) \(module): that is no module's name") }
            if let index = imports.firstIndex(where: { $0.module == module }) { return index }
            imports.append(Import(module: module))
            return imports.count - 1
        }

        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": return .help
            case "--version": return .version
            case "--check": isCheckOnly = true
            case "--extern": hasExterns = true
            case "--out": folder = try value(of: argument)
            case "--side":
                let side = try value(of: argument)
                product = side == "wire" ? .wire : .bindings(try parseSide(side, argument))
            case "--optional": optionalPaths.append(try value(of: argument))
            case "--watch": watched.append(try value(of: argument))
            case "--import": _ = try place(of: value(of: argument), argument)
            case "--known":
                let index = try place(of: value(of: argument), argument)
                let side = try parseSide(value(of: argument), argument)
                imports[index].known.append((side, try value(of: argument)))
            case "--":
                paths += rest
                rest = []
            case _ where argument.hasPrefix("-") && argument != "-":
                throw CommandError("unknown option \(argument); see --help")
            default: paths.append(argument)
            }
        }
        guard !paths.isEmpty else { throw CommandError("no file given; see --help") }
        guard isCheckOnly || (product != nil && folder != nil) else {
            throw CommandError("--side and --out are needed, or --check; see --help")
        }
        return .run(
            CommandLineOptions(
                product: product ?? .bindings(.client), imports: imports, hasExterns: hasExterns,
                optionalPaths: optionalPaths, watched: watched, outputFolder: isCheckOnly ? nil : folder, paths: paths))
    }

    private static func parseSide(_ text: String, _ option: String) throws(CommandError) -> Bindgen.Side {
        if let side = Bindgen.Side(rawValue: text) { return side }
        throw CommandError("\(option) \(text): there are only 'client' and 'server'")
    }

    private static func isModuleName(_ name: String) -> Bool {
        let isWord = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: false
            }
        }
        return isWord && name.first.map { !$0.isNumber } ?? false
    }
}
