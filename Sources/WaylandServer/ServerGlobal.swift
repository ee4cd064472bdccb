internal import CWaylandServer
public import WaylandClient

/// A global of a ``Server``: what a client's registry announces and binds.
@safe
public final class ServerGlobal {
    public let interface: Interface
    /// The version announced.
    public let version: UInt32
    /// False once it was removed.
    public private(set) var isOffered = true

    // SAFETY: libwayland's global, freed with the display.
    private var raw: OpaquePointer?
    private let make: (ResourceSeed) -> Void
    private weak var server: Server?

    init?(
        server: Server, display: OpaquePointer, interface: Interface, version: UInt32,
        make: @escaping (ResourceSeed) -> Void
    ) {
        self.interface = interface
        self.version = version
        self.make = make
        self.server = server
        unsafe raw = nil
        // SAFETY: the server keeps its globals until the display is destroyed, so the user data never dangles.
        unsafe raw = wl_global_create(
            display, interface.raw, Int32(version), Unmanaged.passUnretained(self).toOpaque(), bindGlobal)
        if unsafe raw == nil { return nil }
    }

    /// Withdraws it: clients are told. What they bound stays; one that binds it late gets an object that never speaks,
    /// as it cannot have known.
    public func remove() {
        guard isOffered, server?.isRunning == true, let raw = unsafe raw else { return }
        isOffered = false
        unsafe wl_global_remove(raw)
    }

    fileprivate func bind(_ client: OpaquePointer, version: UInt32, id: UInt32) {
        guard let client = unsafe server?.client(client) else { return }
        make(client.seed(interface, version: version, id: id))
    }
}

private func bindGlobal(_ client: OpaquePointer?, _ data: UnsafeMutableRawPointer?, _ version: UInt32, _ id: UInt32) {
    guard let client = unsafe client, let data = unsafe data else { return }
    // SAFETY: only ServerGlobal.init registers this function, with self as data.
    unsafe Unmanaged<ServerGlobal>.fromOpaque(data).takeUnretainedValue().bind(client, version: version, id: id)
}
