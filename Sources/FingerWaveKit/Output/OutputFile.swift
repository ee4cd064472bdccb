internal import CLibc
internal import CLinuxShims

/// A file that is written from its beginning; `-` is standard output.
final class OutputFile {
    enum Kind {
        /// As much of it as was written is of use, also when it is cut.
        case streamed
        /// Either all of it or nothing. Until it is whole it has another name that nothing had before, `.part` behind its
        /// own, and signals that end the program wait for the next write, which removes it first.
        case whole
    }

    /// Bytes of a name; NAME_MAX of Linux's limits.h.
    private static let longestName = 255
    /// More that are half done are somebody's mistake.
    private static let mostParts = 1000

    private let path: String
    private var descriptor: Int32 = -1
    /// The names that it has and that it is to have; nil for one that is written in place.
    private var names: (part: String, whole: String)?
    private var signals: HeldSignals?

    init(path: String, _ kind: Kind = .streamed) throws(Failure) {
        self.path = path
        guard path != "-" else {
            descriptor = STDOUT_FILENO
            return
        }
        // What is a device or a pipe is written to, and never replaced.
        if kind == .whole, let whole = OutputFile.replaceable(path) {
            signals = HeldSignals()
            openPart(of: whole)
        } else {
            descriptor = unsafe path.withCString { unsafe creat($0, 0o666) }
        }
        guard descriptor >= 0 else { throw failure(fw_errno()) }
    }

    /// `.part`, or `.part.1` where another one's file or link has that name, and so on.
    /// In place of a name that has no room for it there is ours.
    private func openPart(of whole: String) {
        let length = whole.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.count
        let folder = String(decoding: whole.utf8.dropLast(length), as: UTF8.self)
        for number in 0..<OutputFile.mostParts {
            let end = number == 0 ? ".part" : ".part.\(number)"
            let name = (length + end.utf8.count > OutputFile.longestName ? folder + "fingerwave" : whole) + end
            descriptor = unsafe name.withCString { unsafe fw_create_new($0) }
            if descriptor >= 0 { names = (name, whole) }
            guard descriptor < 0, fw_errno() == EEXIST else { return }
        }
    }

    deinit { abandon() }

    /// The file's own name behind links; nil for what is no regular file.
    private static func replaceable(_ path: String) -> String? {
        var status = stat()
        guard unsafe path.withCString({ unsafe stat($0, &status) }) == 0 else { return path }
        guard status.st_mode & UInt32(S_IFMT) == UInt32(S_IFREG) else { return nil }
        return realPath(path)
    }

