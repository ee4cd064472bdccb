#if WAYLAND_CURSOR
    internal import CLibc
    internal import CWaylandCursor
    internal import WaylandClient
    internal import WaylandProtocols

    /// One image out of a theme. Sizes in buffer px.
    @safe
    struct CursorImage {
        // SAFETY: the theme's, alive until `CursorThemes.end()`; used at once, never kept.
        fileprivate let buffer: OpaquePointer
        let width: Int32
        let height: Int32
        let hotspotX: Int32
        let hotspotY: Int32
    }

    /// Cursor themes by libwayland-cursor, one for each scale in use. XCURSOR_THEME and XCURSOR_SIZE choose.
    @safe
    final class CursorThemes {
        /// X's size where none is set, px at scale 1.
        private static let usualSize: Int32 = 24

        let compositor: WlCompositor
        var defaultScale: Int32 = 1
        private let shm: WlShm
        // SAFETY: libwayland-cursor's themes, freed by `end()` alone, which the connection calls before its own end: it
        // would leave their objects dangling.
        private var loaded: [Int32: OpaquePointer]

        init(compositor: WlCompositor, shm: WlShm) {
            self.compositor = compositor
            unsafe loaded = [:]
            self.shm = shm
        }

        /// The image at `scale`; nil when no theme has one, not even libwayland-cursor's own.
        func image(_ shape: CursorShape, scale: Int32) -> CursorImage? {
            guard let theme = unsafe theme(scale) else { return nil }
            let names = shape == .crosshair ? ["crosshair", "cross", "left_ptr"] : ["default", "left_ptr"]
            for name in names {
                guard let cursor = unsafe wl_cursor_theme_get_cursor(theme, name),
                    unsafe cursor.pointee.image_count > 0,
                    let image = unsafe cursor.pointee.images[0], let buffer = unsafe wl_cursor_image_get_buffer(image)
                else { continue }
                return unsafe CursorImage(
                    buffer: buffer, width: Int32(image.pointee.width), height: Int32(image.pointee.height),
                    hotspotX: Int32(image.pointee.hotspot_x), hotspotY: Int32(image.pointee.hotspot_y))
            }
            return nil
        }

        func attach(_ image: CursorImage, to surface: WlSurface) {
            // SAFETY: see CursorImage.
            unsafe WlBuffer.withBorrowed(image.buffer, of: surface.connection) { buffer in
                surface.attach(buffer: buffer, x: 0, y: 0)
            }
        }

        func end() {
            unsafe loaded.values.forEach { theme in unsafe wl_cursor_theme_destroy(theme) }
            unsafe loaded.removeAll()
            shm.connection.beforeDisconnect[ObjectIdentifier(self)] = nil
        }

        private func theme(_ scale: Int32) -> OpaquePointer? {
            if let theme = unsafe loaded[scale] { return unsafe theme }
            guard let raw = unsafe shm.raw else { return nil }
            let size = CursorThemes.size * scale
            guard let theme = unsafe wl_cursor_theme_load(getenv("XCURSOR_THEME"), size, raw) else { return nil }
            unsafe loaded[scale] = theme
            shm.connection.beforeDisconnect[ObjectIdentifier(self)] = { self.end() }
            return unsafe theme
        }

        private static var size: Int32 {
            // SAFETY: the string is copied before anything may change the environment.
            guard let text = unsafe getenv("XCURSOR_SIZE"), let size = unsafe Int32(String(cString: text)),
                (1...512).contains(size)
            else { return usualSize }
            return size
        }
    }

    /// The image of one pointer or pen, on a surface of its own.
    final class ThemeCursor {
        private let themes: CursorThemes
        private let shape: CursorShape
        private let surface: WlSurface
        private var preferredScale: Int32?
        private var shownScale: Int32?
        private var hotspot: (x: Int32, y: Int32) = (0, 0)
        /// Of the last enter.
        private var serial: UInt32?
        /// The protocol's request: an enter's serial, the surface, its hotspot.
        private let set: (UInt32, WlSurface, Int32, Int32) -> Void

        init(
            themes: CursorThemes, shape: CursorShape, set: @escaping (UInt32, WlSurface, Int32, Int32) -> Void
        ) {
            self.set = set
            self.themes = themes
            self.shape = shape
            surface = themes.compositor.createSurface()
            // The cycle is broken by `end`, which destroys the surface.
            surface.onEvent = { event in
                if case .preferredBufferScale(let factor) = event { self.prefer(factor) }
            }
        }

        func show(serial: UInt32) {
            self.serial = serial
            let scale = preferredScale ?? themes.defaultScale
            if shownScale != scale {
                guard draw(scale) else { return }
            }
            set(serial, surface, hotspot.x, hotspot.y)
        }

        func end() { surface.destroy() }

        private func prefer(_ scale: Int32) {
            preferredScale = max(scale, 1)
            if let serial, shownScale != preferredScale { show(serial: serial) }
        }

        /// False when there is no image.
        private func draw(_ wanted: Int32) -> Bool {
            var scale = surface.version >= WlSurface.Since.setBufferScale ? wanted : 1
            guard var image = themes.image(shape, scale: scale) else { return false }
            // A theme gives the nearest size that it has; a buffer must be a multiple of its scale.
            if image.width % scale != 0 || image.height % scale != 0 {
                scale = 1
                guard let plain = themes.image(shape, scale: 1) else { return false }
                image = plain
            }
            themes.attach(image, to: surface)
            if scale != 1 || shownScale != nil, surface.version >= WlSurface.Since.setBufferScale {
                surface.setBufferScale(scale: scale)
            }
            surface.damage(x: 0, y: 0, width: image.width, height: image.height)
            surface.commit()
            hotspot = (image.hotspotX / scale, image.hotspotY / scale)
            shownScale = wanted
            return true
        }
    }
#endif
