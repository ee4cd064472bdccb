package import Pixman
internal import Presentation
package import Ripples

/// A picture of shapes that changes from one moment to the next: only what changes is painted anew.
package final class FrameCanvas {
    private let composer: FrameComposer<Picture>
    private let picture: Picture

    /// - Parameters:
    ///   - size: of the picture, in its own pixels.
    ///   - scale: its pixels for one logical px.
    ///   - ground: lies under everything, in place of `background`; of the picture's size.
    package init(size: PixelSize, scale: Double, background: Color, ground: Image? = nil) {
        picture = Picture(size)
        composer = FrameComposer(background: PremultipliedColor(background))
        composer.ground = ground
        composer.resize(to: size, scale: scale)
    }

    package var size: PixelSize { picture.image.size }
    package var image: Image { picture.image }

    /// Why labels are not drawn; nil when they are, and before the first one.
    package var textFailure: String? { composer.textFailure }

    /// Paints `shapes`, from the lowest to the topmost, and returns the pixels that may have changed.
    package func show(_ shapes: [Shape]) -> Region {
        composer.shapes = shapes
        let picture = picture
        // The picture is always made, and always idle.
        guard let outcome = try? composer.compose(make: { _ in picture }), case .frame(_, let damage) = outcome else {
            return Region()
        }
        picture.release()
        return damage
    }

    /// Memory of our own, which nobody holds for longer than a call.
    private final class Picture: BufferStorage {
        let image: Image
        private var onRelease: (() -> Void)?

        init(_ size: PixelSize) { image = Image(size: size) }

        func setReleaseHandler(_ handler: @escaping () -> Void) { onRelease = handler }

        func release() { onRelease?() }

        func discard() { onRelease = nil }
    }
}
