internal import CLibc
internal import CLinuxShims

/// A Wayland socket of our own in XDG_RUNTIME_DIR, named wayland-N as compositors name theirs: some sandboxes let no other
/// name through. A lock file beside it says that somebody lives there; both go with this object.
final class DisplaySocket {
    /// As WAYLAND_DISPLAY names it.
    let name: String
    let descriptor: Int32
    private let path: String
    private let lock: Int32

    /// The first free name; `wayland-0` is left to compositors, since clients without WAYLAND_DISPLAY go there.
    init() throws(Failure) {
        let folder = Environment.variable("XDG_RUNTIME_DIR") ?? ""
        guard folder.utf8.first == UInt8(ascii: "/") else {
            throw Failure(
                "cannot make a display for the app",
                why: folder.isEmpty
                    ? "XDG_RUNTIME_DIR is not set" : "XDG_RUNTIME_DIR is \"\(folder)\", which does not begin with /",
                remedy: "set it to a folder that is yours alone, as a login does", code: .noCompositor)
        }
        for number in 1..<100 {
            let name = "wayland-\(number)"
            let path = "\(folder)/\(name)"
            let lock = unsafe fw_lock_file(path + ".lock")
            if lock == -1, fw_errno() == EWOULDBLOCK || fw_errno() == EISDIR { continue }
            guard lock >= 0 else { throw DisplaySocket.failure(path + ".lock") }
            // Whoever was there is gone: nobody holds the lock. A compositor without locks would still answer.
            let other = unsafe fw_connect_local(path)
            if other >= 0 {
                _ = close(other)
                _ = close(lock)
                continue
            }
            unsafe unlink(path)
            let descriptor = unsafe fw_listen_local(path, 128)
            guard descriptor >= 0 else {
                let isTaken = fw_errno() == EADDRINUSE
                let failure = DisplaySocket.failure(path)
                unsafe unlink(path + ".lock")
                _ = close(lock)
                // By what cannot be taken away, such as a folder.
                if isTaken { continue }
                throw failure
            }
            unsafe chmod(path, 0o700)
            self.name = name
            self.path = path
            self.lock = lock
            self.descriptor = descriptor
            return
        }
        throw Failure(
            "cannot make a display for the app", why: "wayland-1 to wayland-99 are all taken in \(folder)",
            remedy: "end what has them", code: .noCompositor)
    }

    deinit { remove() }

    private var isRemoved = false

    /// Nobody can connect any more.
    func remove() {
        if isRemoved { return }
        isRemoved = true
        unsafe unlink(path)
        unsafe unlink(path + ".lock")
        _ = close(descriptor)
        _ = close(lock)
    }

    enum Accepted {
        case connection(Int32)
        /// None waits.
        case nobody
        /// One may wait, and there is no descriptor or memory for it.
        case shortage
    }

    func accept() -> Accepted {
        let connection = fw_accept(descriptor)
        if connection >= 0 { return .connection(connection) }
        return DisplaySocket.isShortage(fw_errno()) ? .shortage : .nobody
    }

    /// Whether the error is one that passes when something else is closed.
    static func isShortage(_ error: Int32) -> Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error) }

    private static func failure(_ path: String) -> Failure {
        // SAFETY: strerror's text is copied before the next call.
        let error = fw_errno()
        let why = unsafe String(cString: strerror(error))
        return Failure(
            "cannot make a display for the app", why: "\(path): \(why)",
            remedy: error == ENAMETOOLONG ? "set XDG_RUNTIME_DIR to a shorter path" : "see who owns the folder",
            code: .noCompositor)
    }
}
