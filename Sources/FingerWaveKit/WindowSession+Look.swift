internal import Gestures
internal import Presentation
internal import Ripples

/// What the picture looks like, as the options, the keys and the screen have it now.
extension WindowSession {
    /// To be called when one of them has changed.
    func fitLook() {
        let density = window?.pixelsPerMillimetre
        ripples.style = RippleStyle(settings.look, pixelsPerMillimetre: density)
        if isInspecting {
            ripples.style.kind = .inspect
        } else if settings.look.style == .inspect {
            // Switched off by its key, it is no style's to fall back to.
            ripples.style.kind = RippleStyle().kind
        }
        // A recording's lengths are those of what was touched.
        ripples.fit(replay?.streams.configuration ?? settings.gestures.configuration(pixelsPerMillimetre: density))
        guard let geometry = window?.presenter.geometry else { return }
        ripples.surfaceSize = Size(
            width: Double(geometry.logicalSize.width), height: Double(geometry.logicalSize.height))
        if settings.look.radius.unit == .mm, density == nil, settings.run.isVerbose, !saysUnknownDensity {
            saysUnknownDensity = true
            complain("fingerwave: no output tells its physical size: 1 mm is taken as 6 px\n")
        }
    }
}
