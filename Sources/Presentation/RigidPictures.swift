internal import Gestures
internal import Pixman
internal import Ripples

/// What rigid shapes look like, kept from picture to picture: they move and fade, and to draw them costs many times what it
/// costs to lay them over the ground.
struct RigidPictures {
    /// Pixels of all; 256 KiB. Ten fingers with two discs each take a third of it, an arrow a twentieth.
    static let capacity = 1 << 16
    /// Pixels of one.
    private static let largest = 1 << 14

    /// A shape whose place is the zero point, in buffer pixels.
    private enum Form {
        case disc(PixelDisc)
        case stroke(Stroke)
    }

    struct Picture {
        let image: Image
        /// Where the image's top left corner lies from the shape's place.
        let left: Int32
        let top: Int32
        var pixelCount: Int { Int(image.size.width) * Int(image.size.height) }

        /// All of it, where the shape is at `place`.
        func rect(at place: Point) -> PixelRect {
            PixelRect(
                x: Int32(place.x) + left, y: Int32(place.y) + top, width: image.size.width, height: image.size.height)
        }
    }

    /// The newest last.
    private var entries: [(form: Form, picture: Picture)] = []
    private(set) var pixelCount = 0
    /// For tests.
    var count: Int { entries.count }

    /// Nil when there is none. An opacity is no part of a picture.
    mutating func picture(of disc: PixelDisc) -> Picture? {
        newest { form in
            guard case .disc(let own) = form else { return false }
            return own.inner == disc.inner && own.outer == disc.outer && own.colors == disc.colors
        }
    }

    /// Nil when there is none.
    mutating func picture(of stroke: Stroke, scale: Double) -> Picture? {
        newest { form in
            guard case .stroke(let own) = form else { return false }
            return stroke.hasForm(own, scale: scale)
        }
    }

    private mutating func newest(where isWanted: (Form) -> Bool) -> Picture? {
        guard let index = entries.lastIndex(where: { isWanted($0.form) }) else { return nil }
        if index < entries.count - 1 { entries.append(entries.remove(at: index)) }
        return entries.last?.picture
    }

    /// Keeps what `draw` draws into an image of this size around the zero point, given where that lies in the image. Nil
    /// for what is too large to be kept.
    mutating func keep(_ disc: PixelDisc, _ draw: (Image, Point) -> Void) -> Picture? {
        keep(.disc(disc), bounds: disc.bounds, draw)
    }

    mutating func keep(_ stroke: Stroke, bounds: PixelRect, _ draw: (Image, Point) -> Void) -> Picture? {
        keep(.stroke(stroke), bounds: bounds, draw)
    }

    private mutating func keep(_ form: Form, bounds: PixelRect, _ draw: (Image, Point) -> Void) -> Picture? {
        guard !bounds.isEmpty, Int(bounds.width) * Int(bounds.height) <= RigidPictures.largest else { return nil }
        let image = Image(size: PixelSize(width: bounds.width, height: bounds.height))
        draw(image, Point(x: -Double(bounds.x), y: -Double(bounds.y)))
        let picture = Picture(image: image, left: bounds.x, top: bounds.y)
        entries.append((form, picture))
        pixelCount += picture.pixelCount
        while pixelCount > RigidPictures.capacity { pixelCount -= entries.removeFirst().picture.pixelCount }
        return picture
    }
}

extension Stroke {
    /// Itself in buffer pixels, opaque, with its first node at the zero point. It has nodes.
    func form(scale: Double) -> Stroke {
        var form = self
        form.isRigid = false
        form.opacity = 1
        form.outlineWidth *= scale
        for index in nodes.indices {
            form.nodes[index].position = PixelSnap.way(from: nodes[0].position, to: nodes[index].position, scale: scale)
            form.nodes[index].radius *= scale
        }
        return form
    }

    /// Whether ``form(scale:)`` is `form`; without making it.
    func hasForm(_ form: Stroke, scale: Double) -> Bool {
        guard nodes.count == form.nodes.count, color == form.color, outline == form.outline,
            outlineWidth * scale == form.outlineWidth
        else { return false }
        for index in nodes.indices {
            let (own, other) = (nodes[index], form.nodes[index])
            guard own.radius * scale == other.radius, own.opacity == other.opacity,
                PixelSnap.way(from: nodes[0].position, to: own.position, scale: scale) == other.position
            else { return false }
        }
        return true
    }

    /// All that it may cover; nil when nothing of it could be seen, or its numbers make no sense.
    func bounds(in space: PixelSpace) -> PixelRect? {
        guard let outlineWidth = space.length(outlineWidth) else { return nil }
        if opacity <= 0 || color.alpha == 0 && (outline.alpha == 0 || outlineWidth <= 0) { return nil }
        var (left, top) = (Double.infinity, Double.infinity)
        var (right, bottom) = (-Double.infinity, -Double.infinity)
        var reach = 0.5
        for node in nodes {
            guard let place = space.place(node.position), let radius = space.length(node.radius) else { return nil }
            (left, top) = (min(left, place.x), min(top, place.y))
            (right, bottom) = (max(right, place.x), max(bottom, place.y))
            reach = max(reach, radius)
        }
        guard left <= right else { return nil }
        reach += outlineWidth + 0.5 + (isRigid ? PixelSnap.reach : 0)
        return PixelRect(around: left - reach, top - reach, right + reach, bottom + reach)
    }
}

extension ShapePainter {
    /// Draws a rigid disc with a sharp edge. False when it is too large for that.
    func drawRigid(_ disc: PixelDisc, on image: Image, within region: Region) -> Bool {
        let place = Point(x: disc.centerX, y: disc.centerY)
        var picture = rigidPictures.picture(of: disc)
        if picture == nil {
            var form = disc
            (form.centerX, form.centerY, form.opacity) = (0, 0, 1)
            picture = rigidPictures.keep(form) { image, place in
                (form.centerX, form.centerY) = (place.x, place.y)
                draw(form, on: image, within: Region(image.size.rect))
            }
        }
        guard let picture else { return false }
        lay(picture, at: place, opacity: disc.opacity, on: image, within: region)
        return true
    }

    /// Draws a rigid stroke, whatever its size.
    func drawRigid(_ stroke: Stroke, on image: Image, within region: Region, _ space: PixelSpace) {
        guard let first = stroke.nodes.first, let exact = space.place(first.position) else { return }
        let place = PixelSnap.whole(exact)
        if let picture = rigidPictures.picture(of: stroke, scale: space.scale) {
            return lay(picture, at: place, opacity: stroke.opacity, on: image, within: region)
        }
        var form = stroke.form(scale: space.scale)
        guard let bounds = form.bounds(in: PixelSpace(scale: 1, origin: .zero)) else { return }
        let picture = rigidPictures.keep(form, bounds: bounds) { image, place in
            draw(
                form, on: image, within: Region(image.size.rect),
                PixelSpace(scale: 1, origin: Point(x: -place.x, y: -place.y)))
        }
        if let picture { return lay(picture, at: place, opacity: stroke.opacity, on: image, within: region) }
        form.opacity = stroke.opacity
        draw(form, on: image, within: region, PixelSpace(scale: 1, origin: Point(x: -place.x, y: -place.y)))
    }

    private func lay(
        _ picture: RigidPictures.Picture, at place: Point, opacity: Double, on image: Image, within region: Region
    ) {
        let rect = picture.rect(at: place)
        guard region.intersects(rect) else { return }
        image.compositeOver(picture.image, at: rect, opacity: opacity)
    }
}
