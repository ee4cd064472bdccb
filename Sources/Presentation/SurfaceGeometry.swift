package import Pixman

/// The size of a surface in logical px, the coordinates of its events.
package struct LogicalSize: Hashable, Sendable {
    package var width: Int32
    package var height: Int32

    package init(width: Int32, height: Int32) {
        self.width = width
        self.height = height
    }
}

/// How large a surface's buffer is beside the surface.
package enum SurfaceScale: Hashable, Sendable {
    /// By wl_surface.set_buffer_scale.
    case integer(Int32)
    /// By a viewport, in 120ths: wp_fractional_scale_v1's unit.
    case fractional(Int32)

    package var factor: Double {
        switch self {
        case .integer(let scale): Double(scale)
        case .fractional(let numerator): Double(numerator) / 120
        }
    }
}

/// What the compositor has said about a surface's scale, in all the ways in which it can.
package struct ScaleSources: Equatable, Sendable {
    /// wp_fractional_scale_v1.preferred_scale, in 120ths.
    package var fractional: Int32?
    /// wl_surface.preferred_buffer_scale, from version 6 on.
    package var preferred: Int32?
    /// The largest scale of the outputs that the surface is on.
    package var output: Int32 = 1

    package init() {}

    /// The scale to draw at. A fractional one can be shown only through a viewport; an integer one only from version 3
    /// of wl_surface on.
    package func choice(hasViewport: Bool, surfaceVersion: UInt32) -> SurfaceScale {
        if hasViewport, let fractional, fractional > 0 { return .fractional(fractional) }
        guard surfaceVersion >= 3 else { return .integer(1) }
        return .integer(max(1, preferred ?? output))
    }
}

/// A surface's size in all coordinates that matter.
///
/// The buffer's transform is always normal: the compositor turns the content as the output needs it.
package struct SurfaceGeometry: Equatable, Sendable {
    package var logicalSize: LogicalSize
    package var scale: SurfaceScale

    package init(logicalSize: LogicalSize, scale: SurfaceScale) {
        self.logicalSize = logicalSize
        self.scale = scale
    }

    /// In pixels. At a fractional scale rounded to nearest, half away from zero, as fractional-scale-v1 demands.
    package var bufferSize: PixelSize {
        PixelSize(width: bufferLength(logicalSize.width), height: bufferLength(logicalSize.height))
    }

    private func bufferLength(_ length: Int32) -> Int32 {
        let pixels =
            switch scale {
            case .integer(let scale): Int64(length) * Int64(scale)
            case .fractional(let numerator): (Int64(length) * Int64(numerator) + 60) / 120
            }
        return Int32(clamping: max(1, pixels))
    }

    /// For wl_surface.set_buffer_scale.
    package var bufferScale: Int32 {
        switch scale {
        case .integer(let scale): scale
        case .fractional: 1
        }
    }

    /// For wp_viewport.set_destination; nil when there is none to be set.
    package var viewportDestination: LogicalSize? {
        switch scale {
        case .integer: nil
        case .fractional: logicalSize
        }
    }

    /// The smallest rectangle of whole logical px around `rect` of the buffer, for wl_surface.damage.
    package func surfaceRect(_ rect: PixelRect) -> PixelRect {
        let buffer = bufferSize
        return PixelRect(
            left: Self.scaled(rect.x, by: logicalSize.width, over: buffer.width, up: false),
            top: Self.scaled(rect.y, by: logicalSize.height, over: buffer.height, up: false),
            right: Self.scaled(rect.right, by: logicalSize.width, over: buffer.width, up: true),
            bottom: Self.scaled(rect.bottom, by: logicalSize.height, over: buffer.height, up: true))
    }

    /// Buffer coordinates are never negative.
    private static func scaled(_ value: Int32, by logical: Int32, over buffer: Int32, up: Bool) -> Int32 {
        Int32(clamping: (Int64(value) * Int64(logical) + (up ? Int64(buffer) - 1 : 0)) / Int64(buffer))
    }
}
