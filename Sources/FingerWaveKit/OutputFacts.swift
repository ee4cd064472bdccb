package import Gestures

/// One output, as the compositor describes it.
package struct OutputFacts: Equatable, Sendable {
    /// The registry's number.
    package var global: UInt32
    /// Such as `DP-1`; empty when neither wl_output version 4 nor xdg_output version 2 tells it.
    package var name = ""
    package var make = ""
    package var model = ""
    /// What wl_surface falls back to for its scale; 1 before wl_output version 2.
    package var scale: Int32 = 1
    /// wl_output.transform's number.
    package var transform: Int32 = 0
    /// The current mode in physical pixels, as the panel has them: before the transform.
    package var width: Int32 = 0
    package var height: Int32 = 0
    /// mm, before the transform; 0 when unknown.
    package var physicalWidth: Int32 = 0
    package var physicalHeight: Int32 = 0
    /// Logical px, as xdg_output tells them; nil when it was not asked or did not say.
    package var layoutSize: Size?

    package init(global: UInt32) { self.global = global }

    /// True when the transform turns the panel by a quarter.
    package var isOnItsSide: Bool { transform & 1 == 1 }

    /// The size that surfaces see, in logical px; nil as long as no mode is known.
    package var logicalSize: Size? {
        if let layoutSize, layoutSize.width > 0, layoutSize.height > 0 { return layoutSize }
        guard width > 0, height > 0, scale > 0 else { return nil }
        let (wide, high) = (Double(width) / Double(scale), Double(height) / Double(scale))
        return isOnItsSide ? Size(width: high, height: wide) : Size(width: wide, height: high)
    }

    /// Logical px on one mm of the panel; nil when it does not tell its size.
    package var pixelsPerMillimetre: Double? {
        guard let logicalSize, physicalWidth > 0 else { return nil }
        return (isOnItsSide ? logicalSize.height : logicalSize.width) / Double(physicalWidth)
    }

    /// For people: its name, else what it is.
    package var label: String {
        if !name.isEmpty { return name }
        let words = [make, model].filter { !$0.isEmpty && $0 != "Unknown" && $0 != "unknown" }
        return words.isEmpty ? "output \(global)" : words.joined(separator: " ")
    }
}
