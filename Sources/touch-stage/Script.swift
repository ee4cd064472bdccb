internal import CLibc
internal import TouchStage

/// The commands to do, from a file at once or from standard input as they come.
struct Script {
    struct Line {
        var number: Int
        var command: StageCommand
    }

    struct ReadError: Error {
        var text: String
    }

    /// Bytes; a longer line is no command.
    private static let longestLine = 4096
    /// Of a file: hours of touches, and some 500 MB.
    private static let mostLines = 10_000_000

    /// Those before ``first`` are done.
    private var lines: [Line] = []
    private var first = 0
    /// Commands that are to be done.
    var waitingCount: Int { lines.count - first }
    /// Whether no more can come.
    private(set) var isComplete = false
    private let name: String
    private var count = 0
    private var rest: [UInt8] = []

    /// A script that grows with ``add(_:)``.
    init(name: String) { self.name = name }

    init(path: String) throws(ReadError) {
        name = path
        guard let file = unsafe fopen(path, "r") else { throw unreadable(fw_errno()) }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65536)
        while true {
            let length = unsafe bytes.withUnsafeMutableBytes { unsafe fread($0.baseAddress, 1, $0.count, file) }
            if length == 0, unsafe ferror(file) != 0 { throw unreadable(fw_errno()) }
            guard length > 0 else { break }
            try add(bytes[..<length])
            guard lines.count <= Script.mostLines else {
                throw ReadError(
                    text: "\(path) has more than \(Script.mostLines) commands; --script - reads as many as come")
            }
        }
        try finish()
    }

    private func unreadable(_ number: Int32) -> ReadError {
        ReadError(
            text: "\(named(name)): \(SystemError(number: number).text); name a file of commands, or - for the input")
    }

    /// Takes in bytes and the lines that they complete.
    mutating func add(_ bytes: ArraySlice<UInt8>) throws(ReadError) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                try endLine()
            } else {
                guard rest.count < Script.longestLine else {
                    throw ReadError(text: "\(name):\(count + 1): a line longer than \(Script.longestLine) bytes")
                }
                rest.append(byte)
            }
        }
    }

    /// The end of the input.
    mutating func finish() throws(ReadError) {
        if !rest.isEmpty { try endLine() }
        isComplete = true
    }

    mutating func next() -> Line? {
        guard first < lines.count else { return nil }
        let line = lines[first]
        first += 1
        if first == lines.count {
            lines.removeAll(keepingCapacity: true)
            first = 0
        } else if first > 4096, first > lines.count / 2 {
            lines.removeFirst(first)
            first = 0
        }
        return line
    }

    func place(_ line: Line) -> String { "\(name):\(line.number)" }

    private mutating func endLine() throws(ReadError) {
        let text = String(decoding: rest, as: UTF8.self)
        rest = []
        count += 1
        do {
            if let command = try StageCommand.parse(text) { lines.append(Line(number: count, command: command)) }
        } catch {
            throw ReadError(text: "\(name):\(count): \(error)")
        }
    }
}
