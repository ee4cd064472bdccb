internal import Glibc
internal import WaylandXML

/// Reading and writing whole files, with errors that name the file.
enum Files {
    /// At most one byte more than `limit`, so that the reader can say it is too large.
    static func read(_ path: String, limit: Int) throws(CommandError) -> SourceFile {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("cannot read", path) }
        defer { _ = close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= limit {
            // SAFETY: the kernel writes at most the chunk's count into it.
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure("cannot read", path)
            }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return SourceFile(path: path, bytes: bytes)
    }

    /// Writes all outputs beside their places first and moves them there when all are complete. A file that would not
    /// change is left alone, so that nothing depending on it is built again.
    static func write(_ outputs: [Bindgen.Output], to folder: String) throws(CommandError) {
        try makeFolder(folder)
        var moves: [(from: String, to: String)] = []
        do throws(CommandError) {
            for output in outputs {
                let path = "\(folder)/\(output.name)"
                let bytes = Array(output.text.utf8)
                if let old = try? read(path, limit: bytes.count), old.bytes == bytes { continue }
                let temporary = "\(path).\(getpid()).part"
                moves.append((temporary, path))
                try write(bytes, to: temporary)
            }
            for (from, to) in moves where unsafe rename(from, to) != 0 { throw failure("cannot write", to) }
        } catch {
            for (from, _) in moves { unsafe unlink(from) }
            throw error
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(CommandError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw failure("cannot write", path) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                let error = failure("cannot write", path)
                close(descriptor)
                throw error
            }
            rest = rest.dropFirst(count)
        }
        guard close(descriptor) == 0 else { throw failure("cannot write", path) }
    }

    private static func makeFolder(_ folder: String) throws(CommandError) {
        var path = folder.hasPrefix("/") ? "/" : ""
        for part in folder.split(separator: "/") {
            path += part + "/"
            if unsafe mkdir(path, 0o777) != 0, errno != EEXIST { throw failure("cannot make the folder", path) }
        }
    }

    static func writeError(_ text: String) {
        // Nothing is left to do when stderr itself fails.
        _ = unsafe Array(text.utf8).withUnsafeBytes { unsafe Glibc.write(2, $0.baseAddress, $0.count) }
    }

    private static func failure(_ what: String, _ path: String) -> CommandError {
        // SAFETY: strerror's string is copied before the next call.
        let reason = unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
        return CommandError("\(what) \(path): \(reason)")
    }
}
