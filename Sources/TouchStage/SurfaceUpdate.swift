internal import WaylandProtocols
internal import WaylandServerProtocols
internal import WaylandServer

/// What requests changed and a commit will apply. An optional that is nil was not touched.
struct SurfaceUpdate {
    enum Content {
        case nothing
        case buffer(StageBuffer)
        /// A commit held the buffer; its pixels as they were then.
        case held(StageBuffer, Picture)
    }

    var content: Content?
    var surfaceDamage: [StageRect] = []
    var bufferDamage: [StageRect] = []
    var callbacks: [WlCallbackResource] = []
    var feedbacks: [WpPresentationFeedbackResource] = []
    var scale: Int32?
    var transform: WlOutput.Transform?
    var source: BufferMapping.Source??
    var destination: BufferMapping.Destination??
    var inputRegion: StageRegion??
    var opaqueRegion: StageRegion??

    /// Adds a later update, as the cache of a synchronised subsurface does. A buffer that is never shown is returned.
    mutating func add(_ later: SurfaceUpdate) -> StageBuffer? {
        var skipped: StageBuffer?
        if let content = later.content {
            if case .held(let buffer, _) = self.content { skipped = buffer }
            self.content = content
        }
        surfaceDamage += later.surfaceDamage
        bufferDamage += later.bufferDamage
        callbacks += later.callbacks
        feedbacks += later.feedbacks
        scale = later.scale ?? scale
        transform = later.transform ?? transform
        source = later.source ?? source
        destination = later.destination ?? destination
        inputRegion = later.inputRegion ?? inputRegion
        opaqueRegion = later.opaqueRegion ?? opaqueRegion
        return skipped
    }
}
