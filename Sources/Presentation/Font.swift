#if FCFT
    internal import CFcft
    internal import Pixman

    /// A monospaced font at one size, as fontconfig chooses it.
    @safe
    final class Font {
        /// In pixels: from baseline to baseline, and from a line's top to its baseline.
        let lineHeight: Int32
        let ascent: Int32

        // SAFETY: fcft's font, owned by self and destroyed by deinit alone. Its glyphs live as long as it.
        private let raw: UnsafeMutablePointer<fcft_font>

        /// Set up once and kept: fcft's own caches serve every surface of the program until it ends.
        private static let library = fcft_init(FCFT_LOG_COLORIZE_NEVER, false, FCFT_LOG_CLASS_NONE)

        /// Nil when fontconfig has no font at all.
        init?(pixelSize: Int32) {
            guard Font.library else { return nil }
            let font = unsafe "monospace:pixelsize=\(pixelSize)".withCString { name in
                var names: [UnsafePointer<CChar>?] = unsafe [name]
                return unsafe fcft_from_name(1, &names, nil)
            }
            guard let font = unsafe font, unsafe font.pointee.height > 0 else { return nil }
            unsafe raw = font
            lineHeight = unsafe font.pointee.height
            ascent = unsafe font.pointee.ascent
        }

        deinit { unsafe fcft_destroy(raw) }

        /// Pixels from the text's beginning to where more text would follow.
        func width(of text: String) -> Int32 {
            var width: Int32 = 0
            for scalar in text.unicodeScalars { unsafe width += glyph(scalar)?.pointee.advance.x ?? 0 }
            return width
        }

        /// Draws one line with its top left corner at `x`, `y`, within the image's clip.
        func draw(_ text: String, x: Int32, y: Int32, ink: Ink, on image: Image) {
            var x = x
            for scalar in text.unicodeScalars {
                guard let glyph = unsafe glyph(scalar) else { continue }
                let shape = unsafe glyph.pointee
                if let picture = unsafe shape.pix, unsafe shape.width > 0, unsafe shape.height > 0 {
                    let rect = unsafe PixelRect(
                        x: x + shape.x, y: y + ascent - shape.y, width: shape.width, height: shape.height)
                    unsafe image.compositeOver(ink, through: picture, at: rect)
                }
                unsafe x += shape.advance.x
            }
        }

        private func glyph(_ scalar: Unicode.Scalar) -> UnsafePointer<fcft_glyph>? {
            // Grey masks: the buffer may be turned or scaled on its way to the panel's subpixels.
            scalar.value < 0x20 ? nil : unsafe fcft_rasterize_char_utf32(raw, scalar.value, FCFT_SUBPIXEL_NONE)
        }
    }
#endif
