import Testing

@testable import FingerWaveKit

@Suite struct CommandLineTests {
    private func options(_ words: String...) throws -> WindowOptions {
        try WindowOptions(ParsedArguments(words, specs: WindowOptions.specs).options)
    }

    private func failure(_ words: String...) -> Failure? {
        do throws(Failure) {
            _ = try WindowOptions(ParsedArguments(words, specs: WindowOptions.specs).options)
            return nil
        } catch {
            return error
        }
    }

    @Test func takesValuesAttachedAndApart() throws {
        let attached = try options("--radius=40", "--size=320x200", "--log=json")
        let apart = try options("--radius", "40", "--size", "320x200", "--log=json")
        #expect(attached == apart)
        #expect(attached.radius == 40 && attached.width == 320 && attached.height == 200 && attached.log == .json)
    }

    @Test func logAloneIsTextAndTakesNoFollowingWord() throws {
        let parsed = try ParsedArguments(["--log", "json"], specs: WindowOptions.specs)
        #expect(parsed.operands == ["json"])
        #expect(try WindowOptions(parsed.options).log == .text)
    }

    @Test func twoDashesEndTheOptions() throws {
        let parsed = try ParsedArguments(["--fullscreen", "--", "--radius"], specs: WindowOptions.specs)
        #expect(parsed.options.map(\.name) == ["fullscreen"] && parsed.operands == ["--radius"])
    }

    @Test func anOutputImpliesFullScreen() throws {
        #expect(try options("--output", "DP-1").isFullscreen)
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
            failure("--radius")?.line == "fingerwave: --radius needs a value: PX is missing; see fingerwave --help\n")
    }

    @Test func aValueTooManyIsSaid() { #expect(failure("--fullscreen=yes")?.code == .usage) }

    @Test(arguments: [
        ["--radius", "0"], ["--radius", "nan"], ["--radius", "0x10"], ["--radius", "1e3"], ["--radius", ""],
        ["--radius", "5px"], ["--duration", "-1"], ["--opacity", "1.5"], ["--opacity", "."], ["--size", "640"],
        ["--size", "640x"], ["--size", "0x10"], ["--size", "99999x10"], ["--size", "1x2x3"], ["--color", "red-ish"],
        ["--color", "12345"], ["--background", ""], ["--exit-after", "inf"], ["--log=xml"],
    ])
    func refusesWhatIsNoValue(words: [String]) {
        let parsed = try? ParsedArguments(words, specs: WindowOptions.specs)
        #expect(throws: Failure.self) { try WindowOptions(parsed?.options ?? []) }
    }

    @Test func everyOptionIsInTheHelpAndTheHelpFitsAScreen() {
        let lines = Help.window.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 31)
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines.filter { $0.count > 80 })")
        for spec in WindowOptions.specs { #expect(Help.window.contains("--\(spec.name)"), "\(spec.name)") }
    }
}
