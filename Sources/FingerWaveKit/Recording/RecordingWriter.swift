internal import CLibc
internal import CLinuxShims
package import Recording

/// Writes a recording: each line by itself, at once, so that whatever ends the program costs no line but the one that is
/// being written. It neither waits nor looks at a clock of its own: its owner calls ``tick(at:)`` when
/// ``nextDeadline`` is reached.
///
/// A disk that is full, or a file that cannot grow, is said once. What comes then is counted; a line that was written in
/// part is cut off again. When there is room the recording says how many lines are missing, and what is down by then.
///
/// A file that somebody removes or replaces is begun anew under its name, and one that is cut short in its place, as log
/// rotators do that copy it first, gets its header again; both are said.
package final class RecordingWriter: RecordingTarget {
    /// Between attempts to write again, and between looks at the file's name, ns. Our choice.
    private static let patience: Int64 = 1_000_000_000

    let path: String
    /// For people, who gave standard output no name.
    private var label: String { isStandardOutput ? "standard output" : path }
    private let isStandardOutput: Bool
    private let ring: RecordingRing?
    private let clock: () -> Int64
    /// Where words for people go.
    private let tell: (String) -> Void
    /// The lines that every file begins with, as they are now.
    package var header: () -> String = { "" }

    /// The file's own name: a ring's behind links, as it is renamed.
    private var name: String
    private var descriptor: Int32 = -1
    /// Of the file, as far as it was written by us or was there.
    private var size: Int64 = 0
    private var held = HeldTouches()
    /// What a reader of the file holds to be down.
    private var told = HeldTouches()
    /// It was opened, and what it has to go on with could not be written yet.
    private var lacksHeader = false
    /// When the file's name is looked at again.
    private var nextLook: Int64 = 0
    /// Lines since the file's header.
    private var hasLines = false
    /// The older file has something that is not too old yet.
    private var hasOlder = false
    private var turns: Int64?

    private var trouble: (why: String, lost: Int, retry: Int64)?
    /// That were written, headers too; of a ring's also those that are gone again.
    package private(set) var lineCount = 0
    package private(set) var lostLines = 0

    /// - Parameters:
    ///   - isStandardOutput: the path leads to what the program was started with.
    ///   - clock: the monotonic time now, ns.
    package init(
        path: String, isStandardOutput: Bool = false, ring: RecordingRing?, clock: @escaping () -> Int64,
        tell: @escaping (String) -> Void = { complain("fingerwave: \($0)\n") }
    ) {
        self.path = path
        self.isStandardOutput = isStandardOutput
        name = path
        self.ring = ring
        self.clock = clock
        self.tell = tell
    }

    deinit { if descriptor >= 0 { _ = close(descriptor) } }

    private var olderPath: String { name + ".1" }

    /// When ``tick(at:)`` has something to do, ns; nil when nothing depends on time.
    package var nextDeadline: Int64? {
        guard let trouble else { return turns }
        return min(trouble.retry, turns ?? .max)
    }

    // MARK: Lines

    /// Opens the file, which is gone on with if it is there, and writes the header. Throws when it cannot be written now.
    package func begin() throws(Failure) {
        if ring != nil {
            name = OutputFile.realPath(path)
            if let why = RecordingPlace.refusal(ofOlder: olderPath) { throw failure(olderPath, why) }
        }
        if let why = open() { throw failure(label, why) }
        nextLook = clock() + RecordingWriter.patience
        hasOlder = ring != nil && TextFile.exists(path: olderPath)
        // How old its lines are is not looked at: they count from now on.
        if case .time(let bound)? = ring, hasLines || hasOlder { turns = clock() + bound / 2 }
        let text = header()
        if size > 0, isBeyondTurn(text) {
            if let why = turn() { throw failure(label, why) }
            return
        }
        if let why = append(text) {
            throw Failure(
                "cannot write \(label)", why: errorText(why), remedy: "make room, or name another file",
                code: .badInput)
        }
        lacksHeader = false
    }

    private func failure(_ label: String, _ why: String) -> Failure {
        let remedy = isStandardOutput ? "name a FILE of its own, or begin one with >" : "name another file"
        return Failure("cannot write \(label)", why: why, remedy: remedy, code: .badInput)
    }

    /// Whether the file would have more than its half of the ring.
    private func isBeyondTurn(_ text: String) -> Bool {
        guard case .bytes(let bound)? = ring else { return false }
        return size + Int64(text.utf8.count) > bound / 2
    }

    package func write(_ line: String) {
        put(line)
    }

    package func write(_ line: TouchLine) {
        if put(line.json, touch: line) { told.note(line) }
    }

    /// Says so of facts that are in the header already: nothing that the last stretch would be kept for.
    package func writeFacts(_ lines: String) { put(lines, isFact: true) }

    @discardableResult
    private func put(_ line: String, touch: TouchLine? = nil, isFact: Bool = false) -> Bool {
        follow(clock())
        mendCut()
        if trouble == nil, hasLines, isBeyondTurn(line), let why = turn() { fail(why) }
        // A file that begins here says what was down before the line.
        if let touch { held.note(touch) }
        guard trouble == nil else {
            lose()
            return false
        }
        if let why = append(line) {
            fail(errorText(why))
            lose()
            return false
        }
        guard !isFact else { return true }
        hasLines = true
        if case .time(let bound)? = ring, turns == nil { turns = clock() + bound / 2 }
        return true
    }

    private func lose() {
        trouble?.lost += 1
        lostLines += 1
    }

    /// What time alone brings: another attempt, and the turn of a ring's files.
    package func tick(at now: Int64) {
        if let trouble, now >= trouble.retry { resume(now) }
        follow(now)
        guard case .time(let bound)? = ring, let due = turns, now >= due, trouble == nil else { return }
        turns = now + bound / 2
        if hasLines {
            if let why = turn() { fail(why) }
        } else {
            // What is in the older file is older than the bound.
            if RecordingPlace.refusal(ofOlder: olderPath) == nil {
                _ = unsafe olderPath.withCString { unsafe unlink($0) }
            }
            hasOlder = false
        }
        if !hasLines, !hasOlder { turns = nil }
    }

    /// At the program's end: one more attempt to say what is missing.
    package func finish() -> Failure? {
        nextLook = .min
        if trouble != nil { resume(clock()) } else { follow(clock()) }
        if descriptor >= 0 { _ = close(descriptor) }
        descriptor = -1
        return trouble.map { trouble in
            guard trouble.lost > 0 else { return failure(label, trouble.why) }
            return Failure(
                "\(label) lacks \(RecordingWriter.lines(trouble.lost))", why: trouble.why, remedy: "make room for it",
                code: .badInput)
        }
    }

    // MARK: Trouble

    private func fail(_ why: String) {
        guard trouble == nil else { return }
        trouble = (why, 0, clock() + RecordingWriter.patience)
        tell("cannot write \(label): \(why); recording goes on when that has passed")
    }

    private func resume(_ now: Int64) {
        guard let old = trouble else { return }
        trouble?.retry = now + RecordingWriter.patience
        if descriptor >= 0, !isNamed || isCut { leave() }
        if descriptor < 0, let why = open() {
            trouble?.why = why
            return
        }
        // What has changed of them may be missing too.
        let facts = lacksHeader ? "" : RecordingHeader.facts(of: header())
        if lacksHeader {
            if let why = append(header()) {
                trouble?.why = errorText(why)
                return
            }
            lacksHeader = false
        }
        let gap = EventLog.gap(old.lost, old.why)
        let text = gap + told.cancels(before: held) + facts + held.lines
        if isBeyondTurn(text) {
            // The lines that are missing stand before what the file begins with.
            if let why = turn() ?? append(gap).map(errorText) {
                trouble?.why = why
                return
            }
        } else {
            if let why = append(text) {
                trouble?.why = errorText(why)
                return
            }
            told = held
        }
        trouble = nil
        hasLines = true
        tell("\(label) is written again; it lacks \(RecordingWriter.lines(old.lost))")
    }

    static func lines(_ count: Int) -> String { count == 1 ? "1 line" : "\(count) lines" }

    // MARK: Files

    /// Why it cannot be opened, or nil.
    private func open() -> String? {
        descriptor = unsafe path.withCString { unsafe fw_open_for_appending($0) }
        guard descriptor >= 0 else { return errorText(fw_errno()) }
        // Now it is there.
        if ring != nil { name = OutputFile.realPath(path) }
        lacksHeader = true
        guard let why = look() else { return nil }
        leave()
        return why
    }

    /// Why what was opened is nothing to write into, or nil.
    private func look() -> String? {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return errorText(fw_errno()) }
        if let why = RecordingPlace.refusal(of: descriptor, status, isRing: ring != nil) { return why }
        size = Int64(status.st_size)
        hasLines = size > 0
        var byte: UInt8 = 0
        guard size > 0, unsafe pread(descriptor, &byte, 1, status.st_size - 1) == 1, byte != UInt8(ascii: "\n") else {
            return nil
        }
        if let why = append("\n") { return errorText(why) }
        // The end of somebody else's line.
        lineCount -= 1
        return nil
    }

    /// Nothing more goes into the file: whatever is opened next has nothing of ours yet.
    private func leave() {
        _ = close(descriptor)
        descriptor = -1
        hasLines = false
        size = 0
        told = HeldTouches()
    }

    private var isNamed: Bool { RecordingPlace.isNamed(descriptor, name, isRing: ring != nil) }

    /// Looks whether the file still has its name, now and then.
    private func follow(_ now: Int64) {
        guard now >= nextLook, trouble == nil, descriptor >= 0 else { return }
        nextLook = now + RecordingWriter.patience
        if !isNamed, let why = beginAnew() { fail(why) }
        mendCut()
    }

    /// Whether the file is shorter than we left it. It is opened for appending, so what is written goes to where it ends now.
    private var isCut: Bool {
        var status = stat()
        guard descriptor >= 0, unsafe fstat(descriptor, &status) == 0 else { return false }
        // What others have written behind us counts too, so that its being cut is noticed.
        defer { size = max(size, Int64(status.st_size)) }
        return status.st_mode & UInt32(S_IFMT) == UInt32(S_IFREG) && Int64(status.st_size) < size
    }

    /// A reader of what is left of the file must know what the part that is gone said.
    private func mendCut() {
        guard trouble == nil, isCut else { return }
        tell("\(label) was cut short; the recording goes on in it with a new beginning")
        leave()
        if let why = openAnew() { fail(why) }
    }

    /// Why it cannot go on in a file of its name, which it has lost, or nil.
    private func beginAnew() -> String? {
        tell("\(label) was removed or replaced; the recording goes on in a new file of that name")
        leave()
        return openAnew()
    }

    /// The file becomes the older one, and another one begins. Why it cannot, or nil.
    private func turn() -> String? {
        // Whatever has the name by now is not ours to rename, nor is what came in the older one's place.
        guard isNamed else { return beginAnew() }
        if let why = RecordingPlace.refusal(ofOlder: olderPath) { return "\(olderPath): \(why)" }
        let result = unsafe name.withCString { from in unsafe olderPath.withCString { unsafe rename(from, $0) } }
        guard result == 0 else { return errorText(fw_errno()) }
        leave()
        hasOlder = true
        return openAnew()
    }

    /// Opens a file and writes what its reader must know. Why it cannot, or nil.
    private func openAnew() -> String? {
        if let why = open() { return why }
        if let why = append(header() + held.lines) { return errorText(why) }
        lacksHeader = false
        told = held
        return nil
    }

    /// Writes all of it, or nothing of it and returns why. errno's number.
    private func append(_ text: String) -> Int32? {
        guard !text.isEmpty else { return nil }
        let bytes = Array(text.utf8)
        var start = 0
        while start < bytes.count {
            // SAFETY: within the array's storage for the length of the call.
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe CLibc.write(descriptor, buffer.baseAddress! + start, bytes.count - start)
            }
            if count > 0 {
                start += count
            } else if count == 0 || fw_errno() != EINTR {
                let why = count == 0 ? ENOSPC : fw_errno()
                if start > 0 { cutBack(Int64(start)) }
                return why
            }
        }
        size += Int64(bytes.count)
        for byte in bytes where byte == UInt8(ascii: "\n") { lineCount += 1 }
        return nil
    }

    /// Takes away what was written of a line that has no room.
    private func cutBack(_ count: Int64) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, Int64(status.st_size) >= count else { return }
        _ = ftruncate(descriptor, status.st_size - Int(count))
    }
}
