internal import Gestures

/// What styles and marks draw with: it gives everything the ripple's colour and the outline that makes it seen on any ground.
struct Canvas {
    /// What a drawing depends on besides the ripples.
    struct Conditions: Sendable {
        /// Of the surface, logical px; nil as long as nobody said it.
        var surfaceSize: Size?
        var touchSlop = 18.0
        /// ns.
        var longPressTimeout: Int64 = .milliseconds(500)
        /// ns on the controller's clock.
        var now: Int64 = 0
    }

    var shapes: [Shape]
    let style: RippleStyle
    let conditions: Conditions
    /// What one px is to a style of the default's size.
    let unit: Double
    private var color: Color
    private var outline: Color
    private let outlineWidth: Double
    /// Discs of a palette's colours are more opaque: their colour is what they are for.
    private var strength = 1.0
    /// Between the colour and the outline, so that a colour of middling lightness is seen on a ground like it; else 0.
    private var rim = 0.0

    init(_ style: RippleStyle, _ conditions: Conditions, shapes: [Shape]) {
        self.style = style
        self.conditions = conditions
        self.shapes = shapes
        unit = style.unit
        outlineWidth = style.highContrast ? 2.5 * unit : max(0, style.outlineWidth)
        color = style.color
        outline = style.outline
        setFinger(nil)
    }

    /// Takes the colours of this finger from now on; nil for what no single finger makes.
    mutating func setFinger(_ finger: Int?) {
        strength = 1
        rim = 0
        if style.highContrast {
            color = .white
            outline = .black
        } else if let finger, style.colorByFinger {
            color = FingerColors.color(of: finger)
            outline = Color(red: 0, green: 0, blue: 0, alpha: 230)
            rim = 1.5 * unit
            if style.startOpacity > 0 { strength = max(style.startOpacity, 0.92) / style.startOpacity }
        } else {
            color = style.color
            outline = style.outline
        }
    }

    // MARK: Discs

    /// `opacity` is the fill's; the outline is as much paler than its own as that is than the style's at the start.
    mutating func disc(_ center: Point, radius: Double, opacity: Double, softness: Double = 0) {
        let share = style.startOpacity > 0 ? opacity / style.startOpacity : opacity
        let radius = max(0, radius)
        guard style.highContrast else {
            var disc = Disc(
                center: center, radius: radius, fill: color.fading(to: opacity * strength),
                outline: outline.fading(to: share), outlineWidth: outlineWidth, softness: softness)
            if rim > 0 {
                shapes.append(
                    .disc(
                        Disc(
                            center: center, radius: radius + rim, fill: .clear, outline: disc.outline,
                            outlineWidth: outlineWidth)))
                disc.outline = Color.white.fading(to: share)
                disc.outlineWidth = rim
            }
            shapes.append(.disc(disc))
            return
        }
        let opacity = opaque(share)
        shapes.append(
            .disc(
                Disc(
                    center: center, radius: radius + outlineWidth, fill: .clear, outline: color.fading(to: opacity),
                    outlineWidth: 1.5 * unit)))
        shapes.append(
            .disc(
                Disc(
                    center: center, radius: radius, fill: color.fading(to: opacity),
                    outline: outline.fading(to: opacity), outlineWidth: outlineWidth)))
    }

    /// The same for what moves and fades as a whole; `share` is of the style's opacity at the start.
    mutating func rigidDisc(_ center: Point, radius: Double, share: Double) {
        let first = shapes.count
        disc(center, radius: radius, opacity: style.startOpacity)
        for index in first..<shapes.count {
            guard case .disc(var disc) = shapes[index] else { continue }
            disc.isRigid = true
            disc.opacity = style.highContrast ? opaque(share) : share
            shapes[index] = .disc(disc)
        }
    }

    /// A disc that may be as large as a wave: with high contrast a line, which hides less.
    mutating func wave(_ center: Point, radius: Double, opacity: Double) {
        guard style.highContrast else { return disc(center, radius: radius, opacity: opacity) }
        ring(center, radius: radius, width: 4, share: style.startOpacity > 0 ? opacity / style.startOpacity : opacity)
    }

