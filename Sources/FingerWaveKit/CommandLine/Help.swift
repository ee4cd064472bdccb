internal import Recording
internal import Ripples
internal import TouchDevices

/// The texts of `--help`, `help` and `--version`. Each fits a screen of 80 by 30.
package enum Help {
    package static let version = "0.1.0"

    package static var overview: String {
        var text = """
            Usage: fingerwave [window] [OPTION]...
              or:  fingerwave run [OPTION]... -- APP [ARGUMENT]...
              or:  fingerwave overlay | events | record | replay FILE | info | ...
            Show where a touchscreen is touched, as expanding waves: in a window,
            above the windows of an app, or above everything.

            """
        text += "Often used:\n"
        for name in ["style", "color"] { text += line(of: name, LookOptions.self, column: overviewColumn) }
        for name in ["fullscreen"] { text += line(of: name, WindowOptions.self, column: overviewColumn) }
        for name in ["log"] { text += line(of: name, RunOptions.self, column: overviewColumn) }
        for name in ["help", "version"] { text += line(of: name, StartOptions.self, column: overviewColumn) }
        text += "\nAll options and more, by topic:\n"
        for topic in HelpTopic.allCases {
            text += padded("  fingerwave help " + topic.name, to: overviewColumn + 2) + topic.summary + "\n"
        }
        return text
    }

    /// The options of one group, each with its default.
    static func page<Group: OptionGroup>(_ title: String, _: Group.Type) -> String {
        page(title, Group.self, NoOptions.self, NoOptions.self, NoOptions.self)
    }

    /// The options of up to four groups.
    static func page<First: OptionGroup, Second: OptionGroup, Third: OptionGroup, Fourth: OptionGroup>(
        _ title: String, _: First.Type, _: Second.Type, _: Third.Type, _: Fourth.Type
    ) -> String {
        let lefts =
            First.specs.map { left($0, First.self) } + Second.specs.map { left($0, Second.self) }
            + Third.specs.map { left($0, Third.self) } + Fourth.specs.map { left($0, Fourth.self) }
        let column = min(32, (lefts.map { $0.utf8.count }.max() ?? 0) + 2)
        var text = title + "\n\n"
        for spec in First.specs { text += line(spec, First.self, column: column) }
        for spec in Second.specs { text += line(spec, Second.self, column: column) }
        for spec in Third.specs { text += line(spec, Third.self, column: column) }
        for spec in Fourth.specs { text += line(spec, Fourth.self, column: column) }
        return text + "\nA flag is undone by --no-NAME or --NAME=no.\n"
    }

    static func page<First: OptionGroup, Second: OptionGroup>(
        _ title: String, _: First.Type, _: Second.Type
    ) -> String {
        page(title, First.self, Second.self, NoOptions.self, NoOptions.self)
    }

    static var styles: String {
        var text = "\nStyles:\n\n"
        for kind in RippleStyle.Kind.allCases { text += padded("  " + kind.name, to: 13) + kind.help + "\n" }
        return text
    }

    private struct NoOptions: OptionTable {
        static let entries: [OptionEntry<NoOptions>] = []
        static let topic: HelpTopic? = nil
    }

    package static let keys = """
        Esc, q   quit
        f, F11   full screen and back
        c        clear the waves
        i        the inspector, and back
        space    hold the picture still, and go on
        h        this list

        While a recording is played: space stands still and goes on, . or right plays
        one frame, r or Home begins again, + and - change the speed.

        """

    package static let exitStatuses = """
        Exit statuses:

          0  done, also after SIGINT and SIGTERM
          1  the command line is wrong, or ctl was refused, or no app could be run
          2  no compositor answers, or it went away; for ctl: no fingerwave answers;
             for events, overlay and record --source: none of the touchscreens can
             be read (where there is none, the first one is waited for)
          3  the compositor refused a request or sent what is no Wayland
          4  the compositor lacks a global that cannot be done without
          5  a file cannot be read for what it should be, or what is printed not written
          6  a recording that info --check reads has faults

        Once its app runs, run ends with the app's own, or with 128 and the number of
        the signal that ended it.

        """

    static var configuration: String {
        page("Configuration files hold options as KEY = VALUE; the command line wins.", FileOptions.self)
            + """

                radius = 120          ; always applies
                fullscreen = yes      ; a flag
                include = touch.ini   ; beside this file; before the first section
                profile = kiosk       ; the one that applies, unless --profile says

                [kiosk]               ; a profile
                log = json

            The file is $XDG_CONFIG_HOME/fingerwave/config.ini, else the one in ~/.config.
            SIGHUP reads it again; what is wrong is said, and then nothing changes.

            fingerwave config [OPTION]...  prints what is in force and where it comes from,
            as a configuration file, or with --json as JSON Lines.

            """
    }

    static var events: String {
        "Usage: fingerwave events [OPTION]...\n"
            + page(
                "Print touchscreens and their touches, without a compositor.", SourceOptions.self,
                PaceOptions.self)
                + """

                It prints text on a terminal and JSON Lines elsewhere, or what --log says; see
                the help on log for this and for --exit-after. Places are fractions of the
                panel, to the right and down, after libinput's calibration: without a compositor
                there are no outputs to be on, so --map is overlay's, which may read this.

                Touchscreens are opened for reading and never grabbed; other devices are not
                opened. Who may not read them can let somebody read who may:

                  \(DeviceProblem.split)

                """
    }

    static var record: String {
        "Usage: fingerwave record [OPTION]... [FILE]\n"
            + page("Write down touches as they come: JSON Lines, into FILE or standard output.", RecordOptions.self)
                + """

                Without --source it opens a window, with all of a window's options, and records
                what the compositor tells it. From libinput, without a compositor: libinput's
                touches and the kernel's own events; --seat and --device as for events.

                Each line is written at once. A FILE that is there is continued. While the
                disk is full lines are counted instead, and the file says how many are missing.

                --ring keeps FILE and FILE.1, the older one, together within the bound: a time
                (s, m, h, d) or a size (kB, MB, GB, KiB, MiB, GiB), from 2s or 64KiB.

                Play it with fingerwave replay, sum it up with info, hand it on with convert.

                """
    }

    static var replay: String {
        "Usage: fingerwave replay [OPTION]... FILE\n"
            + page(
                "Play a recording of any format that convert reads; - is standard input.", PaceOptions.self,
                ReplayOptions.self)
                + """

                Its touches go through recogniser, style, inspector and log as if they were
                made in the window, which is as large as the one that was recorded, or holds
                it as large as it can. Without a window no compositor is needed, and
                --speed=max does not wait. The options of look, gestures, window and log are
                the same as a window's.

                Keys: space   stand still, and go on
                      ., ->   play one frame, and stand still
                      r, Home from the beginning
                      +, -    twice as fast, half as fast

                A recording becomes a script for touch-stage with fingerwave convert:

                  fingerwave convert --to stage FILE - | touch-stage --script - -- APP

                APP is to cover the screen: touches beside its window are lost, which is said.

                """
    }

    static var info: String {
        "Usage: fingerwave info [OPTION]... [FILE]...\n"
            + page(
                "List seats, outputs and touchscreens, and why one cannot be read; or say what\n"
                    + "recordings hold. Their formats are on the help on convert.", InfoOptions.self,
                MappingOptions.self)
                + """

                Faults are whatever is told with its line (SYN_DROPPED, lines that are broken,
                a file that is cut, a contact without its end, ...), and gaps.

                """
    }

    static var convert: String {
        "Usage: fingerwave convert [OPTION]... IN OUT\n"
            + page("Write a recording in another format; - is standard input or output.", ConvertOptions.self)
                + """

                Read, by what stands in them: JSON Lines of fingerwave events or of the log;
                evemu (.events, .desc); libinput record; libinput debug-events; evtest;
                Android's getevent; WAYLAND_DEBUG=1. Packed by gzip, xz or zstd as well.

                Written: json (.jsonl), evemu (.events), libinput (.yml), stage (.stage or
                .script), which is a script for touch-stage. What is odd, what has no room in
                the other format and what had to be added is said.

                """
    }

    static var render: String {
        "Usage: fingerwave render [OPTION]... FILE -o OUT\n"
            + page("Make pictures and films of a recording; - is standard input.", RenderOptions.self)
                + """

                KIND, and the ending that means it: moment (.png), sheet, heat-map, plot (x and
                y), velocity, interval: PNG. Films: webp (.webp), y4m (.y4m, -), raw (.raw,
                BGRA). The options of look and gestures are a window's; no file is read.

                  fingerwave render FILE -o - | ffmpeg -i - film.mp4

                """
    }

    static var control: String {
        var text = """
            Usage: fingerwave ctl [OPTION]... COMMAND
            Tell a running fingerwave what to do.


            """
        for command in ControlCommand.help { text += padded("  " + command.syntax, to: 14) + command.text + "\n" }
        text += padded("  list", to: 14) + "name those that run"
        return page(text, CtlOptions.self) + """

            It is found by the socket $XDG_RUNTIME_DIR/fingerwave-NAME.socket. Exit status:
            0 done, 1 wrong or refused, 2 nobody answers.

            """
    }

    private static let overviewColumn = 27

    private static func line<Group: OptionGroup>(of name: String, _: Group.Type, column: Int) -> String {
        Group.specs.first { $0.name == name }.map { line($0, Group.self, column: column) } ?? ""
    }

    private static func line<Group: OptionGroup>(_ spec: OptionSpec, _: Group.Type, column: Int) -> String {
        var text = padded(left(spec, Group.self), to: column) + spec.help
        let value = Group().text(of: spec.name) ?? ""
        // What only says that nothing is set is said by the help itself.
        if !spec.isFlag, !["", "auto", "off", "never"].contains(value) { text += " (\(value))" }
        return text + "\n"
    }

    /// A flag that is on by itself is shown as what turns it off.
    private static func left<Group: OptionGroup>(_ spec: OptionSpec, _: Group.Type) -> String {
        let left = spec.short.map { "  -\($0), --" } ?? "      --"
        switch spec.value {
        case .flag: return left + (Group().text(of: spec.name) == "yes" ? "no-" : "") + spec.name
        case .required(let what), .list(let what): return left + spec.name + " " + what
        case .optional(let what, _): return left + spec.name + "[=" + what + "]"
        }
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.utf8.count))
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
        #if INIH
            let configuration = "configuration files: yes (libinih)"
        #else
            let configuration = "configuration files: no (libinih)"
        #endif
        #if YAML
            let recordings = "recordings of libinput record: yes (libyaml)"
        #else
            let recordings = "recordings of libinput record: no (libyaml)"
        #endif
        let packed = Compression.allCases.map { packing in
            "recordings packed by \(packing.program): \(packing.isRead ? "yes" : "no") (\(packing.library))\n"
        }.joined()
        #if PNG
            let pictures = "pictures (render): yes (libpng)"
        #else
            let pictures = "pictures (render): no (libpng)"
        #endif
        #if WEBP
            let animations = "animations (render): yes (libwebp)"
        #else
            let animations = "animations (render): no (libwebp)"
        #endif
        #if FCFT
            let text = "text (the inspector's): yes (fcft)"
        #else
            let text = "text (the inspector's): no (fcft)"
        #endif
        #if LIBINPUT
            let devices = "touchscreens (events, overlay): yes (libinput)"
        #else
            let devices = "touchscreens (events, overlay): no (libinput)"
        #endif
        return "fingerwave \(version) (\(kind))\n\(cursor)\n\(configuration)\n\(recordings)\n\(packed)"
            + "\(pictures)\n\(animations)\n\(text)\n\(devices)\n"
    }
}
