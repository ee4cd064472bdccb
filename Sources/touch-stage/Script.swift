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

    private(set) var lines: [Line] = []
    /// Whether no more can come.
    private(set) var isComplete = false
    private let name: String
    private var count = 0
    private var rest: [UInt8] = []

    /// A script that grows with ``add(_:)``.
    init(name: String) { self.name = name }

    init(path: String) throws(ReadError) {
        name = path
        guard let file = unsafe fopen(path, "r") else {
            throw ReadError(
                text: "\(path): \(SystemError(number: fw_errno()).text); name a file of commands, or - for the input")
        }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65536)
        while true {
            let length = unsafe bytes.withUnsafeMutableBytes { unsafe fread($0.baseAddress, 1, $0.count, file) }
            guard length > 0 else { break }
            try add(bytes[..<length])
        }
        try finish()
    }

    /// Takes in bytes and the lines that they complete.
    mutating func add(_ bytes: ArraySlice<UInt8>) throws(ReadError) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") { try endLine() } else { rest.append(byte) }
        }
    }

    /// The end of the input.
    mutating func finish() throws(ReadError) {
        if !rest.isEmpty { try endLine() }
        isComplete = true
    }

    mutating func next() -> Line? { lines.isEmpty ? nil : lines.removeFirst() }

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
