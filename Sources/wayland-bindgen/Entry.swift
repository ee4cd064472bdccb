internal import Glibc
internal import WaylandXML

@main
enum Entry {
    static func main() {
        do throws(CommandError) {
            switch try CommandLineOptions.parse(Array(CommandLine.arguments.dropFirst())) {
            case .help: print(CommandLineOptions.help, terminator: "")
            case .version: print("wayland-bindgen 1.0")
            case .run(let options): try run(options)
            }
        } catch {
            for line in error.lines { Files.writeError(line + "\n") }
            exit(1)
        }
    }

    private static func run(_ options: CommandLineOptions) throws(CommandError) {
        switch options.product {
        case .bindings(let side): try writeBindings(side, options)
        case .wire: try writeWireTables(options)
        }
    }

    private static func writeWireTables(_ options: CommandLineOptions) throws(CommandError) {
        let limit = XMLLimits().bytes
        let input = WireEmitter.Input(
            required: try read(options.paths, limit: limit), optional: try read(options.optionalPaths, limit: limit),
            watched: options.watched)
        let output: Bindgen.Output
        do throws(Bindgen.Failure) {
            output = try WireEmitter.generate(input)
        } catch {
            throw CommandError(lines: error.diagnostics.map(\.description))
        }
        if let folder = options.outputFolder { try Files.write([output], to: folder) }
    }

    private static func writeBindings(
        _ side: Bindgen.Side, _ options: CommandLineOptions
    ) throws(CommandError) {
        var bindgen = Bindgen.Options(side: side, hasExterns: options.hasExterns)
        let sources = try read(options.paths, limit: bindgen.limits.bytes)
        for entry in options.imports {
            let known = try read(entry.known.map(\.path), limit: bindgen.limits.bytes)
            bindgen.imports.append(Bindgen.Import(entry.module, known: Array(zip(entry.known.map(\.side), known))))
        }
        let outputs = try generate(sources, bindgen)
        // Everything is there before anything is written: a failure leaves the folder as it was.
        if let folder = options.outputFolder { try Files.write(outputs, to: folder) }
    }

    private static func read(_ paths: [String], limit: Int) throws(CommandError) -> [SourceFile] {
        var sources: [SourceFile] = []
        for path in paths { sources.append(try Files.read(path, limit: limit)) }
        return sources
    }

    private static func generate(
        _ sources: [SourceFile], _ options: Bindgen.Options
    ) throws(CommandError) -> [Bindgen.Output] {
        do throws(Bindgen.Failure) {
            return try Bindgen.generate(sources, options)
        } catch {
            throw CommandError(lines: error.diagnostics.map(\.description))
        }
    }
}
