package import Gestures
package import Pixman
package import Ripples

/// Draws shapes: a background, and what lies over it, blended by pixman.
///
/// A part of a shape is made as premultiplied pixels in a small tile, and the tile is composited with OVER, until the shape's
/// bounds are done. A pixel's value depends on the shapes alone, not on the clip or on how the tiles fall: drawing a part
/// again gives the same pixels as drawing everything.
package final class ShapePainter {
    /// What is made at once fits into one of these, which fit into the first-level cache. Their widths are no powers of two,
    /// lest all rows fall into the same cache lines.
    private let wideTile = Tile(PixelSize(width: 528, height: 14))
    /// For what is narrow, as marks are: in one go, not in strips.
    private let narrowTile = Tile(PixelSize(width: 88, height: 80))
    /// The pieces of the stroke that is being drawn; kept for its memory.
    private var capsules: [Capsule] = []
    /// The tile's rows; kept for their memory, and of use only while the tile is open.
    var coverageRows: [CoverageRow] = []
    /// What the last rigid shapes look like.
    var rigidPictures = RigidPictures()

    /// Where a part of a shape is made.
    struct Tile {
        /// Of the largest part.
        let size: PixelSize
        let image: Image

        init(_ size: PixelSize) {
            self.size = size
            image = Image(size: PixelSize(width: size.width + CoverageRow.slack, height: size.height))
        }
    }

    package init() {}

    /// Paints `region` of `image` anew: the background, then `shapes` from first to last.
    ///
    /// `scale` is buffer pixels for one logical px; `origin` is the image's top left corner in logical px. With
    /// `groundIsClear`, the region is known to hold nothing but transparent pixels.
    package func paint(
        _ shapes: [Shape], on image: Image, region: Region, background: PremultipliedColor, scale: Double,
        origin: Point = Point(x: 0, y: 0), groundIsClear: Bool = false
    ) {
        let region = region.intersection(image.size.rect)
        if region.isEmpty { return }
        if background != .clear || !groundIsClear { image.fill(region, with: background) }
        image.setClip(region)
        let space = PixelSpace(scale: scale, origin: origin)
        for shape in shapes {
            switch shape {
            case .disc(let disc): draw(disc, on: image, within: region, space)
            case .stroke(let stroke): draw(stroke, on: image, within: region, space)
            case .arc(let arc): draw(arc, on: image, within: region, space)
            // Drawn by TextRenderer, once all else is there.
            case .label: break
            }
        }
        image.setClip(nil)
    }

    private func draw(_ disc: Disc, on image: Image, within region: Region, _ space: PixelSpace) {
        guard let pixelDisc = PixelDisc(disc, in: space) else { return }
        if let soft = SoftDisc(pixelDisc, softness: disc.softness, in: space) {
            draw(CollectionOfOne(soft), pixelDisc.colors.fading(to: disc.opacity), on: image, within: region)
        } else if !disc.isRigid || !drawRigid(pixelDisc, on: image, within: region) {
            draw(pixelDisc, on: image, within: region)
        }
    }

    func draw(_ stroke: Stroke, on image: Image, within region: Region, _ space: PixelSpace) {
        if stroke.isRigid { return drawRigid(stroke, on: image, within: region, space) }
        guard stroke.appendCapsules(to: &capsules, in: space) else { return }
        let colors = ShapeColors(fill: stroke.color, outline: stroke.outline).fading(to: stroke.opacity)
        draw(capsules, colors, on: image, within: region)
        capsules.removeAll(keepingCapacity: true)
    }

    private func draw(_ arc: Arc, on image: Image, within region: Region, _ space: PixelSpace) {
        guard let pixelArc = PixelArc(arc, in: space) else { return }
        draw(
            CollectionOfOne(pixelArc), ShapeColors(fill: arc.color, outline: arc.outline), on: image, within: region)
    }

    /// Calls `body` with the parts of `bounds` in which something is to be painted, each with a tile that it fits into.
    func forEachTile(of bounds: PixelRect, within region: Region, _ body: (Image, PixelRect) -> Void) {
        let target = bounds.intersection(region.bounds)
        let tile = target.width <= narrowTile.size.width ? narrowTile : wideTile
        var y = target.y
        while y < target.bottom {
            let bottom = min(target.bottom, y + tile.size.height)
            var x = target.x
            while x < target.right {
                let right = min(target.right, x + tile.size.width)
                let part = PixelRect(left: x, top: y, right: right, bottom: bottom)
                if region.intersects(part) { body(tile.image, part) }
                x = right
            }
            y = bottom
        }
    }
}

extension Stroke {
    /// Appends its pieces in buffer pixels; false, and nothing, when nothing of it could be seen or its numbers make no
    /// sense.
    func appendCapsules(to capsules: inout [Capsule], in space: PixelSpace) -> Bool {
        guard let outlineWidth = space.length(outlineWidth) else { return false }
        let hasOutline = outline.alpha > 0 && outlineWidth > 0
        if color.alpha == 0 && !hasOutline { return false }
        var last: Capsule.End?
        for (index, node) in nodes.enumerated() {
            guard let end = Capsule.End(node, outlineWidth: hasOutline ? outlineWidth : 0, in: space) else {
                capsules.removeAll(keepingCapacity: true)
                return false
            }
            // The way back over the piece before is there already.
            let isWayBack = index >= 2 && nodes[index - 2] == node
            if let last, !isWayBack { capsules.append(Capsule(last, end)) }
            last = end
        }
        if let last, capsules.isEmpty { capsules.append(Capsule(last, last)) }
        return !capsules.isEmpty
    }
}
