import Ripples
import Testing

@testable import FingerWaveKit

@Suite struct CommandLineTests {
    private func options(_ words: String...) throws -> WindowSettings {
        try WindowSettings(ParsedArguments(words, specs: WindowSettings.specs).options)
    }

    private func failure(_ words: String...) -> Failure? {
        do throws(Failure) {
            _ = try WindowSettings(ParsedArguments(words, specs: WindowSettings.specs).options)
            return nil
        } catch {
            return error
        }
    }

    @Test func takesValuesAttachedAndApart() throws {
        let attached = try options("--radius=40", "--size=320x200", "--log=json")
        let apart = try options("--radius", "40", "--size", "320x200", "--log=json")
        #expect(attached == apart)
        #expect(attached.look.radius == 40 && attached.window.size == .init(width: 320, height: 200))
        #expect(attached.run.log == .json)
    }

    @Test(arguments: [["-o", "x.png", "-h"], ["-ox.png", "-h"], ["-ho", "x.png"], ["-hox.png"]])
    func shortOptionsTakeValuesTooAttachedOrApart(words: [String]) throws {
        let specs = RenderSettings.specs + StartOptions.specs
        let parsed = try ParsedArguments(words, specs: specs)
        #expect(try RenderOptions(parsed.options).out == "x.png" && StartOptions(parsed.options).wantsHelp)
        #expect(throws: Failure.self) { try ParsedArguments(["-ho"], specs: specs) }
    }

    @Test func logAloneIsTextAndTakesNoFollowingWord() throws {
        let parsed = try ParsedArguments(["--log", "json"], specs: WindowSettings.specs)
        #expect(parsed.operands == ["json"])
        #expect(try WindowSettings(parsed.options).run.log == .text)
    }

    @Test func twoDashesEndTheOptions() throws {
        let parsed = try ParsedArguments(["--fullscreen", "--", "--radius"], specs: WindowSettings.specs)
        #expect(parsed.options.map(\.name) == ["fullscreen"] && parsed.operands == ["--radius"])
    }

    @Test func anOutputImpliesFullScreen() throws {
        #expect(try options("--output", "DP-1").window.isFullscreen)
    }

    @Test(arguments: [
        ("--raduis", "--radius"), ("--fulscreen", "--fullscreen"), ("--colour", "--color"),
        ("--exitafter", "--exit-after"),
    ])
    func suggestsTheNearestOption(given: String, meant: String) {
        let failure = failure(given)
        #expect(failure?.line == "fingerwave: unknown option \(given); did you mean \(meant)?\n")
        #expect(failure?.code == .usage)
    }

    @Test func suggestsNothingForAWordFarFromAll() {
        #expect(failure("--xylophone")?.remedy == "see fingerwave --help")
    }

