internal import CLibc
internal import CLinuxShims
internal import CWaylandClient

extension Connection {
    /// Connects as the environment says: WAYLAND_SOCKET, else WAYLAND_DISPLAY, else `wayland-0`.
    ///
    /// `name` overrides the environment: a socket's name in XDG_RUNTIME_DIR or an absolute path.
    /// WAYLAND_SOCKET is used up: it is removed from the environment, so that no child inherits it.
    public static func connect(to name: String? = nil) throws(ConnectionError) -> Connection {
        if name == nil, let variable = environment("WAYLAND_SOCKET") {
            guard let descriptor = Int32(variable), isSocket(descriptor), fw_set_cloexec(descriptor) == 0 else {
                throw .badSocketVariable(variable)
            }
            unsafe unsetenv("WAYLAND_SOCKET")
            return try Connection.connect(fileDescriptor: descriptor)
        }
        let path = try socketPath(of: name)
        // Not wl_display_connect: whatever its argument, it takes WAYLAND_SOCKET when that is set.
        let descriptor = unsafe fw_connect_local(path)
        guard descriptor >= 0 else { throw .unreachable(path: path, errno: fw_errno()) }
        return try Connection(socket: descriptor, path: path)
    }

    /// Where the compositor's socket is: `name`, else WAYLAND_DISPLAY unless it is empty, else `wayland-0`, in XDG_RUNTIME_DIR
    /// unless it is an absolute path.
    public static func socketPath(of name: String? = nil) throws(ConnectionError) -> String {
        let display = name ?? environment("WAYLAND_DISPLAY").flatMap { $0.isEmpty ? nil : $0 } ?? "wayland-0"
        if display.utf8.first == UInt8(ascii: "/") { return display }
        guard let folder = environment("XDG_RUNTIME_DIR"), !folder.isEmpty else {
            throw .noRuntimeDirectory(display: display)
        }
        return folder + "/" + display
    }

    /// Takes over a connected socket, and closes it when the connection ends or cannot be made.
    public static func connect(fileDescriptor: Int32) throws(ConnectionError) -> Connection {
        guard isSocket(fileDescriptor) else {
            let number = fw_errno()
            close(fileDescriptor)
            throw .unreachable(path: "descriptor \(fileDescriptor)", errno: number)
        }
        return try Connection(socket: fileDescriptor, path: nil)
    }

    private convenience init(socket: Int32, path: String?) throws(ConnectionError) {
        guard let raw = unsafe wl_display_connect_to_fd(socket) else {
            throw .unreachable(path: path ?? "descriptor \(socket)", errno: fw_errno())
        }
        unsafe self.init(display: raw, path: path)
    }
}

/// Whether the descriptor is an open socket; errno says why not.
private func isSocket(_ descriptor: Int32) -> Bool {
    var type: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    // SAFETY: `type` has room for the option's value, which is an int.
    return unsafe getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0
}

/// An environment variable; nil when unset.
private func environment(_ name: String) -> String? {
    // SAFETY: the string is copied before anything may change the environment.
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
}
