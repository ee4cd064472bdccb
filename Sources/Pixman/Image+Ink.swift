internal import CPixman

/// A colour to be laid on through masks.
///
/// Not safe to share between threads.
@safe
package final class Ink {
    // SAFETY: pixman's image, owned by self and freed by deinit alone.
    fileprivate let raw: OpaquePointer

    package init(_ color: PremultipliedColor) {
        var wide = pixman_color(
            red: UInt16(color.red) * 257, green: UInt16(color.green) * 257, blue: UInt16(color.blue) * 257,
            alpha: UInt16(color.alpha) * 257)
        guard let image = unsafe pixman_image_create_solid_fill(&wide) else { fatalError("no memory for a colour") }
        unsafe raw = image
    }

    deinit { unsafe _ = pixman_image_unref(raw) }
}

extension Image {
    /// Lays `ink` over `rect`, within the clip.
    package func compositeOver(_ ink: Ink, in rect: PixelRect) {
        unsafe pixman_image_composite32(
            PIXMAN_OP_OVER, ink.raw, nil, raw, 0, 0, 0, 0, rect.x, rect.y, rect.width, rect.height)
    }

    /// Lays `ink` over `rect` through a glyph's mask, within the clip. A glyph that has colours of its own keeps them.
    ///
    /// The caller answers for it that `glyph` is a pixman_image_t of at least the size of `rect`.
    @unsafe
    package func compositeOver(_ ink: Ink, through glyph: OpaquePointer, at rect: PixelRect) {
        let isColored = unsafe pixman_image_get_format(glyph) == PIXMAN_a8r8g8b8
        unsafe pixman_image_composite32(
            PIXMAN_OP_OVER, isColored ? glyph : ink.raw, isColored ? nil : glyph, raw, 0, 0, 0, 0, rect.x, rect.y,
            rect.width, rect.height)
    }
}
