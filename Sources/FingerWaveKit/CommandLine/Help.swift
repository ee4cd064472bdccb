/// The texts of `--help` and `--version`.
package enum Help {
    package static let version = "0.1.0"

    /// Fits a screen of 80 by 30.
    package static var window: String {
        var text = """
            Usage: fingerwave [window] [OPTION]...
            Show in a window where a touchscreen is touched, as expanding waves.

            """
        for group in WindowOptions.groups {
            text += "\n\(group.title):\n"
            for spec in group.specs { text += line(spec) }
        }
        return text + """

            Keys: Esc or q quits, f or F11 full screen, c clears, space holds the picture
            still, h shows the keys. Exit status: 0 done, 1 usage, 2 no compositor,
            3 protocol error, 4 missing global.

            """
    }

    package static let keys = """
        Esc, q   quit
        f, F11   full screen and back
        c        clear the waves
        space    hold the picture still, and go on
        h        this list

        """

    private static func line(_ spec: OptionSpec) -> String {
        var left = spec.short.map { "  -\($0), --" } ?? "      --"
        left += spec.name
        switch spec.value {
        case .none: break
        case .required(let what): left += " " + what
        case .optional(let what): left += "[=" + what + "]"
        }
        let column = 27
        let gap = max(1, column - left.utf8.count)
        return left + String(repeating: " ", count: gap) + spec.help + "\n"
    }

    /// Names what a build leaves out, so that nobody searches for it.
    package static var versionText: String {
        #if hasFeature(Embedded)
            let kind = "panel build"
        #else
            let kind = "desktop build"
        #endif
        #if WAYLAND_CURSOR
            let cursor = "cursor themes: yes (wayland-cursor)"
        #else
            let cursor = "cursor themes: no (cursor-shape-v1 alone)"
        #endif
        return "fingerwave \(version) (\(kind))\n\(cursor)\n"
    }
}
