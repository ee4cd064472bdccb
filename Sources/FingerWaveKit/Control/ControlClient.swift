internal import CLibc
internal import CLinuxShims

/// One question to a running instance, and its answer.
struct ControlClient {
    enum Problem: Error, Equatable {
        /// Nobody is there: no socket, or a stale one.
        case nobody
        /// The system's words or ours.
        case noAnswer(String)
    }

    /// An instance that is alive answers within it, ms.
    static let patience: Int32 = 5000
    /// No answer is nearly as long.
    private static let longestAnswer = 1 << 20

    /// Sends one line to the instance of this name and returns its lines, without their ends.
    static func ask(
        _ line: String, name: String, folder: String, patience: Int32 = ControlClient.patience
    ) throws(Problem) -> [String] {
        let path = InstanceName.socketPath(name, in: folder)
        let descriptor = unsafe path.withCString { unsafe fw_connect_local_within($0, patience) }
        guard descriptor >= 0 else {
            let why = fw_errno()
            throw [ENOENT, ECONNREFUSED].contains(why) ? .nobody : .noAnswer(words(why))
        }
        defer { _ = close(descriptor) }
        try send(Array((line + "\n").utf8), to: descriptor)
        _ = shutdown(descriptor, Int32(SHUT_WR))
        let bytes = try receive(from: descriptor)
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        guard bytes.last == 0x0A, !lines.isEmpty else { throw .noAnswer("it hung up") }
        return lines
    }

    private static func send(_ bytes: [UInt8], to descriptor: Int32) throws(Problem) {
        var sent = 0
        while sent < bytes.count {
            // SAFETY: within the array's storage for the length of the call.
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe fw_send(descriptor, buffer.baseAddress! + sent, buffer.count - sent)
            }
            if count > 0 {
                sent += count
            } else if fw_errno() != EINTR {
                throw .noAnswer(words(fw_errno()))
            }
        }
    }

    private static func receive(from descriptor: Int32) throws(Problem) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while bytes.count < longestAnswer {
            // SAFETY: within the array's storage for the length of the call.
            let count = unsafe chunk.withUnsafeMutableBytes { buffer in
                unsafe read(descriptor, buffer.baseAddress, buffer.count)
            }
            if count > 0 {
                bytes.append(contentsOf: chunk[..<count])
            } else if count == 0 {
                return bytes
            } else if fw_errno() != EINTR {
                throw .noAnswer(words(fw_errno()))
            }
        }
        throw .noAnswer("it does not stop")
    }

    private static func words(_ number: Int32) -> String {
        number == EAGAIN ? "it does not answer" : errorText(number)
    }

    /// The names of all sockets in the folder, sorted; of instances that are alive and of stale ones.
    static func names(in folder: String) -> [String] {
        guard let directory = unsafe folder.withCString({ unsafe opendir($0) }) else { return [] }
        defer { unsafe _ = closedir(directory) }
        var names: [String] = []
        // SAFETY: the text lives until the next call, and is copied before it.
        while let text = unsafe fw_next_name(directory) {
            if let name = unsafe InstanceName.name(ofFile: String(cString: text)) { names.append(name) }
        }
        return names.sorted()
    }
}
