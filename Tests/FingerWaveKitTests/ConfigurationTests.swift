#if INIH
    import CLibc
    import Foundation
    import Testing

    @testable import FingerWaveKit

    @Suite struct ConfigurationTests {
        let folder: TestFolder
        let environment: Environment

        init() throws {
            folder = try TestFolder()
            environment = Environment(home: folder.path, configHome: folder.path)
        }

        private func settle(_ words: String...) throws(Failure) -> Settled<WindowSettings> {
            let parsed = try ParsedArguments(words, specs: WindowSettings.specs + FileOptions.commandLineSpecs)
            return try Launch(parsed.options, environment: environment).settle()
        }

        /// The file that is read without `--config`.
        @discardableResult
        private func write(_ text: String) throws -> String { try folder.write("fingerwave/config.ini", text) }

        private func failure(_ text: String, _ words: [String] = []) throws -> Failure? {
            try write(text)
            do throws(Failure) {
                let parsed = try ParsedArguments(words, specs: WindowSettings.specs + FileOptions.commandLineSpecs)
                let _: Settled<WindowSettings> = try Launch(parsed.options, environment: environment).settle()
                return nil
            } catch {
                return error
            }
        }

        /// Lines without `fingerwave: ` and the file's folder.
        private func told(_ words: String..., by text: String) throws -> [String] {
            guard let failure = try failure(text, words) else { return [] }
            return failure.line.split(separator: "\n").map {
                $0.replacingOccurrences(of: "fingerwave: \(folder.path)/fingerwave/", with: "")
            }
        }

        // MARK: What applies

        @Test func withoutAFileTheDefaultsApply() throws {
            let settled = try settle()
            #expect(settled.settings == WindowSettings() && settled.files.isEmpty)
            #expect(settled.origin(of: "radius") == nil)
        }

        @Test func keysAreTheOptionsNames() throws {
            let path = try write("radius = 120\ncolor: orange\n\nfullscreen = on\nlog=json\n")
            let settled = try settle()
            #expect(settled.settings.look.radius == 120 && settled.settings.look.color == "orange")
            #expect(settled.settings.window.isFullscreen && settled.settings.run.log == .json)
            #expect(settled.origin(of: "color") == .file(path: path, line: 2))
            #expect(settled.files == [path])
        }

        @Test func theCommandLineWins() throws {
            try write("radius = 120\nfullscreen = yes\nlog = json\n")
            let settled = try settle("--radius=30", "--no-fullscreen", "--log=off")
            #expect(settled.settings.look.radius == 30 && !settled.settings.window.isFullscreen)
            #expect(settled.settings.run.log == nil && settled.origin(of: "radius") == .commandLine)
        }

        @Test func aProfileAppliesOverWhatAlwaysApplies() throws {
            try write("[kiosk]\nradius = 50\n[desk]\nradius = 60\ncolor = red\n")
            #expect(try settle().settings == WindowSettings())
            #expect(try settle("--profile", "kiosk").settings.look.radius == 50)
            try write("profile = desk\nradius = 1\nopacity = 0.5\n[kiosk]\nradius = 50\n[desk]\nradius = 60\n")
            let settled = try settle()
            #expect(settled.settings.look.radius == 60 && settled.settings.look.opacity == 0.5)
            #expect(settled.profile == "desk")
            #expect(try settle("--profile=kiosk").settings.look.radius == 50)
        }

        @Test func anotherFileTakesTheDefaultOnesPlace() throws {
            try write("radius = 120\n")
            let other = try folder.write("other.ini", "opacity = 0.5\n")
            let settled = try settle("--config", other)
            #expect(settled.settings.look.radius == 75 && settled.settings.look.opacity == 0.5)
            #expect(try settle("--no-config").settings == WindowSettings())
        }

        @Test func includedFilesCountWhereTheyAreIncluded() throws {
            try folder.write("fingerwave/more/a.ini", "radius = 10\ncolor = red\ninclude = b.ini\n[p]\nopacity = 0.3")
            try folder.write("fingerwave/more/b.ini", "duration = 3\n[p]\nduration = 4\n")
            try folder.write("home.ini", "background = black\n")
            try write("color = blue\ninclude = more/a.ini\ninclude = ~/home.ini\nradius = 20\n[p]\nopacity = 0.4\n")
            let plain = try settle()
            #expect(plain.settings.look.color == "red" && plain.settings.look.radius == 20)
            #expect(plain.settings.look.duration == 3 && plain.settings.look.background == "black")
            #expect(plain.files.count == 4)
            let look = try settle("--profile=p").settings.look
            #expect(look.duration == 4 && look.opacity == 0.4)
        }

        @Test(arguments: [
            "\u{FEFF}radius = 33\ncolor = red", "radius = 33\r\ncolor = red\r\n", "  radius = 33\n\tcolor = red\n",
            "color = red ; the kiosk's\nradius=33;\n# no\n; no\n",
        ])
        func readsWhatEditorsWrite(text: String) throws {
            try write(text.replacingOccurrences(of: "33;", with: "33 ;"))
            let look = try settle().settings.look
            #expect(look.radius == 33 && look.color == "red")
        }

        @Test func aHashIsPartOfAColour() throws {
            try write("color = #FF8800\n")
            #expect(try settle().settings.look.color == "#FF8800")
        }

        // MARK: What is wrong

        @Test func allThatIsWrongIsSaidWithItsLine() throws {
            let text = """
                raduis = 3
                radius = 5000
                fullscreen
                [kiosk
                [desk]
                colour = red
                help = yes
                include = x.ini
                """
            #expect(
                try told(by: text) == [
                    "config.ini:3: the line is no KEY = VALUE; write a flag as NAME = yes, a comment behind ;",
                    "config.ini:4: a section's name ends with ]; write [NAME]",
                    "config.ini:8: include cannot stand in a section; put it before the first section",
                    "config.ini:1: unknown key raduis; did you mean radius?",
                    "config.ini:2: radius cannot be \"5000\": it takes 1px to 2000px, or 0.17mm to 333.33mm; "
                        + "see fingerwave help look",
                    "config.ini:6: unknown key colour; did you mean color?",
                    "config.ini:7: help is for the command line; take it out",
                ])
            #expect(try failure(text)?.code == .badInput)
            #expect(try told(by: "= 5\n").first?.hasPrefix("config.ini:1: the line is no KEY = VALUE;") == true)
        }

        @Test func aProfileThatIsNotInForceIsCheckedToo() throws {
            #expect(try told(by: "[kiosk]\nopacity = 7\n").count == 1)
        }

        @Test func anUnknownProfileIsAnsweredWithThoseThereAre() throws {
            #expect(
                try told(by: "profile = kiosc\n[kiosk]\n[desk]\n") == [
                    "config.ini:1: no profile kiosc: there is kiosk, desk; did you mean kiosk?"
                ])
            let failure = try #require(try failure("[kiosk]\n", ["--profile=zzzzzz"]))
            #expect(failure.code == .usage && failure.line.contains("no profile zzzzzz: there is kiosk;"))
        }

        @Test func aLineThatLibinihWouldCutIsTooLong() throws {
            for length in [196, 197, 198, 199, 200, 201, 500, 100_000] {
                let name = String(repeating: "x", count: length - "display = ".count)
                let text = "display = \(name)\n"
                if length <= 197 {
                    try write(text)
                    #expect(try settle().settings.window.display == name, "\(length)")
                } else if let told = try told(by: text).first {
                    #expect(told == "config.ini:1: the line is too long; keep it within 197 bytes", "\(length)")
                } else {
                    #expect(try settle().settings.window.display == name, "cut without a word at \(length)")
                }
            }
        }

        @Test func namesOfSectionsAreNotCut() throws {
            let name = String(repeating: "n", count: 48)
            try write("[\(name)]\nradius = 2\n")
            #expect(try settle("--profile", name).settings.look.radius == 2)
            #expect(try told(by: "[\(name)n]\n").first?.contains("section's name is too long") == true)
            #expect(try told(by: "[]\n").first?.contains("has no name") == true)
            #expect(try told(by: "[a] radius = 2\n").first?.contains("stands behind") == true)
        }

        @Test func whatIsNoTextIsSaidOnce() throws {
            try folder.write("fingerwave/config.ini", (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 7) })
            #expect(throws: Failure.self) { try settle() }
            #expect(try told(by: "radius = 1\u{0}\nx\ny\n") == ["config.ini: it is no text; name another file"])
            #expect(try told(by: "color = \u{1B}[31m\n").first?.hasPrefix("config.ini:1: the line is no UTF-8") == true)
        }

        @Test func notTooMuchIsSaid() throws {
            let text = String(repeating: "nonsense\n", count: 5000)
            let lines = try told(by: text)
            #expect(lines.count == ConfigurationReader.mostProblems + 1, "\(lines.count)")
            #expect(lines.last == "fingerwave: there may be more; mend these first")
        }

        @Test func includesThatGoRoundAreSaidWithTheirLine() throws {
            let other = try folder.write("fingerwave/b.ini", "\ninclude = config.ini\n")
            let failure = try #require(try failure("include = b.ini\n"))
            #expect(
                failure.line == "fingerwave: \(other):2: \(folder.path)/fingerwave/config.ini includes itself; "
                    + "take this line out\n")
            #expect(try told(by: "include = config.ini\n").count == 1)
            // By another name.
            #expect(symlink("config.ini", "\(folder.path)/fingerwave/link.ini") == 0)
            #expect(try told(by: "include = link.ini\n").count == 1)
        }

        @Test func includesAreBounded() throws {
            for number in 0..<20 {
                try folder.write("fingerwave/\(number).ini", "include = \(number + 1).ini\n")
            }
            #expect(try failure("include = 0.ini\n")?.line.contains("too deep") == true)
            try folder.write("fingerwave/leaf.ini", "radius = 2\n")
            let text = String(repeating: "include = leaf.ini\n", count: 100)
            #expect(try failure(text)?.line.contains("one file too many") == true)
        }

        @Test func aMissingIncludeIsSaidWithItsLine() throws {
            #expect(
                try told(by: "\n\ninclude = nowhere.ini\n") == [
                    "config.ini:3: cannot read \(folder.path)/fingerwave/nowhere.ini: No such file or directory; "
                        + "correct the path or the file"
                ])
            #expect(try told(by: "include =\n").first?.contains("names no file") == true)
        }

        @Test func aNamedFileMustBeThere() throws {
            do throws(Failure) {
                _ = try settle("--config", "/nonexistent/config.ini")
                Issue.record("no failure")
            } catch {
                #expect(error.code == .badInput)
                #expect(error.line.contains("cannot read /nonexistent/config.ini: No such file or directory"))
            }
        }

        @Test func whatIsNoFileIsSaid() throws {
            func why(_ path: String) -> String? {
                do throws(Failure) {
                    _ = try settle("--config", path)
                    return nil
                } catch {
                    return error.why
                }
            }
            #expect(why(folder.path) == "it is a directory")
            #expect(mkfifo("\(folder.path)/pipe", 0o600) == 0)
            #expect(why("\(folder.path)/pipe") == "it is no regular file")
            let large = try folder.write("large.ini", [UInt8](repeating: 0x0A, count: TextFile.largest + 1))
            #expect(why(large) == "it is larger than 1 MiB")
            #expect(why("/dev/null") == nil)
            #expect(why("/dev/zero") == "it is larger than 1 MiB")
            if getuid() != 0 {
                let locked = try folder.write("locked.ini", "")
                #expect(chmod(locked, 0) == 0)
                #expect(why(locked) == "Permission denied")
            }
            #expect(why(String(repeating: "x/", count: 4000)) == "File name too long")
        }

        @Test func anUnreadableDefaultFileIsNotPassedOver() throws {
            try folder.write("fingerwave/config.ini/x", "")
            do throws(Failure) {
                _ = try settle()
                Issue.record("no failure")
            } catch {
                #expect(error.why == "it is a directory" && error.remedy.contains("--no-config"))
            }
            #expect(try settle("--no-config").settings == WindowSettings())
        }

        /// HOME of another user: a process of its own becomes one that may not look into it.
        @Test func aDefaultFileThatCannotBeReachedNeedNotBeThere() async {
            await #expect(processExitsWith: .success) {
                let home = try TestFolder()
                let path = try home.write("fingerwave/config.ini", "radius = 40")
                _ = chmod(home.path, 0)
                // The saved ID stays root's, so that the folder can be removed.
                if getuid() == 0 { _ = (setreuid(65534, uid_t.max), seteuid(65534)) }
                defer {
                    _ = seteuid(0)
                    _ = chmod(home.path, 0o700)
                }
                let launch = try Launch([], environment: Environment(home: home.path, configHome: home.path))
                let settled: Settled<WindowSettings> = try launch.settle()
                #expect(settled.files.isEmpty && settled.settings == WindowSettings())
                #expect(launch.warning?.contains("\(path) is not read: Permission denied") == true)
                // Who names it means it.
                let named = try Launch(
                    [ParsedOption("config", path)], environment: Environment(home: home.path, configHome: home.path))
                #expect(throws: Failure.self) { let _: Settled<WindowSettings> = try named.settle() }
                #expect(named.warning == nil)
            }
        }

        @Test func aFileAndNoneCannotGoTogether() {
            #expect(throws: Failure.self) { try settle("--config=x", "--no-config") }
        }

        @Test func theDefaultPathFollowsTheBaseDirectorySpecification() {
            let home = "/home/u"
            #expect(
                Environment(home: home, configHome: "/etc/x").defaultConfigurationPath == "/etc/x/fingerwave/config.ini"
            )
            for unset in [nil, "", "relative"] {
                #expect(
                    Environment(home: home, configHome: unset).defaultConfigurationPath
                        == "/home/u/.config/fingerwave/config.ini")
            }
            #expect(Environment().defaultConfigurationPath == nil)
        }

        // MARK: What is printed

        @Test func thePrintedConfigurationIsReadAsTheSame() throws {
            try write("profile = p\nradius = 12.5\n[p]\noutput = DP-1\nlog = json\n")
            let settled = try settle("--exit-after=3", "--color=#123456", "--size=320x200")
            let printed = try folder.write("printed.ini", ConfigurationText.ini(settled))
            let again = try settle("--config", printed)
            #expect(again.settings == settled.settings)
            for spec in WindowSettings.specs { #expect(again.origin(of: spec.name) != nil, "\(spec.name)") }
        }

        @Test func aLongPathDoesNotSpoilWhatIsPrinted() throws {
            let name = String(repeating: "n", count: 200)
            let path = try folder.write("\(name)/config.ini", "radius = 3\n")
            let text = ConfigurationText.ini(try settle("--config", path))
            #expect(text.contains("; \(path):1\nradius"))
            #expect(try settle("--config", folder.write("printed.ini", text)).settings.look.radius == 3)
        }

        @Test func aTopicHasOneHeading() throws {
            let settled: Settled<AllSettings> = try Launch([], environment: environment).settle()
            let text = ConfigurationText.ini(settled)
            let headings = text.split(separator: "\n").filter { $0.hasPrefix("; ") && !$0.contains(":") }
            #expect(headings.count > 5 && Set(headings).count == headings.count, "\(headings)")
        }

        @Test func everySourceIsNamed() throws {
            let path = try write("radius = 12.5\n")
            let text = ConfigurationText.ini(try settle("--opacity=0.5"))
            let rows = text.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true) }
            #expect(rows.contains(["radius", "=", "12.5px", ";", "\(path):1"]), "\(text)")
            #expect(rows.contains(["opacity", "=", "0.5", ";", "command", "line"]))
            #expect(rows.contains(["duration", "=", "1", ";", "default"]))
            #expect(rows.contains(["output", "=", ";", "default"]))
            // Aligned.
            let options = text.split(separator: "\n").filter { $0.contains("=") }
            #expect(Set(options.map { $0.firstIndex(of: "=")!.utf16Offset(in: $0) }).count == 1)
            #expect(Set(options.map { $0.lastIndex(of: ";")!.utf16Offset(in: $0) }).count == 1, "\(text)")
        }

        @Test(arguments: ["a ;b", ";b", " a", "a ", "a\nradius = 3", String(repeating: "x", count: 300)])
        func whatNoFileCanHoldIsWrittenAsAComment(name: String) throws {
            let settled = try settle("--display=\(name)")
            let printed = try folder.write("printed.ini", ConfigurationText.ini(settled))
            let again = try settle("--config", printed)
            #expect(again.settings.window.display == nil && again.settings.look == settled.settings.look)
        }

        @Test func printsJSONLines() throws {
            let path = try write("profile = p\n[p]\nradius = 12\n")
            let lines = ConfigurationText.json(try settle()).split(separator: "\n").map(String.init)
            #expect(lines[0] == #"{"type":"configuration","profile":"p"}"#)
            #expect(lines[1] == "{\"type\":\"file\",\"path\":\"\(path)\"}")
            #expect(lines.count == 2 + WindowSettings.specs.count)
            #expect(
                lines.contains(
                    "{\"type\":\"option\",\"name\":\"radius\",\"value\":\"12px\",\"source\":\"file\",\"file\":\"\(path)\","
                        + "\"line\":3}"))
        }

        // MARK: Reading again

        @Test func whatCannotChangeStaysAndIsNamed() throws {
            try write("radius = 10\nsize = 100x100\n")
            let old = try settle("--display=wayland-1")
            try write("radius = 20\nsize = 200x200\noutput = DP-2\n")
            let (settled, needRestart) = old.adopting(try settle("--display=wayland-1"))
            #expect(needRestart == ["size", "output"])
            #expect(settled.settings.look.radius == 20 && settled.settings.window == old.settings.window)
            #expect(settled.origin(of: "output") == nil)
        }

        // MARK: Anything

        /// Nothing in a file ends the program, and what is read is within what the options allow.
        @Test func anyTextIsReadOrRefused() throws {
            var random = SplitMix(state: 20_261_130)
            let seeds = [
                "radius = 12\ncolor = red\n[kiosk]\nfullscreen = yes ; on\n", "profile = kiosk\n[kiosk]\nlog=json\n",
                "[a]\n[b]\nsize: 100x200\n\n# x\n", "include = config.ini\nopacity=.5",
            ].map { Array($0.utf8) }
            let pieces = ["[", "]", "=", ";", "\n", "\r\n", "include = ", "radius", "\u{0}", "é", " ", "\t"].map {
                Array($0.utf8)
            }
            for _ in 0..<3000 {
                var bytes = seeds[random.below(seeds.count)]
                for _ in 0..<(1 + random.below(8)) {
                    let place = random.below(bytes.count + 1)
                    switch random.below(4) {
                    case 0: bytes.insert(contentsOf: pieces[random.below(pieces.count)], at: place)
                    case 1 where place < bytes.count: bytes[place] = UInt8(random.below(256))
                    case 2 where place < bytes.count: bytes.removeSubrange(place..<min(bytes.count, place + 5))
                    default: bytes += bytes[..<place]
                    }
                }
                var reader = ConfigurationReader(environment: Environment())
                reader.read(bytes, path: "x.ini")
                #expect(reader.problems.count <= ConfigurationReader.mostProblems)
                for entry in reader.entries { #expect(bytes.count > entry.option.value.utf8.count) }
                guard var settled = try? Settled<WindowSettings>([], FileOptions(), Environment()) else { continue }
                if (try? settled.apply(reader, FileOptions())) != nil {
                    #expect((1...2000).contains(settled.settings.look.radius.pixels(pixelsPerMillimetre: nil)))
                    #expect((0.05...1).contains(settled.settings.look.opacity))
                }
            }
        }
    }

    /// Steele, Lea and Flood 2014: the same numbers for the same seed.
    private struct SplitMix {
        var state: UInt64

        mutating func below(_ bound: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return Int((z ^ (z >> 31)) % UInt64(bound))
        }
    }
#endif
