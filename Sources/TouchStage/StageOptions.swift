public import WaylandProtocols

/// The globals a stage can offer besides seats and outputs.
public enum StageGlobal: String, CaseIterable, Hashable, Sendable {
    case compositor = "wl_compositor"
    case subcompositor = "wl_subcompositor"
    case shm = "wl_shm"
    case windowManager = "xdg_wm_base"
    case viewporter = "wp_viewporter"
    case fractionalScale = "wp_fractional_scale_manager_v1"
    case presentation = "wp_presentation"
    case decoration = "zxdg_decoration_manager_v1"
    case cursorShape = "wp_cursor_shape_manager_v1"
    case layerShell = "zwlr_layer_shell_v1"
    case singlePixelBuffer = "wp_single_pixel_buffer_manager_v1"
    case outputManager = "zxdg_output_manager_v1"
    case idleInhibit = "zwp_idle_inhibit_manager_v1"
    case tablets = "zwp_tablet_manager_v2"
    /// Accepts everything and transfers nothing: toolkits will not start without it.
    case dataDevice = "wl_data_device_manager"

    /// The highest version that the stage speaks.
    public var newestVersion: UInt32 {
        switch self {
        case .compositor, .windowManager: 6
        case .shm, .cursorShape, .tablets: 2
        case .layerShell: 5
        case .outputManager, .dataDevice: 3
        default: 1
        }
    }
}

extension Stage {
    /// What a stage is set up with. The defaults are an ordinary desktop: every global at its newest version, one output,
    /// one seat with touch, pointer and keyboard.
    public struct Options {
        /// Versions of what is offered; a global that is missing here is not offered at all.
        public var globals: [StageGlobal: UInt32]
        public var outputs: [StageOutput.State]
        /// The version of every wl_output: below 4 outputs have no names, below 2 no scale.
        public var outputVersion: UInt32 = 4
        public var seats: [SeatOptions]
        /// Formats that wl_shm announces besides argb8888 and xrgb8888: abgr8888, xbgr8888, rgb565.
        public var extraFormats: [WlShm.Format] = []

        public var configures = Configures.automatic
        /// What windows are configured to while they are neither maximised nor full screen, in logical px; 0: the client
        /// chooses.
        public var windowSize: (width: Int32, height: Int32) = (0, 0)
        /// What the stage answers to a request for decorations.
        public var decorations = ZxdgToplevelDecorationV1.Mode.serverSide

        public var frames = Frames.manual
        public var releases = Releases.whenReplaced
        /// What wp_presentation calls its clock, as clock_gettime numbers them: CLOCK_MONOTONIC. The times that it tells are
        /// the stage's own.
        public var presentationClock: UInt32 = 1
        /// Whether surfaces are told of their outputs and preferred scales, and windows get the keyboard, as they appear.
        public var entersAutomatically = true
        /// Whether a client that breaks a rule of the protocol is sent the protocol error, and so ended, as everywhere.
        public var endsOffenders = true
        /// 0xAARRGGBB behind all surfaces.
        public var background: UInt32 = 0xFF00_0000

        public init() {
            globals = Dictionary(uniqueKeysWithValues: StageGlobal.allCases.map { ($0, $0.newestVersion) })
            outputs = [StageOutput.State()]
            seats = [SeatOptions()]
        }
    }

    /// When a window or layer surface learns its size.
    public enum Configures: Sendable {
        /// In answer to its first commit and to each request for another state.
        case automatic
        /// When the test says so: ``StageWindow/configure(width:height:states:)``.
        case manual
    }

    /// When frame callbacks are answered.
    public enum Frames: Sendable, Equatable {
        /// By ``Stage/fireFrameCallbacks(time:)`` alone: never called, it is a hidden surface.
        case manual
        /// So many times a second as ``Stage/advance(milliseconds:)`` moves the time.
        case automatic(hertz: Double)
    }

    /// When buffers are given back.
    public enum Releases: Sendable {
        /// When the next buffer took its place, as by compositors that draw from the client's memory.
        case whenReplaced
        /// In the turn of the commit, as by compositors that copy it.
        case atOnce
        /// By ``StageBuffer/release()`` and ``Stage/releaseBuffers()`` alone: never called, the client runs out of buffers.
        case manual
    }

    public struct SeatOptions {
        public var name: String
        public var version: UInt32
        public var capabilities: WlSeat.Capability

        public init(
            name: String = "seat0", version: UInt32 = 10,
            capabilities: WlSeat.Capability = [.pointer, .keyboard, .touch]
        ) {
            self.name = name
            self.version = version
            self.capabilities = capabilities
        }
    }
}
