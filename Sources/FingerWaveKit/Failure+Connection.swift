internal import WaylandClient

extension Failure {
    /// What a connection's error means to the person at the command line.
    init(_ error: ConnectionError) {
        switch error {
        case .noRuntimeDirectory:
            self.init(
                "cannot connect", why: error.description, remedy: "set it, such as to /run/user/1000, or give a path",
                code: .noCompositor)
        case .unreachable, .badSocketVariable:
            self.init(
                "cannot connect", why: error.description,
                remedy: "start a compositor, or name its socket with --display or WAYLAND_DISPLAY",
                code: .noCompositor)
        case .closed, .stalled:
            self.init(
                "the connection ended", why: error.description, remedy: "start again when the compositor is back",
                code: .noCompositor)
        case .malformed:
            self.init(
                "the connection ended", why: error.description,
                remedy: "WAYLAND_DEBUG=1 shows the messages before it", code: .protocolError)
        case .protocolError:
            self.init(
                "the compositor refused a request", why: error.description,
                remedy: "WAYLAND_DEBUG=1 shows the messages before it", code: .protocolError)
        case .misuse, .disconnected:
            self.init(
                "a request was not sent", why: error.description, remedy: "please report this fault of fingerwave",
                code: .protocolError)
        case .missingGlobal:
            self.init(
                "cannot show a window", why: error.description,
                remedy: "fingerwave needs wl_compositor, wl_shm and xdg_wm_base", code: .missingGlobal)
        }
    }
}
