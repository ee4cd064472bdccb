package import Recording
package import TouchDevices

/// What a source of touches says, whatever it is.
package enum SourceEvent: Equatable, Sendable {
    /// A touchscreen came or went.
    case device(TouchDevice, isThere: Bool)
    /// Of fingers, pens or the pointer: never a device's line, nor one that tells of none of them.
    case touch(TouchLine)
    /// A line that tells of no touch: how large what is touched is, where a recording begins, ...
    case other(TouchLine)
    /// What a recording of evdev's events says of a device, by its number there.
    indirect case description(EvdevDevice, number: Int)
    /// A line for people; one that `isNote` is for `--verbose` alone.
    case problem(String, isNote: Bool)
    /// Nothing more will come.
    case ended
    /// Nothing more can be read.
    case failed(Failure)
}

/// Whose touches: a device of a seat, or a seat whose log names no device.
package struct StreamKey: Hashable, Sendable {
    package var seat: String
    /// The kernel's name of it, such as `event3`.
    package var device: String?

    package init(seat: String, device: String? = nil) {
        self.seat = seat
        self.device = device
    }

    init(_ line: TouchLine) { self.init(seat: line.seat ?? "seat0", device: line.device) }

    init(_ device: TouchDevice) { self.init(seat: device.seat, device: device.sysname) }
}
