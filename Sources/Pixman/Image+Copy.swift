internal import CPixman

extension Image {
    /// Takes the pixels of `region` over from `source`, which has the same size.
    package func copy(_ source: Image, in region: Region) {
        setClip(region)
        composite(source, at: size.rect)
        setClip(nil)
    }

    /// Takes all pixels of `source` over, which goes to `target`.
    package func copy(_ source: Image, to target: PixelRect) { composite(source, at: target) }

    /// The picture, enlarged or reduced to cover one of this size, and cut at its sides or above and below.
    package func covering(_ size: PixelSize) -> Image {
        let target = Image(size: size)
        // This one's pixels for one of the target's.
        let scale = min(
            Double(self.size.width) / Double(size.width), Double(self.size.height) / Double(size.height))
        var transform = pixman_transform()
        transform.matrix.0 = (fixed(scale), 0, fixed((Double(self.size.width) - scale * Double(size.width)) / 2))
        transform.matrix.1 = (0, fixed(scale), fixed((Double(self.size.height) - scale * Double(size.height)) / 2))
        transform.matrix.2 = (0, 0, fixed(1))
        unsafe pixman_image_set_transform(raw, &transform)
        // Its edge goes on beyond it, or it would be seen through there.
        unsafe pixman_image_set_repeat(raw, PIXMAN_REPEAT_PAD)
        unsafe fw_pixman_set_scaling_filter(raw, scale)
        target.composite(self, at: size.rect)
        unsafe pixman_image_set_filter(raw, PIXMAN_FILTER_NEAREST, nil, 0)
        unsafe pixman_image_set_repeat(raw, PIXMAN_REPEAT_NONE)
        unsafe pixman_image_set_transform(raw, nil)
        return target
    }

    private func composite(_ source: Image, at target: PixelRect) {
        unsafe pixman_image_composite32(
            PIXMAN_OP_SRC, source.raw, nil, raw, 0, 0, 0, 0, target.x, target.y, target.width, target.height)
    }
}

/// 16.16.
private func fixed(_ value: Double) -> pixman_fixed_t { fw_pixman_double_to_fixed(value) }
