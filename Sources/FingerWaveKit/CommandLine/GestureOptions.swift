internal import Gestures

/// What the recogniser calls a tap, a press, a swipe. The same for every command that recognises.
package struct GestureOptions: OptionTable {
    /// ns.
    package var longPress = GestureConfiguration().longPressTimeout

    package init() {}

    package static let entries: [OptionEntry<GestureOptions>] = [
        OptionEntry(
            "long-press", .milliseconds(50...60_000), "how long a still finger is down for a long press",
            get: { $0.longPress }, put: { $0.longPress = $1 })
    ]
}

extension GestureConfiguration {
    /// The numbers that the options ask for.
    init(_ options: GestureOptions) {
        self.init()
        longPressTimeout = options.longPress
    }
}
