/// How much of each pixel in one row is covered by a disc's inner and outer circle: areas, not samples.
///
/// Within a row a circle's half width falls from its near to its far value as one goes away from the centre. The area
/// between the centre and a vertical line at distance u from it is then a rectangle, a trapezoid below a chord, and the
/// segment between chord and arc; a pixel's coverage is the difference of two such areas. Distances count from the far
/// half width, so that single precision is enough at every radius. Lanes hold four areas at once: left inner, left outer,
/// right inner, right outer circle.
struct DiscRow {
    /// The columns that the inner circle covers whole. Empty when the edges meet in the centre's column.
    let interior: Range<Int>
    /// How many pixels the edges reach from the interior to either side.
    let edgeLength: Int

    /// Where the left edge begins. In a row without interior that is right of the centre's column.
    private let leftStart: Int
    private let leftInset: Double
    private let rightInset: Double
    private let part: Part
    /// In the row that the centre lies in: how far the row reaches on the centre's other side, 0 in all others.
    private let otherFar: Double

    init(_ disc: PixelDisc, y: Int) {
        let top = Double(y) - disc.centerY
        let bottom = top + 1
        let holdsCenter = top < 0 && bottom > 0
        let far = max(abs(top), abs(bottom))
        let near = min(abs(top), abs(bottom))
        let inner = Arc(disc.inner, near: holdsCenter ? 0 : near, far: far)
        let outer = Arc(disc.outer, near: holdsCenter ? 0 : near, far: far)
        otherFar = holdsCenter ? near : 0

        let left = roundedUp(disc.centerX - inner.farHalfWidth)
        let right = roundedDown(disc.centerX + inner.farHalfWidth)
        if right > left {
            interior = left..<right
            leftStart = left
        } else {
            let column = roundedDown(disc.centerX)
            interior = column..<column
            leftStart = column + 1
        }
        leftInset = disc.centerX - Double(leftStart)
        rightInset = Double(interior.upperBound) - disc.centerX
        edgeLength = roundedUp(outer.nearHalfWidth - min(leftInset, rightInset))
        part = Part(inner, outer, disc, leftInset, rightInset)
    }

    /// Calls `body` for each step outwards with the column on the left, the column on the right, and their coverages,
    /// which rounding may put a little outside 0 to 1. In a row without interior the first step has the centre's column
    /// twice, left and right of the centre. `disc` is the one that the row was made for.
    @inline(__always)
    func forEachEdge(of disc: PixelDisc, _ body: (_ left: Int, _ right: Int, _ coverage: Lanes) -> Void) {
        let part = part
        var before = part.innermostArea
        var step = 0
        var reach = Lanes(repeating: 1)
        while step < edgeLength {
            let after = part.area(reach)
            var coverage = after - before
            if otherFar > 0 { coverage += otherCoverage(of: disc, reach) }
            body(leftStart &- 1 &- step, interior.upperBound &+ step, coverage)
            before = after
            step &+= 1
            reach += 1
        }
    }

    /// What the part on the centre's other side adds.
    @inline(never)
    private func otherCoverage(of disc: PixelDisc, _ reach: Lanes) -> Lanes {
        let other = Part(
            Arc(disc.inner, near: 0, far: otherFar), Arc(disc.outer, near: 0, far: otherFar), disc, leftInset,
            rightInset)
        let before = reach[0] == 1 ? other.innermostArea : other.area(reach - 1)
        return other.area(reach) - before
    }

    /// What of the row lies on one side of the centre. Areas are less the far half width times the height.
    private struct Part {
        /// Where the edges begin, beyond the far half width: negative.
        private let start: Lanes
        /// How much the half width grows from the far to the near end.
        private let growth: Lanes
        private let far: Lanes
        private let height: Lanes
        private let twiceFarHalfWidth: Lanes
        private let curvature: Lanes
        /// The area up to where the edges begin, but not beyond the centre. The arcs have not begun there.
        let innermostArea: Lanes

        init(_ inner: Arc, _ outer: Arc, _ disc: PixelDisc, _ left: Double, _ right: Double) {
            start = Part.lanes(left, right, inner, outer)
            growth = DiscRow.lanes(inner.nearHalfWidth - inner.farHalfWidth, outer.nearHalfWidth - outer.farHalfWidth)
            far = DiscRow.lanes(inner.far, outer.far)
            height = DiscRow.lanes(inner.far - inner.near, outer.far - outer.near)
            twiceFarHalfWidth = DiscRow.lanes(2 * inner.farHalfWidth, 2 * outer.farHalfWidth)
            curvature = DiscRow.lanes(disc.innerCurvature, disc.outerCurvature)
            innermostArea = Part.lanes(max(0, left), max(0, right), inner, outer) * height
        }

        /// The areas up to `reach` px from where the edges begin.
        @inline(__always)
        func area(_ reach: Lanes) -> Lanes {
            let distance = start + reach
            let run = distance.clamped(to: growth)
            // How far from the far end the arc has the half width `farHalfWidth + run`: the smaller root of
            // x * x - 2 * far * x + excess = 0, in the form that does not cancel.
            let excess = run * (twiceFarHalfWidth + run)
            let square = far * far - excess
            let rise = excess / (far + square.magnitudes.squareRoot() + 1e-30)
            let chordSquared = run * run + rise * rise
            // The segment's area is r * r / 2 * (t - sin t) with chord = 2 * r * sin(t / 2), as a series in chord / r.
            // No chord is longer than a quarter circle's, where these terms are within 0.3 %.
            let bend = chordSquared * (curvature * curvature)
            let series = 1 + bend * (0.075 + bend * (0.010_044_6 + bend * 0.001_627_6))
            let segment = chordSquared * chordSquared.squareRoot() * (curvature * (1 / 12)) * series
            return distance * (height - rise) + rise * run * 0.5 + segment
        }

        private static func lanes(_ left: Double, _ right: Double, _ inner: Arc, _ outer: Arc) -> Lanes {
            Lanes(
                Float(left - inner.farHalfWidth), Float(left - outer.farHalfWidth), Float(right - inner.farHalfWidth),
                Float(right - outer.farHalfWidth))
        }
    }

    private static func lanes(_ inner: Double, _ outer: Double) -> Lanes {
        let inner = Float(inner)
        let outer = Float(outer)
        return Lanes(inner, outer, inner, outer)
    }
}

/// One circle's part of a row, from `near` to `far` px from the centre.
private struct Arc {
    let near: Double
    let far: Double
    let nearHalfWidth: Double
    let farHalfWidth: Double

    init(_ radius: Double, near: Double, far: Double) {
        self.near = min(near, radius)
        self.far = min(far, radius)
        nearHalfWidth = ((radius - self.near) * (radius + self.near)).squareRoot()
        farHalfWidth = ((radius - self.far) * (radius + self.far)).squareRoot()
    }
}
