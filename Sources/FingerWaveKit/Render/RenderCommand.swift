internal import CLibc
internal import Recording
internal import Ripples

/// `fingerwave render FILE -o OUT`: pictures and films of a recording, without a compositor.
struct RenderCommand {
    private let settings: RenderSettings
    private var options: RenderOptions { settings.render }

    init(_ settings: RenderSettings) { self.settings = settings }

    func run(_ operands: [String]) throws(Failure) {
        guard operands.count == 1, let input = operands.first else {
            if operands.count == 2, options.out == nil {
                throw .usage(
                    "render takes one recording", why: given(2),
                    remedy: "the file to write stands behind -o: fingerwave render \(operands[0]) -o \(operands[1])")
            }
            throw help("render takes one recording", why: given(operands.count))
        }
        guard let out = options.out else { throw help("render has nowhere to write to", why: "-o OUT is missing") }
        if RenderOptions.Kind.isForEncoders(path: out) {
            throw .usage(
                "cannot write \(out)", why: "films of this kind are an encoder's work",
                remedy: "fingerwave render \(input) -o - | ffmpeg -i - \(out)")
        }
        guard let kind = options.kind ?? RenderOptions.Kind.of(path: out) else {
            throw .usage(
                "what \(out) is to be is not known", why: "its name does not tell", remedy: "add --as KIND")
        }
        try check(kind, input, out)
        try check(kind, out)
        let progress = RenderProgress()
        defer { progress.clear() }
        let job = try RenderJob(settings, kind, RecordingPasses(path: input), progress)
        if kind.isFilm { try job.writeFilm(out) } else { try job.writePicture(out) }
        progress.clear()
        if let note = job.note { complain("fingerwave: \(out == "-" ? "the picture" : out) \(note)\n") }
        if let failure = job.textFailure { complain("fingerwave: \(out) has no text: \(failure)\n") }
    }

    private func help(_ what: String, why: String) -> Failure {
        .usage(what, why: why, remedy: "see fingerwave help render")
    }

    /// That everything that was said has a say in what is made.
    private func check(_ kind: RenderOptions.Kind, _ out: String) throws(Failure) {
        if out != "-", let named = RenderOptions.Kind.of(path: out), named.format != kind.format {
            throw .usage(
                "cannot write \(out)",
                why: "\(kind.name) is \(kind.format.rawValue), and the name says \(named.format.rawValue)",
                remedy: "give it another ending, or leave --as out")
        }
        for name in settings.given where !kind.takes(name) {
            let kinds = RenderOptions.Kind.allCases.filter { $0.takes(name) }.map { $0.name }
            throw .usage(
                "--\(name) has no say in \(out), which is of the kind \(kind.name)",
                why: "it is for " + kinds.joined(separator: ", "), remedy: "leave it out, or say another --as KIND")
        }
        if options.at != nil, options.from != nil || options.to != nil {
            throw .usage(
                "--\(options.from == nil ? "to" : "from") has no say beside --at",
                why: "--at is the moment that is shown", remedy: "leave one of them out")
        }
    }

    private func check(_ kind: RenderOptions.Kind, _ input: String, _ out: String) throws(Failure) {
        try OutputFile.check(input: input, output: out)
        if let image = options.backgroundImage, OutputFile.isSame(input: image, output: out) {
            throw .usage("cannot write \(out)", why: "it is the background image", remedy: "name another file")
        }
        if out == "-", isatty(STDOUT_FILENO) == 1 {
            throw .usage(
                "cannot write to a terminal", why: "pictures are no text",
                remedy: "name a file, or pipe it into a program")
        }
        if let from = options.from, let to = options.to, from >= to {
            throw .usage(
                "--from and --to leave nothing", why: "--from is not before --to", remedy: "change one of them")
        }
        if kind == .y4m, options.backgroundImage == nil, let color = Color(settings.look.background), color.alpha < 255
        {
            throw .usage(
                "y4m cannot be seen through", why: "--background is not opaque", remedy: "use --as webp, raw or moment")
        }
        #if !PNG
            if !kind.isFilm { throw .lacking("PNG pictures (\(kind.name))", "libpng") }
            if options.backgroundImage != nil { throw .lacking("--background-image", "libpng") }
        #endif
        #if !WEBP
            if kind == .webp { throw .lacking("WebP animations", "libwebp") }
        #endif
    }
}

extension Failure {
    #if !PNG || !WEBP
        fileprivate static func lacking(_ what: String, _ library: String) -> Failure {
            .usage(
                "\(what) cannot be made", why: "this build was made without \(library)",
                remedy: "use --as y4m or raw, or see fingerwave --version")
        }
    #endif
}
