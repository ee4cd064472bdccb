internal import CLibc
internal import Gestures
package import Recording

/// What `fingerwave convert` takes.
package struct ConvertOptions: OptionTable {
    /// Nil: as the name of the file says.
    package var target: RecordingConverter.Target?
    /// Logical px.
    package var size: WindowOptions.Size?

    package init() {}

    package static let topic: HelpTopic? = .convert

    package static let entries: [OptionEntry<ConvertOptions>] = [
        OptionEntry(
            "to", .optional(.word(.required("FORMAT"), words), or: "auto"),
            "json, evemu, libinput or stage; else by OUT's ending", get: { $0.target }, put: { $0.target = $1 }),
        OptionEntry(
            "size", .optional(.size, or: "auto"), "logical px of the output that was touched", get: { $0.size },
            put: { $0.size = $1 }),
    ]

    private static let words: [(word: String, value: RecordingConverter.Target)] = [
        ("json", .jsonLines), ("evemu", .evemu), ("libinput", .libinputRecord), ("stage", .stageScript),
    ]

    /// The format that a file of this name has by habit.
    package static func target(ofPath path: String) -> RecordingConverter.Target? {
        switch path.split(separator: ".").last {
        case "jsonl", "json": .jsonLines
        case "events", "evemu", "ev": .evemu
        case "yml", "yaml": .libinputRecord
        case "stage": .stageScript
        default: nil
        }
    }
}

/// `fingerwave convert IN OUT`: writes a recording in another format, item by item.
struct ConvertCommand {
    private let options: ConvertOptions

    init(_ options: ConvertOptions) { self.options = options }

    func run(_ operands: [String]) throws(Failure) {
        guard operands.count == 2 else {
            throw .usage(
                "convert takes two files", why: "\(operands.count) were given", remedy: "see fingerwave help convert")
        }
        let (input, output) = (operands[0], operands[1])
        guard let target = options.target ?? ConvertOptions.target(ofPath: output) else {
            throw .usage(
                "the format of \(output) is not known", why: "its name does not tell", remedy: "add --to FORMAT")
        }
        if OutputFile.isSame(input, output) {
            throw .usage("cannot write \(output)", why: "it is the file that is read", remedy: "name another file")
        }
        var converter = RecordingConverter(
            target, size: options.size.map { Size(width: Double($0.width), height: Double($0.height)) })
        var file = RecordingFile(path: input)
        // Made when there is something to write: what is no recording must not overwrite anything.
        var sink: OutputFile?
        var text = ""
        try file.read { (item) throws(Failure) in
            converter.convert(item, into: &text)
            guard text.utf8.count > 1 << 16 else { return }
            if sink == nil { sink = try OutputFile(path: output) }
            try sink?.write(&text)
        }
        if let refusal = file.refusal(converter.summary) { throw refusal }
        if sink == nil { sink = try OutputFile(path: output) }
        try sink?.write(&text)
        try sink?.finish()
        for fault in converter.summary.faults {
            complain("fingerwave: \(input):\(fault.line): \(fault.kind.description)\n")
        }
        for loss in converter.losses { complain("fingerwave: \(output): \(loss.description)\n") }
    }
}

/// A file that is written from its beginning; `-` is standard output.
final class OutputFile {
    private let path: String
    private var descriptor: Int32

    init(path: String) throws(Failure) {
        self.path = path
        guard path != "-" else {
            descriptor = STDOUT_FILENO
            return
        }
        descriptor = unsafe path.withCString { unsafe creat($0, 0o666) }
        guard descriptor >= 0 else { throw failure(fw_errno()) }
    }

    deinit { if descriptor > STDERR_FILENO { _ = close(descriptor) } }

    /// One and the same would be empty before its first line was read.
    static func isSame(_ first: String, _ second: String) -> Bool {
        var (a, b) = (stat(), stat())
        guard unsafe first.withCString({ unsafe stat($0, &a) }) == 0,
            unsafe second.withCString({ unsafe stat($0, &b) }) == 0
        else { return false }
        return a.st_dev == b.st_dev && a.st_ino == b.st_ino
    }

    /// Writes all of it and leaves it empty.
    func write(_ text: inout String) throws(Failure) {
        let bytes = Array(text.utf8)
        text = ""
        var start = 0
        while start < bytes.count {
            // SAFETY: within the array's storage for the length of the call.
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe CLibc.write(descriptor, buffer.baseAddress! + start, bytes.count - start)
            }
            if count < 0 {
                guard fw_errno() == EINTR else { throw failure(fw_errno()) }
            } else {
                start += count
            }
        }
    }

    /// Some file systems tell only now that the disk is full.
    func finish() throws(Failure) {
        guard descriptor > STDERR_FILENO else { return }
        let result = close(descriptor)
        descriptor = -1
        if result < 0 { throw failure(fw_errno()) }
    }

    private func failure(_ why: Int32) -> Failure {
        Failure("cannot write \(path)", why: errorText(why), remedy: "name another file", code: .badInput)
    }
}