    /// The name behind links; the same where nothing is there.
    static func realPath(_ path: String) -> String {
        // SAFETY: realpath's own memory, NUL-terminated, copied and freed here.
        guard let real = unsafe path.withCString({ unsafe realpath($0, nil) }) else { return path }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    /// One and the same would be empty before its first line was read, or grow for as long as it is read. `-` is standard
    /// input, and standard output; a terminal may be both.
    static func isSame(input: String, output: String) -> Bool {
        guard let a = status(input, STDIN_FILENO), let b = status(output, STDOUT_FILENO) else { return false }
        let isNamed = input != "-" && output != "-"
        return a.st_dev == b.st_dev && a.st_ino == b.st_ino
            && (isNamed || a.st_mode & UInt32(S_IFMT) == UInt32(S_IFREG))
    }

    /// For what would read what it writes.
    static func check(input: String, output: String) throws(Failure) {
        guard isSame(input: input, output: output) else { return }
        throw .usage(
            "cannot write \(output == "-" ? "standard output" : output)", why: "it is the file that is read",
            remedy: "name another file")
    }

    private static func status(_ path: String, _ descriptor: Int32) -> stat? {
        var status = stat()
        let result =
            path == "-" ? unsafe fstat(descriptor, &status) : unsafe path.withCString { unsafe stat($0, &status) }
        return result == 0 ? status : nil
    }

    /// A pipe takes more at a time, as far as the system lets it.
    func enlargePipe() { fw_enlarge_pipe(descriptor) }

    /// Writes all of it and leaves it empty.
    func write(_ text: inout String) throws(Failure) {
        let bytes = Array(text.utf8)
        text = ""
        try write(bytes)
    }

    func write(_ bytes: [UInt8]) throws(Failure) {
        // SAFETY: the array lives through the call. A closure that throws a type of its own does not fit through it.
        let why = unsafe bytes.withUnsafeBytes { unsafe put($0) }
        if let why { throw failure(why) }
    }

    /// Pixels as they lie in memory.
    func write(pixels: [UInt32]) throws(Failure) {
        // SAFETY: the array lives through the call.
        let why = unsafe pixels.withUnsafeBytes { unsafe put($0) }
        if let why { throw failure(why) }
    }

    /// The number of what went wrong, or nil.
    private func put(_ bytes: UnsafeRawBufferPointer) -> Int32? {
        if signals?.isPending == true {
            abandon()
            // The program was started with the signal blocked, and goes on.
            return EINTR
        }
        var start = 0
        while start < bytes.count {
            // SAFETY: within the buffer.
            let count = unsafe CLibc.write(descriptor, bytes.baseAddress! + start, bytes.count - start)
            if count < 0 {
                let why = fw_errno()
                guard why == EINTR else { return why }
            } else {
                start += count
            }
        }
        return nil
    }

    /// Waits until the descriptor has something to read. A signal that has to wait ends the program here, and nothing half
    /// done is left; throws where it does not, as the program was started with it blocked.
    func wait(untilReadable other: Int32) throws(Failure) {
        if let signals, !signals.areUndisturbed(untilReadable: other) { throw failure(EINTR) }
    }

    /// Some file systems tell only now that the disk is full.
    func finish() throws(Failure) {
        guard descriptor > STDERR_FILENO else { return }
        let result = close(descriptor)
        descriptor = -1
        if result < 0 { throw failure(fw_errno()) }
        guard let names else { return }
        let isNamed = unsafe names.part.withCString { part in
            unsafe names.whole.withCString { whole in unsafe rename(part, whole) == 0 }
        }
        guard isNamed else { throw failure(fw_errno()) }
        self.names = nil
        signals?.release()
    }

    /// Leaves nothing half done behind. A signal that waited ends the program here.
    private func abandon() {
        if descriptor > STDERR_FILENO { _ = close(descriptor) }
        descriptor = -1
        if let names { unsafe names.part.withCString { unsafe _ = unlink($0) } }
        names = nil
        signals?.release()
        signals = nil
    }

    private func failure(_ why: Int32) -> Failure {
        abandon()
        if path == "-" { return .standardOutput(why) }
        return Failure(
            "cannot write \(named(path))", why: errorText(why), remedy: "name another file",
            code: .badInput)
    }
}

/// Signals that end the program, kept until it may end. Those that are ignored, as a shell's background jobs ignore SIGINT,
/// stay so.
private struct HeldSignals {
    private let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE].filter { fw_is_ignored($0) == 0 }
    private var before = sigset_t()

    init() {
        var held = sigset_t()
        unsafe sigemptyset(&held)
        for number in numbers { unsafe sigaddset(&held, number) }
        unsafe sigprocmask(SIG_BLOCK, &held, &before)
    }

    /// Whether something can be read before one of them comes.
    func areUndisturbed(untilReadable other: Int32) -> Bool {
        var held = sigset_t()
        unsafe sigemptyset(&held)
        for number in numbers { unsafe sigaddset(&held, number) }
        let descriptor = unsafe signalfd(-1, &held, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        defer { if descriptor >= 0 { _ = close(descriptor) } }
        while !isPending {
            var states = [
                pollfd(fd: other, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            ]
            if unsafe poll(&states, 2, -1) > 0, states[0].revents != 0 { return true }
        }
        return false
    }

    var isPending: Bool {
        var pending = sigset_t()
        unsafe sigpending(&pending)
        for number in numbers where unsafe sigismember(&pending, number) == 1 { return true }
        return false
    }

    func release() {
        var before = before
        unsafe sigprocmask(SIG_SETMASK, &before, nil)
    }
}
