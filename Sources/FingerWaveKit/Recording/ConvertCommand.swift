internal import Gestures
package import Recording

/// What `fingerwave convert` takes.
package struct ConvertOptions: OptionTable {
    /// Nil: as the name of the file says.
    package var target: RecordingConverter.Target?
    /// Logical px.
    package var size: WindowOptions.Size?
    /// Nil: all, as far as there is room for them.
    package var on: String?

    package init() {}

    package static let topic: HelpTopic? = .convert

    package static let entries: [OptionEntry<ConvertOptions>] = [
        OptionEntry(
            "to", .optional(.word(.required("FORMAT"), words), or: "auto"),
            "json, evemu, libinput or stage; else by OUT's ending", get: { $0.target }, put: { $0.target = $1 }),
        OptionEntry(
            "size", .optional(.touchedSize, or: "auto"), "of what was touched, px or 95x57mm", get: { $0.size },
            put: { $0.size = $1 }),
        OptionEntry(
            "on", .optional(.text("NAME"), or: ""), "of several outputs or panels, this one", get: { $0.on },
            put: { $0.on = $1 }),
    ]

    private static let words: [(word: String, value: RecordingConverter.Target)] = [
        ("json", .jsonLines), ("evemu", .evemu), ("libinput", .libinputRecord), ("stage", .stageScript),
    ]

    /// The program that packs files of such names; nil for a name of none.
    static func packer(ofPath path: String) -> String? {
        switch path.split(separator: ".").last {
        case "gz": "gzip"
        case "xz": "xz"
        case "zst": "zstd"
        case "bz2": "bzip2"
        default: nil
        }
    }

    /// The format that a file of this name has by habit.
    package static func target(ofPath path: String) -> RecordingConverter.Target? {
        switch path.split(separator: ".").last {
        case "jsonl", "json": .jsonLines
        case "events", "evemu", "ev": .evemu
        case "yml", "yaml": .libinputRecord
        case "stage", "script": .stageScript
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
                "convert takes two files", why: given(operands.count), remedy: "see fingerwave help convert")
        }
        let (input, output) = (operands[0], operands[1])
        if let packer = ConvertOptions.packer(ofPath: output) {
            throw .usage(
                "cannot write \(output)", why: "what is written is not packed",
                remedy: "fingerwave convert --to FORMAT \(input) - | \(packer) >\(output)")
        }
        guard let target = options.target ?? ConvertOptions.target(ofPath: output) else {
            throw .usage(
                "the format of \(output) is not known", why: "its name does not tell", remedy: "add --to FORMAT")
        }
        try OutputFile.check(input: input, output: output)
        var converter = RecordingConverter(
            target, size: options.size.map { Size(width: Double($0.width), height: Double($0.height)) },
            device: options.on)
        var file = RecordingFile(path: input)
        // Made when there is something to write: what is no recording must not overwrite anything.
        var sink: OutputFile?
        var text = ""
        var items: [RecordingItem] = []
        try file.open()
        defer { file.close() }
        var hasMore = true
        while hasMore {
            // A pipe may have nothing for long, and signals wait while a file is written that must be whole.
            if let sink, !file.isReady { try sink.wait(untilReadable: file.descriptor) }
            hasMore = try file.readPiece(into: &items)
            for item in items {
                converter.convert(item, into: &text)
                guard text.utf8.count > 1 << 16 else { continue }
                if sink == nil { sink = try OutputFile(path: output, .whole) }
                try sink?.write(&text)
            }
            items.removeAll(keepingCapacity: true)
            // Who reads it at once need not wait for the end.
            guard output == "-", !text.isEmpty else { continue }
            if sink == nil { sink = try OutputFile(path: output) }
            try sink?.write(&text)
        }
        if let refusal = file.refusal(converter.summary) { throw refusal }
        if let lack = lack(of: converter, input) { throw lack }
        if sink == nil { sink = try OutputFile(path: output, .whole) }
        try sink?.write(&text)
        try sink?.finish()
        for fault in converter.summary.faults {
            complain("fingerwave: \(input):\(fault.line): \(fault.kind.description)\n")
        }
        for loss in converter.losses { complain("fingerwave: \(output): \(loss.description)\n") }
    }

    /// Why what was made of it has nothing in it.
    private func lack(of converter: RecordingConverter, _ input: String) -> Failure? {
        if converter.lacksDevice {
            let described = converter.summary.devices.map { $0.node ?? $0.name }
            let known = described + converter.summary.namedDevices.compactMap { $0.device }
            return Failure(
                "\(input) has nothing of \(options.on ?? "")",
                why: known.isEmpty ? "it names no devices" : "there is " + known.joined(separator: ", "),
                remedy: "fingerwave info \(input) lists them", code: .badInput)
        }
        guard converter.lacksSize else { return nil }
        return Failure(
            "nothing of \(input) can be written",
            why: "its places are in logical px of an output whose size it does not tell",
            remedy: "add --size WxH", code: .badInput)
    }
}
