internal import FingerWaveKit

#if hasFeature(Embedded)
    // SwiftPM renames an executable's `main` to `<target>_main`; Embedded Swift has no CommandLine.
    @_cdecl("fingerwave_main")
    func main(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32 {
        // SAFETY: the C runtime gives `count` NUL-terminated strings that live as long as the process.
        let words = (1..<max(1, Int(count))).compactMap { index in
            unsafe arguments[index].map { unsafe String(cString: $0) }
        }
        return Command.run(words)
    }
#else
    internal import CLibc

    @main
    enum Entry {
        static func main() { exit(Command.run(Array(CommandLine.arguments.dropFirst()))) }
    }
#endif
