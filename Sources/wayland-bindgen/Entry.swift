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
        var sources: [SourceFile] = []
        for path in options.paths { sources.append(try Files.read(path, limit: options.bindgen.limits.bytes)) }
        let outputs = try outputs(sources, options)
        // Everything is there before anything is written: a failure leaves the folder as it was.
        if let folder = options.outputFolder { try Files.write(outputs, to: folder) }
    }

    private static func outputs(
        _ sources: [SourceFile], _ options: CommandLineOptions
    ) throws(CommandError) -> [Bindgen.Output] {
        do throws(Bindgen.Failure) {
            return try Bindgen.generate(sources, options.bindgen)
        } catch {
            throw CommandError(lines: error.diagnostics.map(\.description))
        }
    }
}
