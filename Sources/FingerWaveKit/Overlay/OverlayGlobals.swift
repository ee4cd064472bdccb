internal import Presentation
internal import WaylandClient
internal import WaylandProtocols

/// The globals that an overlay is made from, bound once.
struct OverlayGlobals {
    let compositor: WlCompositor
    let shm: WlShm
    let layerShell: ZwlrLayerShellV1
    let viewporter: WpViewporter?
    let fractionalScale: WpFractionalScaleManagerV1?

    init(_ globals: Globals) throws(ConnectionError) {
        // First what compositors lack: the message is about it.
        layerShell = try globals.require(ZwlrLayerShellV1.self, versions: 1...5)
        compositor = try globals.require(WlCompositor.self, versions: 1...6)
        shm = try globals.require(WlShm.self, versions: 1...1)
        viewporter = globals.bindIfOffered(WpViewporter.self, versions: 1...1)
        fractionalScale = globals.bindIfOffered(WpFractionalScaleManagerV1.self, versions: 1...1)
    }

    /// What this compositor's versions cost, for `--verbose`.
    var shortcomings: [String] {
        var list: [String] = []
        if compositor.version < 4 { list.append("wl_compositor \(compositor.version): damage in whole logical px") }
        if fractionalScale == nil || viewporter == nil {
            list.append(
                "no wp_fractional_scale_v1 with wp_viewporter: fractional scales are resampled by the compositor")
        }
        return list
    }
}