    @Test func aMissingValueIsSaid() {
        #expect(
            failure("--radius")?.line
                == "fingerwave: --radius needs a value: LEN is missing; see fingerwave --help\n")
    }

    @Test(arguments: [
        ("--fullscreen", true), ("--fullscreen=on", true), ("--fullscreen=no", false), ("--no-fullscreen", false),
    ])
    func aFlagIsTurnedOnAndOff(word: String, isOn: Bool) throws {
        #expect(try options("--fullscreen", word).window.isFullscreen == isOn)
    }

    @Test func theLastOfSeveralCounts() throws {
        let settings = try options(
            "--size=1x1", "--size=auto", "--log", "--log=off", "--exit-after=1", "--exit-after=never")
        #expect(settings == WindowSettings())
    }

    @Test func anOptionOfNoGroupIsRefusedByAll() throws {
        var settings = WindowSettings()
        #expect(try !settings.set(ParsedOption("colour", "red")))
        #expect(settings.text(of: "colour") == nil)
    }

    @Test func aBadValueChangesNothing() {
        var settings = WindowSettings()
        #expect(throws: Failure.self) { try settings.set(ParsedOption("size", "640x")) }
        #expect(settings == WindowSettings())
    }

    @Test func everyValueIsWrittenAsItIsRead() throws {
        let settings = try options(
            "--color=orange", "--radius=12.5", "--fullscreen", "--size=320x200", "--output=DP-1",
            "--display=wayland-7", "--log=json", "--exit-after=0.25", "--verbose", "--long-press-timeout=700")
        var copy = WindowSettings()
        for spec in WindowSettings.specs {
            let text = try #require(settings.text(of: spec.name), "\(spec.name)")
            #expect(try copy.set(ParsedOption(spec.name, text)), "\(spec.name)")
        }
        #expect(copy == settings)
    }

    @Test func noNameIsTakenTwice() {
        let names = (WindowSettings.specs + FileOptions.commandLineSpecs).map(\.name)
        #expect(Set(names).count == names.count, "\(names)")
    }

    @Test func aFlagUndoneTakesNoValue() { #expect(failure("--no-fullscreen=yes")?.code == .usage) }

    @Test func anUnknownFlagValueIsSaid() {
        #expect(
            failure("--fullscreen=maybe")?.line
                == "fingerwave: --fullscreen cannot be \"maybe\": it takes yes or no; see fingerwave help window\n")
    }

    @Test(arguments: [
        ["--radius", "0"], ["--radius", "nan"], ["--radius", "0x10"], ["--radius", "1e3"], ["--radius", ""],
        ["--radius", "5cm"], ["--duration", "-1"], ["--opacity", "1.5"], ["--opacity", "."], ["--size", "640"],
        ["--size", "640x"], ["--size", "0x10"], ["--size", "99999x10"], ["--size", "1x2x3"], ["--color", "red-ish"],
        ["--color", "12345"], ["--background", ""], ["--exit-after", "inf"], ["--log=xml"],
    ])
    func refusesWhatIsNoValue(words: [String]) {
        let parsed = try? ParsedArguments(words, specs: WindowSettings.specs)
        #expect(throws: Failure.self) { try WindowSettings(parsed?.options ?? []) }
    }

    private func fitsAScreen(_ text: String) -> Bool {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return text.hasSuffix("\n") && lines.count <= 31 && lines.allSatisfy { $0.count <= 80 }
    }

    @Test func everyHelpFitsAScreen() {
        #expect(fitsAScreen(Help.overview), "\(Help.overview)")
        for topic in HelpTopic.allCases { #expect(fitsAScreen(topic.text), "\(topic.text)") }
    }

    @Test func everyOptionAndTopicIsInTheHelp() {
        let pages = Help.overview + HelpTopic.allCases.map(\.text).joined()
        for spec in WindowSettings.specs {
            #expect(pages.contains("--\(spec.name)") || pages.contains("--no-\(spec.name)"), "\(spec.name)")
        }
        for spec in FileOptions.commandLineSpecs { #expect(pages.contains("--\(spec.name)"), "\(spec.name)") }
        for topic in HelpTopic.allCases { #expect(Help.overview.contains("fingerwave help \(topic.name)")) }
    }

    @Test func aTopicIsFoundOrTheNearestNamed() throws {
        #expect(try HelpTopic.named("look") == .look)
        do throws(Failure) {
            _ = try HelpTopic.named("gesture")
            Issue.record("found")
        } catch {
            #expect(error.line == "fingerwave: no help on gesture; did you mean fingerwave help gestures?\n")
        }
    }

    @Test func theHelpNamesTheDefaults() {
        #expect(
            HelpTopic.look.text.contains("--radius LEN        a wave's full radius, such as 75 or 12mm (75px)\n"))
    }
}

@Suite struct LookOptionsTests {
    private func look(_ words: String...) throws -> LookOptions {
        try WindowSettings(ParsedArguments(words, specs: WindowSettings.specs).options).look
    }

    private func failure(_ words: String...) -> String? {
        do throws(Failure) {
            _ = try WindowSettings(ParsedArguments(words, specs: WindowSettings.specs).options)
            return nil
        } catch {
            return error.line
        }
    }

    @Test func aRadiusIsInPixelsOrMillimetres() throws {
        #expect(try look("--radius", "40").radius == .px(40))
        #expect(try look("--radius", "40.5px").radius == .px(40.5))
        #expect(try look("--radius", "12mm").radius == .mm(12))
        for wrong in ["12cm", "mm", "px", "0", "0mm", "800mm", "2001", "1e3", "", "nan"] {
            #expect(failure("--radius", wrong)?.contains("1px to 2000px, or 0.17mm to 333.33mm") == true, "\(wrong)")
        }
        var look = LookOptions()
        for radius in ["40px", "40.5px", "12mm"] {
            #expect(try look.set(ParsedOption("radius", radius)))
            #expect(look.text(of: "radius") == radius, "read back as it is written")
        }
    }

    @Test func millimetresAreTheScreensElseOfTheUsualDensity() throws {
        let look = try look("--radius", "10mm")
        #expect(RippleStyle(look, pixelsPerMillimetre: 8).endRadius == 80)
        #expect(RippleStyle(look, pixelsPerMillimetre: 8).startRadius == 16)
        #expect(RippleStyle(look).endRadius == 60)
    }

    @Test func everyStyleIsChosenByItsName() throws {
        for kind in RippleStyle.Kind.allCases {
            #expect(try RippleStyle(look("--style", kind.name)).kind == kind)
        }
        #expect(failure("--style", "ecko")?.contains("did you mean echo?") == true)
    }

    @Test func aColourIsOneForAllOrEachFingersOwn() throws {
        #expect(try RippleStyle(look("--color", "finger")).colorByFinger)
        #expect(try !RippleStyle(look("--color", "red")).colorByFinger)
        #expect(failure("--color", "fingers") != nil)
        #expect(failure("--color", "orage")?.contains("did you mean orange?") == true)
    }

    @Test func contrastAndMotionAreFlags() throws {
        let style = try RippleStyle(look("--high-contrast", "--reduced-motion"))
        #expect(style.highContrast && style.reducedMotion)
        #expect(try RippleStyle(look()) == RippleStyle(), "the defaults are the library's")
    }
}
