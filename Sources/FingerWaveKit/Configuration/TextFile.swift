internal import CLibc

/// A small file, read whole.
struct TextFile {
    /// The device's and the file's number: the same for every path to one file.
    struct Identity: Equatable {
        var device: UInt64
        var number: UInt64
    }

    enum Problem: Error, Equatable {
        /// There is none at the path.
        case missing
        /// A folder on the way to it lets nobody through: whether it is there is not to be seen.
        case hidden
        /// Why it cannot be read, in the system's words or ours.
        case unreadable(String)
    }

    /// No configuration comes near this; what does is something else.
    static let largest = 1 << 20

    let identity: Identity
    let bytes: [UInt8]

    init(path: String) throws(Problem) {
        // Without O_NONBLOCK a pipe's other end would be waited for.
        let descriptor = unsafe path.withCString { unsafe fw_open_for_reading($0) }
        guard descriptor >= 0 else {
            let why = fw_errno()
            if why == ENOENT || why == ENOTDIR { throw .missing }
            throw why == EACCES && TextFile.isHidden(path: path) ? .hidden : .unreadable(errorText(why))
        }
        defer { _ = close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .unreadable(errorText(fw_errno())) }
        switch status.st_mode & UInt32(S_IFMT) {
        case UInt32(S_IFREG), UInt32(S_IFCHR): break
        case UInt32(S_IFDIR): throw .unreadable("it is a directory")
        default: throw .unreadable("it is no regular file")
        }
        identity = Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
        bytes = try TextFile.read(descriptor)
    }

    /// Whether something is at the path, readable or not.
    static func exists(path: String) -> Bool { unsafe path.withCString { unsafe access($0, F_OK) == 0 } }

    /// Whether a folder on the way to the path may not be searched.
    static func isHidden(path: String) -> Bool {
        unsafe path.withCString { unsafe access($0, F_OK) } != 0 && fw_errno() == EACCES
    }

    private static func read(_ descriptor: Int32) throws(Problem) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16384)
        while true {
            // SAFETY: within the array's storage for the length of the call.
            let count = unsafe chunk.withUnsafeMutableBytes { buffer in
                unsafe CLibc.read(descriptor, buffer.baseAddress, buffer.count)
            }
            if count < 0, fw_errno() == EINTR { continue }
            if count < 0 { throw .unreadable(errorText(fw_errno())) }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
            if bytes.count > largest { throw .unreadable("it is larger than 1 MiB") }
        }
    }
}

/// The system's words for an error number.
func errorText(_ number: Int32) -> String {
    // SAFETY: strerror's text is static or the thread's own until its next call; it is copied at once.
    guard let text = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: text)
}
