internal import CLibc
internal import Recording

/// Where a recording is written: whether what is at a name may be written behind, renamed or removed.
enum RecordingPlace {
    /// Bytes; the first line of no recording of ours comes near it.
    private static let longestFirstLine = 1 << 16
    private static let isForeign = "there is something else in it than a recording"

    /// Why what was opened is nothing to write into, or nil.
    ///
    /// - Parameter isRing: it will be renamed.
    static func refusal(of descriptor: Int32, _ status: stat, isRing: Bool) -> String? {
        switch status.st_mode & UInt32(S_IFMT) {
        case UInt32(S_IFREG): break
        // Its reader would make us wait.
        case UInt32(S_IFIFO): return "it is a pipe: leave FILE out"
        case UInt32(S_IFCHR) where !isRing: return nil
        default: return isRing ? "it is no regular file, and --ring would rename it" : "it is no regular file"
        }
        // Somebody's letters are not to be written behind.
        return status.st_size == 0 ? nil : refusal(ofRecording: descriptor)
    }

    /// Why the file at the path, which a ring would replace and remove, is not to be; nil also when there is none.
    static func refusal(ofOlder path: String) -> String? {
        var status = stat()
        guard unsafe path.withCString({ unsafe lstat($0, &status) }) == 0 else {
            let why = fw_errno()
            return why == ENOENT ? nil : errorText(why)
        }
        switch status.st_mode & UInt32(S_IFMT) {
        case UInt32(S_IFREG): break
        case UInt32(S_IFDIR): return "it is a directory"
        default: return "it is no regular file"
        }
        guard status.st_size > 0 else { return nil }
        let descriptor = unsafe path.withCString { unsafe fw_open_for_reading($0) }
        guard descriptor >= 0 else { return errorText(fw_errno()) }
        defer { _ = close(descriptor) }
        return refusal(ofRecording: descriptor)
    }

    private static func refusal(ofRecording descriptor: Int32) -> String? {
        guard let line = firstLine(descriptor) else { return isForeign }
        return line.newerVersion.map { "its lines are of version \($0): a later fingerwave wrote it" }
    }

    /// Nil when the first line is no object with a type, as all lines of ours are.
    private static func firstLine(_ descriptor: Int32) -> TouchLine? {
        var bytes = [UInt8](repeating: 0, count: longestFirstLine)
        // SAFETY: within the array's storage for the length of the call.
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count > 0, let end = bytes[..<count].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        guard let fields = try? JSONFields(utf8: Array(bytes[..<end])), fields.field("type")?.kind == .string else {
            return nil
        }
        // A line that lacks something else is one all the same.
        return (try? TouchLine(utf8: Array(bytes[..<end]))) ?? TouchLine(.other(fields["type"] ?? ""))
    }

    /// Whether the path still names the file that was opened.
    ///
    /// - Parameter isRing: a link that leads to it is another file.
    static func isNamed(_ descriptor: Int32, _ path: String, isRing: Bool) -> Bool {
        var (opened, named) = (stat(), stat())
        guard unsafe fstat(descriptor, &opened) == 0 else { return true }
        let result = unsafe path.withCString { path in
            unsafe isRing ? lstat(path, &named) : stat(path, &named)
        }
        // What may not be looked at may still be there.
        guard result == 0 else { return fw_errno() != ENOENT && fw_errno() != ENOTDIR }
        return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
    }
}
