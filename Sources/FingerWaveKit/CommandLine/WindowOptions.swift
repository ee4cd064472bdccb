internal import Gestures

/// Where the window is and how large.
package struct WindowOptions: OptionTable {
    package struct Size: Equatable, Sendable {
        package var width: Int32
        package var height: Int32
    }

    package var fullscreen = false
    /// Logical px; nil: the compositor's wish, else 640x480.
    package var size: Size?
    /// The output to be full screen on; nil: the compositor's choice.
    package var output: String?
    /// The compositor's socket; nil: as the environment says.
    package var display: String?

    package init() {}

    package static let topic: HelpTopic? = .window

    /// Naming an output is asking for it.
    package var isFullscreen: Bool { fullscreen || output != nil }

    package static let entries: [OptionEntry<WindowOptions>] = [
        OptionEntry(
            "fullscreen", .flag, "cover a whole output", needsRestart: true, get: { $0.fullscreen },
            put: { $0.fullscreen = $1 }),
        OptionEntry(
            "size", .optional(.size, or: "auto"), "logical px, unless the compositor chooses (640x480)",
            needsRestart: true,
            get: { $0.size }, put: { $0.size = $1 }),
        OptionEntry(
            "output", .optional(.text("NAME"), or: ""), "the output to cover, as fingerwave info names it",
            needsRestart: true,
            get: { $0.output }, put: { $0.output = $1 }),
        OptionEntry(
            "display", .optional(.text("SOCKET"), or: ""), "the compositor ($WAYLAND_DISPLAY)", needsRestart: true,
            get: { $0.display }, put: { $0.display = $1 }),
    ]
}

extension OptionKind<WindowOptions.Size> {
    static var size: OptionKind {
        OptionKind(
            .required("WxH"),
            read: { (option) throws(Failure) -> WindowOptions.Size in
                guard let size = NumberText.size(option.value) else {
                    throw .badValue(option, "WIDTHxHEIGHT, each from 1 to 16384, or auto")
                }
                return WindowOptions.Size(width: size.width, height: size.height)
            },
            write: { "\($0.width)x\($0.height)" })
    }

    /// Of what a recording was made on: in mm, too, which are 6 px each.
    static var touchedSize: OptionKind {
        var kind = size
        let read = kind.read
        kind.read = { (option) throws(Failure) -> WindowOptions.Size in
            guard option.value.utf8.suffix(2).elementsEqual("mm".utf8) else { return try read(option) }
            let sides = String(option.value.dropLast(2)).split(separator: "x", omittingEmptySubsequences: false)
            func pixels(_ side: Int) -> Int32? {
                guard sides.count == 2, let millimetres = NumberText.double(String(sides[side])) else { return nil }
                let pixels = (millimetres * GestureConfiguration.usualDensity).rounded()
                return (1...16384).contains(pixels) ? Int32(pixels) : nil
            }
            guard let width = pixels(0), let height = pixels(1) else {
                throw .badValue(option, "WIDTHxHEIGHTmm, such as 95x57mm")
            }
            return WindowOptions.Size(width: width, height: height)
        }
        return kind
    }
}
