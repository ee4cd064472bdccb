internal import CLibc
internal import CLinuxShims
internal import Recording

/// A recording's file, read piece by piece; `-` is standard input.
struct RecordingFile {
    /// Bytes. Larger ones are no faster.
    private static let size = 1 << 18

    /// As it was given.
    let path: String
    private(set) var reader = RecordingInput()
    /// -1 while it is not open. Its owner closes it.
    private(set) var descriptor: Int32 = -1
    private var piece: [UInt8] = []
    /// What is still to be read of the piece.
    private var rest = 0..<0
    private var hasMore = false
    /// Nothing has been read.
    private var isFresh = true
    #if YAML
        /// Devices that are read side by side.
        private var merged: MergedDevices?
        private var hasLooked = false
        /// Of the file's beginning; nil for what cannot be read in several places.
        private var origin: Int64?
    #endif

    init(path: String) { self.path = path }

    /// A file can; of a pipe nothing is left.
    var canBeReadAgain: Bool {
        var status = stat()
        guard path != "-", unsafe path.withCString({ unsafe stat($0, &status) }) == 0 else { return false }
        return status.st_mode & UInt32(S_IFMT) == UInt32(S_IFREG)
    }

    /// Whether it is there, whatever it is.
    var exists: Bool {
        if path == "-" { return true }
        return unsafe path.withCString { unsafe access($0, F_OK) } == 0
    }

    /// Hands out what is found, to the end. A recording is read whatever is odd in it: throws only when the file itself
    /// cannot be read.
    mutating func read(_ body: (RecordingItem) throws(Failure) -> Void) throws(Failure) {
        try open()
        defer { close() }
        var items: [RecordingItem] = []
        var isOver = false
        while !isOver {
            isOver = try !readPiece(into: &items)
            for item in items { try body(item) }
            items.removeAll(keepingCapacity: true)
        }
    }

    /// Refuses what it would be read from and printed into at once.
    mutating func open() throws(Failure) {
        try OutputFile.check(input: path, output: "-")
        let isInput = path == "-"
        descriptor = isInput ? STDIN_FILENO : unsafe path.withCString { unsafe fw_open_for_reading($0) }
        guard descriptor >= 0 else { throw failure(fw_errno()) }
        isFresh = true
        #if YAML
            origin = RecordingFile.origin(of: descriptor)
        #endif
    }

    mutating func close() {
        if descriptor > STDERR_FILENO { _ = CLibc.close(descriptor) }
        descriptor = -1
    }

    /// Whether something can be read now: a pipe's writer may have nothing yet.
    var isReady: Bool {
        if hasMore { return true }
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&state, 1, 0) != 0
    }

    /// Appends what comes next, as much as there is memory for; false when nothing follows it.
    mutating func readPiece(into items: inout [RecordingItem]) throws(Failure) -> Bool {
        #if YAML
            if merged != nil { return try readMerged(into: &items) }
        #endif
        let before = items.count
        if !hasMore {
            if piece.isEmpty { piece = [UInt8](repeating: 0, count: RecordingFile.size) }
            // A pipe that nobody has opened for writing yet reads as if it were at its end; one without a name has had its
            // writer. Later, poll does not tell of the end of one whose writer had gone before it was opened, but read does.
            if isFresh, fw_is_nameless_pipe(descriptor) == 0 { wait(for: descriptor) }
            isFresh = false
            rest = 0..<(reader.isDone ? 0 : try read(descriptor, into: &piece))
            guard !rest.isEmpty else {
                reader.finish(into: &items)
                return false
            }
        }
        var position = rest.lowerBound
        hasMore = reader.read(piece, at: &position, end: rest.upperBound, into: &items)
        rest = position..<rest.upperBound
        #if YAML
            if !hasLooked, reader.format != nil {
                hasLooked = true
                try lookForDevices()
                // All of it comes in its order.
                if merged != nil { items.removeSubrange(before...) }
            }
        #endif
        return true
    }

    #if YAML
        /// Where reading begins in a file that can be read anywhere.
        private static func origin(of descriptor: Int32) -> Int64? {
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0, status.st_mode & UInt32(S_IFMT) == UInt32(S_IFREG) else {
                return nil
            }
            let place = lseek(descriptor, 0, SEEK_CUR)
            return place < 0 ? nil : Int64(place)
        }

        /// Each device of a libinput record has its events in one piece: where there are several they are read side by side.
        private mutating func lookForDevices() throws(Failure) {
            guard let origin, reader.format == .libinputRecord, !reader.isRecoded else { return }
            var blocks = DeviceBlocks()
            var bytes = [UInt8](repeating: 0, count: RecordingFile.size)
            var place = origin
            while true {
                let count = try read(&bytes, at: place, bytes.count)
                guard count > 0 else { break }
                blocks.read(bytes, count)
                place += Int64(count)
            }
            blocks.finish()
            if blocks.hasSeveral { merged = MergedDevices(blocks) }
        }

        private mutating func readMerged(into items: inout [RecordingItem]) throws(Failure) -> Bool {
            guard var merged else { return false }
            self.merged = nil
            defer { self.merged = merged }
            // There is as much for each as there is for a file.
            let most = RecordingFile.size / 4
            while let (lane, place) = merged.need {
                let count = Int(min(Int64(most), place.upperBound - place.lowerBound))
                let found = try read(&piece, at: (origin ?? 0) + place.lowerBound, count)
                merged.supply(piece, found, to: lane)
            }
            merged.take(into: &items)
            return !merged.isOver
        }

        private func read(_ bytes: inout [UInt8], at place: Int64, _ most: Int) throws(Failure) -> Int {
            while true {
                // SAFETY: within the array's storage for the length of the call.
                let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                    unsafe pread(descriptor, buffer.baseAddress, min(most, buffer.count), off_t(place))
                }
                if count >= 0 { return count }
                if fw_errno() != EINTR { throw failure(fw_errno()) }
            }
        }
    #endif

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
        Failure("cannot read \(named(path))", why: errorText(why), remedy: "name another file", code: .badInput)
    }

    /// Why nothing of the file could be read as a recording; nil when something could.
    func refusal(_ summary: RecordingSummary) -> Failure? {
        for fault in summary.faults {
            let remedy: String
            switch fault.kind {
            case .empty: remedy = "name another file"
            case .noFormat:
                let lines = RecordingWriter.lines(summary.lineCount)
                return Failure(
                    "\(path):\(fault.line)", why: fault.kind.description + ": \(lines) and none of a recording",
                    remedy: "fingerwave help convert lists what is known", code: .badInput)
            case .notRead where reader.format == .stageScript:
                remedy = "touch-stage --script \(path) -- APP plays it"
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
