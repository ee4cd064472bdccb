internal import WaylandProtocols

/// What a seat has sent so far, for telling why touches do not show.
package struct SeatDiagnosis: Equatable, Sendable {
    /// wl_touch events of every kind.
    package var touchEvents = 0
    /// Presses of the pointer's primary button, wherever.
    package var pointerPresses = 0
    /// Presses that were left out because a touch explained them.
    package var emulatedPresses = 0
    /// Touches on surfaces that are not registered.
    package var foreignDowns = 0
    package var hasTouch = false

    /// Presses came but not one wl_touch event, though the seat has a touchscreen: "pointer emulation: no wl_touch
    /// traffic". True as well as long as only a mouse was used, so it is a hint for whoever has touched the screen.
    package var looksLikeEmulationOnly: Bool { hasTouch && touchEvents == 0 && pointerPresses > 0 }
}

extension SeatInput {
    package var diagnosis: SeatDiagnosis {
        var diagnosis = diagnosisCounts
        diagnosis.emulatedPresses = contacts.emulatedPresses
        diagnosis.foreignDowns = contacts.touch.foreignDowns
        diagnosis.hasTouch = capabilities.contains(.touch)
        return diagnosis
    }
}
