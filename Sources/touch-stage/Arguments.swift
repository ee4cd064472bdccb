internal import CLibc
internal import TouchStage
internal import WaylandProtocols

/// What the command line asks for.
struct Arguments {
    var stage = Stage.Options()
    /// A file, or `-` for the standard input.
    var script: String?
    var screenshot: String?
    var socket: String?
    var exitAfter: Double?
    /// Fail when the client breaks a rule.
    var checks = false
    /// The program to start, and its arguments.
    var child: [String] = []

    enum Outcome {
        case run(Arguments)
        case help
        case version
    }

    struct UsageError: Error {
        var text: String
    }

    /// Whether the path leads to the script.
    func isScript(_ path: String) -> Bool {
        var (one, other) = (stat(), stat())
        guard let script, script != "-", unsafe stat(script, &one) == 0, unsafe stat(path, &other) == 0 else {
            return false
        }
        let isFile = one.st_mode & UInt32(S_IFMT) == UInt32(S_IFREG)
        return isFile && one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }

    static let usage = """
        usage: touch-stage [OPTIONS] [-- PROGRAM ARGUMENTS...]

        A headless Wayland compositor to test clients with: it shows windows to nobody, touches them by script, and
        writes what a user would have seen to a PNG file.

          --size WxH          the screen in hardware px (800x600)
          --scale S           its scale, fractions too, rounded to 120ths as clients are told it (1)
          --transform N       its transform: normal, 90, 180, 270, flipped, flipped-90, flipped-180, flipped-270, or 0 to 7
          --script FILE       commands, one a line; - reads the standard input
          --screenshot FILE   write a PNG when all is done
          --socket NAME       the socket's name (the first free wayland-N); a private XDG_RUNTIME_DIR is made when unset
          --exit-after S      end after S seconds at the latest
          --offer NAME=N      offer a global in version N, such as wl_compositor=4
          --without NAME      leave a global out, such as wp_viewporter or wl_seat
          --check             fail with status 124 when the client breaks a rule
          --help, --version

        The script's commands: down ID X Y, move ID X Y, up ID, frame, cancel, shape ID MAJOR MINOR,
        orientation ID DEGREES, pointer X Y, pointer-out, button CODE 0|1, key CODE 0|1, pen-in X Y, pen-move X Y,
        pen-pressure 0...1, pen-tilt X Y, pen-down, pen-up, pen-out, tool N EVENT, size WxH, sleep MS, sync, wait-window,
        screenshot FILE, quit. Positions are logical px, # begins a comment. Its end ends the program.

        Each command of a pen has a frame of its own. tool N is any tool, event by event: added TYPE, in X Y, move X Y, down,
        up, pressure 0...1, distance 0...1, tilt X Y, rotation DEGREES, slider POSITION, wheel DEGREES CLICKS,
        button CODE 0|1, out, removed, frame. frame may come without anything before it; size changes the screen's,
        in logical px, too.

        Exit status: 0 when all was done; the program's own status (128 and the signal's number when one killed it) if it
        failed first; 124 for a broken rule under --check; 125 when touch-stage itself failed; 126 when the program could
        not be started, 127 when there is none of that name; 129, 130 or 143 after SIGHUP, SIGINT or SIGTERM.
        """

    static let names = [
        "--size", "--scale", "--transform", "--script", "--screenshot", "--socket", "--exit-after", "--offer",
        "--without",
        "--check", "--help", "--version",
    ]

