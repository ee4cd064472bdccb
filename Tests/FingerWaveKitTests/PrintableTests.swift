import Testing

@testable import FingerWaveKit

@Suite struct PrintableTests {
    private static let name = "a\\u001b]0;x\\u0007\\nb\\u009b1m"
    private static let shown = "a?]0;x??b?1m"

    @Test func aRecordingsNamesAreShownWithoutControls() throws {
        let folder = try TestFolder()
        let seat = PrintableTests.name
        let path = try folder.write(
            "seat.jsonl",
            "{\"type\":\"down\",\"seat\":\"\(seat)\",\"id\":1,\"time\":1,\"x\":1,\"y\":1}\n"
                + "{\"type\":\"up\",\"seat\":\"\(seat)\",\"id\":1,\"time\":2}\n")
        let text = try RecordingReport(path: path).text
        #expect(text.contains("\n  \(PrintableTests.shown): 1 contact"), "\(text)")
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
    }

    @Test func aFailureIsShownWithoutControls() {
        let failure = Failure("cannot read \u{1B}[2J\n", why: "\u{9B}", remedy: "\u{7F}", code: .badInput)
        #expect(failure.line == "fingerwave: cannot read ?[2J?: ?; ?\n")
    }

    @Test func whatATerminalDoesNotObeyStays() {
        #expect(printable("Gerät ° 指") == "Gerät ° 指")
        #expect(printable("a\nb\tc", keepsLines: true) == "a\nb?c")
    }
}
