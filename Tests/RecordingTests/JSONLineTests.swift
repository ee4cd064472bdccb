import Testing

@testable import Recording

@Suite struct JSONLineTests {
    @Test(arguments: [
        (10.5, "10.5"), (20.25, "20.25"), (0.0, "0"), (-0.0, "0"), (-3.0, "-3"), (1.0 / 256, "0.00390625"),
        (-0.75, "-0.75"),
        (123456.0, "123456"), (0.1 + 0.2, "0.3"), (1e9 + 0.5, "1000000000.5"),
    ])
    func writesDecimalNumbers(value: Double, text: String) { #expect(decimalText(value) == text) }

    @Test func everyFixedPointFractionSurvives() {
        for part in 0..<256 {
            let value = 7 + Double(part) / 256
            #expect(Double(decimalText(value)!) == value)
        }
    }

    @Test func whatIsNoNumberIsNull() {
        var line = JSONLine(type: "x")
        line.add("a", Double.nan)
        line.add("b", Double.infinity)
        #expect(line.line == "{\"type\":\"x\",\"a\":null,\"b\":null}\n")
    }

    @Test func escapesWhatJSONForbidsInStrings() {
        var line = JSONLine(type: "x")
        line.add("seat", "a\"b\\c\nd\te\u{1}é")
        #expect(line.line == "{\"type\":\"x\",\"seat\":\"a\\\"b\\\\c\\nd\\te\\u0001é\"}\n")
    }
}