    static func parse(_ words: [String]) throws(UsageError) -> Outcome {
        var arguments = Arguments()
        var output = StageOutput.State(width: 800, height: 600)
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                arguments.child = Array(rest)
                break
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = parts[0]
            var inline = parts.count > 1 ? parts[1] : nil
            func value() throws(UsageError) -> String {
                defer { inline = nil }
                guard let value = inline ?? rest.popFirst() else {
                    throw UsageError(text: "\(name): a value is missing")
                }
                return value
            }
            switch name {
            case "--help", "--version":
                if inline != nil { throw UsageError(text: "\(name) takes no value") }
                return name == "--help" ? .help : .version
            case "--check": arguments.checks = true
            case "--size":
                let text = try value()
                let sides = text.split(separator: "x").compactMap { Int32($0) }
                guard sides.count == 2, text.split(separator: "x").count == 2,
                    sides.allSatisfy({ (1...16384).contains($0) })
                else { throw UsageError(text: "--size: \"\(text)\" is not WxH with sides from 1 to 16384") }
                output.width = sides[0]
                output.height = sides[1]
            case "--scale":
                let text = try value()
                guard let scale = Double(text), scale >= 0.25, scale <= 16 else {
                    throw UsageError(text: "--scale: \"\(text)\" is no number from 0.25 to 16")
                }
                output.scale = scale
            case "--transform":
                let text = try value()
                guard let transform = transform(text) else {
                    throw UsageError(text: "--transform: \"\(text)\" is no transform")
                }
                output.transform = transform
            case "--script": arguments.script = try value()
            case "--screenshot": arguments.screenshot = try value()
            case "--socket":
                let text = try value()
                guard !text.isEmpty else { throw UsageError(text: "--socket: \"\" is no name") }
                arguments.socket = text
            case "--exit-after":
                let text = try value()
                guard let seconds = Double(text), seconds >= 0, seconds <= 1e6 else {
                    throw UsageError(text: "--exit-after: \"\(text)\" is no number of seconds")
                }
                arguments.exitAfter = seconds
            case "--offer": try arguments.offer(try value())
            case "--without": try arguments.leaveOut(try value())
            default:
                let near = names.min { distance(name, $0) < distance(name, $1) } ?? "--help"
                throw UsageError(text: "unknown option \(name): did you mean \(near)? programs to start come after --")
            }
            if inline != nil { throw UsageError(text: "\(name) takes no value") }
        }
        if !arguments.stage.outputs.isEmpty { arguments.stage.outputs = [output] }
        arguments.stage.frames = .automatic(hertz: 60)
        return .run(arguments)
    }

    private mutating func offer(_ text: String) throws(UsageError) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let version = UInt32(parts[1]), version >= 1 else {
            throw UsageError(text: "--offer: \"\(text)\" is not NAME=VERSION")
        }
        let newest: UInt32
        if parts[0] == "wl_seat" {
            newest = 10
            stage.seats = [Stage.SeatOptions(version: min(version, newest))]
        } else if parts[0] == "wl_output" {
            newest = 4
            stage.outputVersion = min(version, newest)
        } else if let global = StageGlobal(rawValue: parts[0]) {
            newest = global.newestVersion
            stage.globals[global] = version
        } else {
            throw UsageError(text: "--offer: there is no global \"\(parts[0])\" here")
        }
        guard version <= newest else {
            throw UsageError(text: "--offer: \(parts[0]) is known up to version \(newest)")
        }
    }

    private mutating func leaveOut(_ name: String) throws(UsageError) {
        switch name {
        case "wl_seat": stage.seats = []
        case "wl_output": stage.outputs = []
        default:
            guard let global = StageGlobal(rawValue: name) else {
                throw UsageError(text: "--without: there is no global \"\(name)\" here")
            }
            stage.globals[global] = nil
        }
    }

    private static func transform(_ text: String) -> WlOutput.Transform? {
        if let number = UInt32(text), number <= 7 { return WlOutput.Transform(rawValue: number) }
        let names = ["normal", "90", "180", "270", "flipped", "flipped-90", "flipped-180", "flipped-270"]
        return names.firstIndex(of: text).map { WlOutput.Transform(rawValue: UInt32($0)) }
    }

    /// How many letters must be put in, taken out or changed (Levenshtein).
    private static func distance(_ a: String, _ b: String) -> Int {
        let other = Array(b)
        var row = Array(0...other.count)
        for (i, letter) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for j in 0..<other.count {
                let above = row[j + 1]
                row[j + 1] = min(above + 1, row[j] + 1, diagonal + (letter == other[j] ? 0 : 1))
                diagonal = above
            }
        }
        return row[other.count]
    }
}
