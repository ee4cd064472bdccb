package import WaylandProtocols

/// Pointer images.
package enum CursorShape: Sendable {
    case arrow
    case crosshair
}

/// Gives every pointer and every pen its image: by cursor-shape-v1 when the compositor has it, else out of a theme where the build has
/// libwayland-cursor, else not at all: the compositor then shows what it likes.
package final class Cursors {
    private let shapes: WpCursorShapeManagerV1?
    private let shape: CursorShape
    #if WAYLAND_CURSOR
        private let themes: CursorThemes?
    #endif

    /// - Parameters:
    ///   - shapes: the global, when offered.
    ///   - compositor, shm: what images out of a theme need.
    package init(
        shapes: WpCursorShapeManagerV1?, compositor: WlCompositor?, shm: WlShm?, shape: CursorShape = .arrow
    ) {
        self.shapes = shapes
        self.shape = shape
        #if WAYLAND_CURSOR
            if shapes == nil, let compositor, let shm {
                themes = CursorThemes(compositor: compositor, shm: shm)
            } else {
                themes = nil
            }
        #endif
    }

    /// Whole-number scale for images out of a theme: the largest of the outputs'. From wl_surface version 6 on the
    /// compositor says it itself, and this only serves until it has.
    package func setScale(_ scale: Int32) {
        #if WAYLAND_CURSOR
            themes?.defaultScale = max(scale, 1)
        #endif
    }

    /// Lets the theme's buffers go, after the seats were removed; at the latest the end of the connection does it.
    package func end() {
        #if WAYLAND_CURSOR
            themes?.end()
        #endif
    }

    func cursor(of pointer: WlPointer) -> PointerCursor? {
        if let shapes { return .shape(shapes.getPointer(pointer: pointer), shape) }
        #if WAYLAND_CURSOR
            if let themes {
                let theme = ThemeCursor(themes: themes, shape: shape) { serial, surface, x, y in
                    pointer.setCursor(serial: serial, surface: surface, hotspotX: x, hotspotY: y)
                }
                return .theme(theme)
            }
        #endif
        return nil
    }

    /// A pen has a crosshair, since its tip is exact.
    func cursor(of tool: ZwpTabletToolV2) -> PointerCursor? {
        if let shapes { return .shape(shapes.getTabletToolV2(tabletTool: tool), .crosshair) }
        #if WAYLAND_CURSOR
            if let themes {
                let theme = ThemeCursor(themes: themes, shape: .crosshair) { serial, surface, x, y in
                    tool.setCursor(serial: serial, surface: surface, hotspotX: x, hotspotY: y)
                }
                return .theme(theme)
            }
        #endif
        return nil
    }
}

/// The image of one pointer or pen.
enum PointerCursor {
    case shape(WpCursorShapeDeviceV1, CursorShape)
    #if WAYLAND_CURSOR
        case theme(ThemeCursor)
    #endif

    /// The pointer or pen entered one of our surfaces: from then on the image is ours to set, with that event's serial.
    func show(serial: UInt32) {
        switch self {
        case .shape(let device, let shape):
            device.setShape(serial: serial, shape: shape == .crosshair ? .crosshair : .default)
        #if WAYLAND_CURSOR
            case .theme(let cursor): cursor.show(serial: serial)
        #endif
        }
    }

    func end() {
        switch self {
        case .shape(let device, _): device.destroy()
        #if WAYLAND_CURSOR
            case .theme(let cursor): cursor.end()
        #endif
        }
    }
}
