internal import Gestures

// The way that a contact went.
extension Canvas {
    /// A line through all samples of the style's time, that thins and fades towards its end. `radius` in px: half its width at
    /// the contact.
    mutating func trail(_ ripple: Ripple, radius: Double, share: Double) {
        let samples = ripple.path.samples
        let seconds = style.kind.definition.pathTime
        guard !samples.isEmpty, seconds > 0 else { return }
        var nodes: [Stroke.Node] = []
        nodes.reserveCapacity(samples.count + 1)
        for sample in samples {
            let left = 1 - Double(conditions.now - sample.time) / (seconds * 1_000_000_000)
            guard left > 0 else { continue }
            nodes.append(
                Stroke.Node(
                    sample.position, radius: max(0.5, radius * left * weight(sample.pressure)), opacity: min(1, left)))
        }
        // The contact itself does not age.
        if let last = nodes.last, last.position != ripple.center {
            nodes.append(Stroke.Node(ripple.center, radius: last.radius, opacity: last.opacity))
        }
        guard nodes.count > 1 else { return }
        stroke(nodes, share: share)
    }

    /// A thin line through all samples, and a dot at each.
    mutating func samples(_ ripple: Ripple, share: Double) {
        let samples = ripple.path.samples
        guard samples.count > 1 else { return }
        line(samples.map { $0.position }, width: 1, share: share)
        for sample in samples { dot(sample.position, radius: 1.5, share: share) }
    }

    /// A pen that presses harder draws a broader line.
    private func weight(_ pressure: Double?) -> Double { pressure.map { 0.4 + 1.2 * min(1, max(0, $0)) } ?? 1 }
}
