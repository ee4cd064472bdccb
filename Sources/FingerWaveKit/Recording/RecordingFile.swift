internal import CLibc
internal import Recording

/// A recording's file, read piece by piece; `-` is standard input.
struct RecordingFile {
    /// Bytes. Larger ones are no faster.
    private static let piece = 1 << 18

    /// As it was given.
    let path: String
    private(set) var reader = RecordingInput()

    init(path: String) { self.path = path }

    /// Hands out what is found, to the end. A recording is read whatever is odd in it: throws only when the file itself
    /// cannot be read.
    mutating func read(_ body: (RecordingItem) throws(Failure) -> Void) throws(Failure) {
        let isInput = path == "-"
        let descriptor = isInput ? STDIN_FILENO : unsafe path.withCString { unsafe fw_open_for_reading($0) }
        guard descriptor >= 0 else { throw failure(fw_errno()) }
        defer { if !isInput { _ = close(descriptor) } }
        var piece = [UInt8](repeating: 0, count: RecordingFile.piece)
        var items: [RecordingItem] = []
        wait(for: descriptor)
        while true {
            let count = try read(descriptor, into: &piece)
            if count == 0 { break }
            var position = 0
            var hasMore = true
            while hasMore {
                hasMore = reader.read(piece, at: &position, end: count, into: &items)
                for item in items { try body(item) }
                items.removeAll(keepingCapacity: true)
            }
            if reader.isDone { break }
        }
        reader.finish(into: &items)
        for item in items { try body(item) }
    }

    private func read(_ descriptor: Int32, into piece: inout [UInt8]) throws(Failure) -> Int {
        while true {
            // SAFETY: within the array's storage for the length of the call.
            let count = unsafe piece.withUnsafeMutableBytes { buffer in
                unsafe CLibc.read(descriptor, buffer.baseAddress, buffer.count)
            }
            if count >= 0 { return count }
            switch fw_errno() {
            case EINTR: continue
            case EAGAIN: wait(for: descriptor)
            case let why: throw failure(why)
            }
        }
    }

    /// It was opened without waiting: a pipe's writer may have nothing yet, or may still be to come, which looks like
    /// the end of the file.
    private func wait(for descriptor: Int32) {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&state, 1, -1)
    }

    private func failure(_ why: Int32) -> Failure {
        Failure("cannot read \(path)", why: errorText(why), remedy: "name another file", code: .badInput)
    }

    /// Why nothing of the file could be read as a recording; nil when something could.
    func refusal(_ summary: RecordingSummary) -> Failure? {
        for fault in summary.faults {
            let remedy: String
            switch fault.kind {
            case .noFormat: remedy = "fingerwave help convert lists what is known"
            case .compressed(let program, _), .compressedTwice(_, let program):
                remedy = "unpack it first: \(program) -dc \(path) | fingerwave ... -"
            case .archive: remedy = "take the recording out of it first"
            // What came before it was no recording.
            case .damaged(let program, _, _), .packedCut(let program, _):
                if reader.format != nil { continue }
                remedy = "see what \(program) -t \(path) says"
            case .notRead: remedy = "see fingerwave --version for what this build reads"
            default: continue
            }
            return Failure("\(path):\(fault.line)", why: fault.kind.description, remedy: remedy, code: .badInput)
        }
        return nil
    }
}
