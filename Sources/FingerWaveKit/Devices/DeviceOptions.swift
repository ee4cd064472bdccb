internal import TouchDevices

/// Which touchscreens are read.
package struct DeviceOptions: OptionTable {
    package var seat = "seat0"
    /// Paths of nodes, or of links to nodes; when there are any, these alone are read.
    package var devices: [String] = []

    package init() {}

    package static let topic: HelpTopic? = .events

    package static let entries: [OptionEntry<DeviceOptions>] = [
        OptionEntry(
            "seat", .text("NAME"), "all touchscreens of this seat", needsRestart: true, get: { $0.seat },
            put: { $0.seat = $1 }),
        OptionEntry(
            "device", .list("PATH"), "only this one; may be said again for more", needsRestart: true,
            get: { $0.devices }, put: { $0.devices = $1 }),
    ]

    var source: TouchDeviceReader.Source { devices.isEmpty ? .seat(seat) : .devices(devices) }
}
