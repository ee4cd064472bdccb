/// Reads a recording of any format, chunk by chunk, in constant memory.
///
/// What a format is good for is decided by its first line that gives it away; what stood before says nothing of
/// touches.
package struct RecordingReader {
    /// Lines that are looked at before a file is given up on: logs of apps come before the first message of
    /// WAYLAND_DEBUG.
    static let mostUnknownLines = 100_000
    /// Bytes that are looked at before that.
    static let mostUnknownBytes = 1 << 26

    /// Nil as long as no line has given it away.
    package private(set) var format: RecordingFormat?
    private var lines = ChunkLines()
    private var unknownBytes = 0
    /// What the lines were unpacked from.
    private let compression: Compression?
    /// Nothing that follows is read.
    package private(set) var hasGivenUp = false
    private var evdevLines = EvdevLineReader()
    private var evemu = EvemuParser()
    private var evtest = EvtestParser()
    private var getevent = GeteventParser()
    private var waylandDebug = WaylandDebugParser()
    private var debugEvents = DebugEventsParser()
    #if YAML
        private var libinputRecord = LibinputRecordParser()
    #endif

    package init() { self.init(unpackedBy: nil) }

    init(unpackedBy compression: Compression?) { self.compression = compression }

    #if YAML
        /// Of one device of a libinput record: it begins at this line, and as many devices come before it.
        init(device: Int, from line: Int) {
            self.init(unpackedBy: nil)
            format = .libinputRecord
            lines = ChunkLines(behind: line - 1)
            libinputRecord = LibinputRecordParser(from: device)
        }
    #endif

    /// Lines that began.
    package var lineCount: Int { lines.count }

    /// Takes `chunk`, or that part of it, and appends what it tells.
    package mutating func read(_ chunk: [UInt8], _ range: Range<Int>? = nil, into items: inout [RecordingItem]) {
        var position = range?.lowerBound ?? 0
        let end = range?.upperBound ?? chunk.count
        if format == nil { unknownBytes += end - position }
        while !hasGivenUp, let line = lines.next(in: chunk, at: &position, end: end) { take(line, into: &items) }
        if format == nil, unknownBytes > RecordingReader.mostUnknownBytes, !hasGivenUp {
            hasGivenUp = true
            report(.noFormat, max(1, lines.count), &items)
        }
    }

    /// No chunk follows; `isCut`: which has been said.
    package mutating func finish(isCut: Bool = false, into items: inout [RecordingItem]) {
        if !hasGivenUp, let line = lines.rest() {
            take(line, into: &items)
            if !hasGivenUp, !isCut { report(.cut, line.number, &items) }
        }
        let line = max(1, lines.count)
        switch format {
        case .evemu: evemu.finish(line, into: &items)
        case .evtest: evtest.finish(line, into: &items)
        case .getevent: getevent.finish(line, into: &items)
        #if YAML
            case .libinputRecord: libinputRecord.finish(line, into: &items)
        #endif
        case nil: if !hasGivenUp { report(lines.count == 0 ? .empty : .noFormat, line, &items) }
        default: break
        }
        items.append(RecordingItem(line: line, .end))
    }

    private func report(_ fault: RecordingFault.Kind, _ line: Int, _ items: inout [RecordingItem]) {
        items.append(RecordingItem(line: line, .fault(fault)))
    }

    private mutating func take(_ line: ChunkLines.Line, into items: inout [RecordingItem]) {
        if line.isTooLong { report(.longLine, line.number, &items) }
        var cursor = LineCursor(line.bytes, line.range)
        if format == nil || format == .waylandDebug || format == .debugEvents {
            cursor = cursor.withoutColours ?? cursor
        }
        if format == nil {
            settleFormat(cursor, line.number, into: &items)
            guard format != nil, !hasGivenUp else { return }
        }
        guard !line.isTooLong else { return }
        switch format {
        case .jsonLines: readJSON(cursor, line.number, into: &items)
        case .evemu: evemu.read(cursor, line.number, into: &items)
        case .evtest: evtest.read(cursor, line.number, into: &items)
        case .getevent: getevent.read(cursor, line.number, into: &items)
        case .waylandDebug: waylandDebug.read(cursor, line.number, into: &items)
        case .debugEvents: debugEvents.read(cursor, line.number, into: &items)
        #if YAML
            case .libinputRecord: libinputRecord.read(cursor, line.number, into: &items)
        #endif
        default: break
        }
    }

    private mutating func settleFormat(_ cursor: LineCursor, _ line: Int, into items: inout [RecordingItem]) {
        if line == 1, let fault = packing(cursor) {
            hasGivenUp = true
            report(fault, line, &items)
            return
        }
        format = RecordingFormat(of: cursor)
        switch format {
        case .hidRecorder:
            hasGivenUp = true
            report(.notRead("hid-recorder"), line, &items)
        case .stageScript:
            hasGivenUp = true
            report(.notRead("a script of touch-stage"), line, &items)
        #if !YAML
            case .libinputRecord:
                hasGivenUp = true
                report(.notRead("libinput record, without libyaml in this build,"), line, &items)
        #endif
        case nil where line >= RecordingReader.mostUnknownLines:
            hasGivenUp = true
            report(.noFormat, line, &items)
        default: break
        }
    }

    /// Why a file of this beginning has no lines.
    private func packing(_ cursor: LineCursor) -> RecordingFault.Kind? {
        let head = cursor.bytes(cursor.rest.prefix(Compression.longestMagic))
        if let packed = Compression(head[...]) {
            if let compression { return .compressedTwice(by: packed.program, within: compression.program) }
            return .compressed(by: packed.program, lacking: packed.library)
        }
        if cursor.starts(with: "BZh") { return .compressed(by: "bzip2") }
        if cursor.starts(with: "PK\u{3}\u{4}") { return .archive("zip") }
        // POSIX's ustar and GNU's; what is older has nothing that tells.
        var name = cursor
        name.skip(257)
        return name.starts(with: "ustar") ? .archive("tar") : nil
    }

    private mutating func readJSON(_ cursor: LineCursor, _ line: Int, into items: inout [RecordingItem]) {
        var start = cursor
        start.skipBlanks()
        guard !start.isAtEnd else { return }
        do throws(TouchLineError) {
            let fields: JSONFields
            do throws(JSONProblem) { fields = try JSONFields(utf8: cursor.bytes(cursor.rest)) } catch {
                throw .notJSON(error)
            }
            // What it has of the kernel's events stays a line as well.
            try evdevLines.read(LineFields(fields: fields), line, into: &items)
            let touch = try TouchLine(LineFields(fields: fields))
            if let version = touch.newerVersion { report(.newerVersion(version), line, &items) }
            items.append(RecordingItem(line: line, .touch(touch)))
        } catch {
            report(.unreadable(error.description), line, &items)
        }
    }
}
