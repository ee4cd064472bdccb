internal import CLibc
internal import CLinuxShims

/// The socket at which one instance is found by its name, as long as it lives.
///
/// Whoever holds the lock beside the socket has the name. The lock ends with its process, however that ends, so a socket
/// whose lock can be taken is nobody's and is replaced; one whose lock is held is never touched.
final class ControlSocket {
    enum Problem: Error, Equatable {
        /// A living instance has the name.
        case taken
        /// The system's words.
        case refused(String)
    }

    let name: String
    let path: String
    let descriptor: Int32
    private let lockPath: String
    private let lock: Int32

    /// Connections that wait to be accepted.
    private static let backlog: Int32 = 16

    /// - Parameter folder: `$XDG_RUNTIME_DIR`.
    init(name: String, folder: String) throws(Problem) {
        let path = InstanceName.socketPath(name, in: folder)
        let lockPath = InstanceName.lockPath(name, in: folder)
        let lock = unsafe lockPath.withCString { unsafe fw_lock_file($0) }
        guard lock >= 0 else {
            let why = fw_errno()
            throw why == EWOULDBLOCK ? .taken : .refused("\(lockPath): \(errorText(why))")
        }
        _ = unsafe path.withCString { unsafe unlink($0) }
        let descriptor = unsafe path.withCString { unsafe fw_listen_local($0, ControlSocket.backlog) }
        guard descriptor >= 0 else {
            let why = fw_errno()
            _ = unsafe lockPath.withCString { unsafe unlink($0) }
            _ = CLibc.close(lock)
            throw .refused("\(path): \(errorText(why))")
        }
        self.name = name
        self.path = path
        self.lockPath = lockPath
        self.lock = lock
        self.descriptor = descriptor
    }

    /// Takes the first of `base`, `base-2`, `base-3` and so on that nobody has.
    convenience init(base: String, folder: String) throws(Problem) {
        var number = 1
        while true {
            do throws(Problem) {
                try self.init(name: number == 1 ? base : "\(base)-\(number)", folder: folder)
                return
            } catch {
                guard error == .taken, number < 100 else { throw error }
                number += 1
            }
        }
    }

    deinit {
        _ = unsafe path.withCString { unsafe unlink($0) }
        _ = close(descriptor)
        // Last, and while it is held: from then on the name is free.
        _ = unsafe lockPath.withCString { unsafe unlink($0) }
        _ = close(lock)
    }
}
