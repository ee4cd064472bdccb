internal import CLibc
internal import CLinuxShims
internal import TouchStage
internal import WaylandServer

@main
enum Entry {
    static func main() {
        fw_fill_standard_descriptors()
        fw_end_by_signals()
        do {
            switch try Arguments.parse(Array(CommandLine.arguments.dropFirst())) {
            case .help: if !say(Arguments.usage) { exit(Program.ownFailure) }
            case .version: if !say("touch-stage 0.1.0") { exit(Program.ownFailure) }
            case .run(let arguments):
                do {
                    exit(try Program(arguments).run())
                } catch {
                    complain("cannot make a display: \(error); free some memory or descriptors")
                    exit(Program.ownFailure)
                }
            }
        } catch {
            complain("\(error.text); see touch-stage --help")
            exit(Program.ownFailure)
        }
    }
}