    /// Light that fades out at its edge, over a shadow that makes it seen on a light ground. `share` is of the style's
    /// opacity.
    mutating func glow(_ center: Point, radius: Double, share: Double) {
        guard !style.highContrast else { return ring(center, radius: radius, width: 4, share: share) }
        let shadow = radius + 6 * unit
        shapes.append(
            .disc(
                Disc(
                    center: center, radius: shadow, fill: outline.fading(to: 0.25 * share),
                    softness: min(shadow, 22 * unit))))
        shapes.append(
            .disc(
                Disc(
                    center: center, radius: radius,
                    fill: color.fading(to: min(1, style.startOpacity * 0.6 * strength) * share),
                    softness: radius * 0.35)))
    }

    // MARK: Lines

    /// `width` in units; `share` of full opacity.
    mutating func ring(_ center: Point, radius: Double, width: Double, share: Double) {
        arc(center, radius: radius, start: 0, sweep: 360, width: width, share: share)
    }

    /// Degrees clockwise from the x axis; `width` in units.
    mutating func arc(
        _ center: Point, radius: Double, start: Double, sweep: Double, width: Double, share: Double
    ) {
        var arc = Arc(
            center: center, radius: max(0, radius), start: start, sweep: sweep, lineRadius: width / 2 * unit,
            color: lineColor(share), outline: lineOutline(share), outlineWidth: outlineWidth)
        if style.highContrast {
            var under = arc
            under.outline = under.color
            under.outlineWidth += 1.5 * unit
            shapes.append(.arc(under))
        } else if rim > 0 {
            var under = arc
            under.lineRadius += rim
            under.color = .white.fading(to: share)
            shapes.append(.arc(under))
            arc.outline = .clear
        } else {
            // Two outlines that meet would close the hole of a small ring.
            arc.outlineWidth = min(arc.outlineWidth, max(0.75, arc.radius / 2))
        }
        shapes.append(.arc(arc))
    }

    /// Straight lines from point to point; `width` in units.
    mutating func line(_ points: [Point], closed: Bool = false, width: Double, share: Double) {
        stroke(Stroke(points, closed: closed, radius: width / 2 * unit, color: .clear).nodes, share: share)
    }

    /// A line of changing width and opacity.
    mutating func stroke(_ nodes: [Stroke.Node], share: Double) {
        stroke(nodes, share: share, isRigid: false, opacity: 1)
    }

    /// The same for what moves and fades as a whole.
    mutating func rigidStroke(_ nodes: [Stroke.Node], share: Double) {
        stroke(nodes, share: 1, isRigid: true, opacity: style.highContrast ? opaque(share) : share)
    }

    private mutating func stroke(_ nodes: [Stroke.Node], share: Double, isRigid: Bool, opacity: Double) {
        var stroke = Stroke(
            nodes: nodes, color: lineColor(share), outline: lineOutline(share), outlineWidth: outlineWidth)
        stroke.isRigid = isRigid
        stroke.opacity = opacity
        if style.highContrast {
            var under = stroke
            under.outline = under.color
            under.outlineWidth += 1.5 * unit
            shapes.append(.stroke(under))
        } else if rim > 0 {
            var under = stroke
            for index in under.nodes.indices { under.nodes[index].radius += rim }
            under.color = .white.fading(to: share)
            shapes.append(.stroke(under))
            stroke.outline = .clear
        }
        shapes.append(.stroke(stroke))
    }

    /// A filled dot; `radius` in units.
    mutating func dot(_ center: Point, radius: Double, share: Double) {
        shapes.append(
            .disc(
                Disc(
                    center: center, radius: radius * unit, fill: lineColor(share), outline: lineOutline(share),
                    outlineWidth: outlineWidth)))
    }

    /// Lines are thin, so they are more opaque than discs: at the default's opacity nearly fully.
    private func lineColor(_ share: Double) -> Color {
        style.highContrast
            ? color.fading(to: opaque(share)) : color.fading(to: min(1, style.startOpacity * 1.6 * strength) * share)
    }

    private func lineOutline(_ share: Double) -> Color {
        outline.fading(to: style.highContrast ? opaque(share) : share)
    }

    /// With high contrast things are opaque for most of their time, and then go quickly.
    private func opaque(_ share: Double) -> Double { min(1, max(0, share) * 4) }
}
