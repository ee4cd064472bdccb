import Testing

@testable import Recording

@Suite struct JSONFieldsTests {
    @Test func fieldsAreReadAsTheyWereWritten() throws {
        var line = JSONLine(type: "x")
        line.add("text", "a\"b\\c\nd\te\u{1}é, {}")
        line.add("number", -1.5)
        line.add("flag", false)
        line.add("list", [1.5, -2])
        let fields = try JSONFields(line.line)
        #expect(fields["text"] == "a\"b\\c\nd\te\u{1}é, {}" && fields["flag"] == "false")
        #expect(fields["number"] == "-1.5" && fields.field("number")?.number == -1.5)
        #expect(fields["list"] == "[1.5,-2]" && fields.field("list")?.numbers == [1.5, -2])
    }

    /// Other writers put spaces, and write what they can with escapes.
    @Test func spaceAndEscapesOfOtherWritersAreRead() throws {
        let fields = try JSONFields(
            " { \"a\" : [ 1 , 2e1 ] ,\t\"\\u0062\" : \"\\ud83d\\ude00\\/\\ud800\" , \"c\" : { } } \r\n")
        #expect(fields.field("a")?.numbers == [1, 20] && fields["b"] == "😀/\u{FFFD}" && fields["c"] == "{ }")
        #expect(fields.field("c")?.kind == .object && fields.field("b")?.kind == .string)
        #expect(try JSONFields("{}").fields.isEmpty)
    }

    @Test(arguments: [
        ("", "no object in column 1"), ("[1]", "no object in column 1"), ("{", "an end too early in column 2"),
        ("{}x", "something behind the object in column 3"), ("{\"a\"}", "no colon in column 5"),
        ("{\"a\":\"b}", "a string without its end in column 9"),
        ("{\"a\":\"\\", "a string without its end in column 8"),
        ("{\"a\":1,}", "no string in column 8"), ("{\"a\":1 2}", "neither , nor } in column 8"),
        ("{\"a\":}", "no value in column 6"), ("{\"a\":nul}", "no value in column 6"),
        ("{\"a\":\"\\u00\"}", "an escape that there is not in column 7"),
        ("{\"a\":\"\\x\"}", "an escape that there is not in column 7"),
        ("{\"a\":\"\u{1}\"}", "a control character within a string in column 7"),
        ("{\"a\":-}", "a number without digits in column 7"), ("{\"a\":1.}", "a number without digits in column 8"),
        ("{\"a\":01}", "a number that begins with 0 in column 7"), ("{\"a\":[1}", "neither , nor ] in column 8"),
        ("{\"a\":[1", "an end too early in column 8"),
    ])
    func whatIsNoObjectIsRefusedWithItsPlace(line: String, problem: String) {
        do throws(JSONProblem) {
            _ = try JSONFields(line)
            Issue.record("\(line) was read")
        } catch {
            #expect(error.description == problem)
        }
    }

    /// A line of brackets must not exhaust the stack.
    @Test func depthIsBounded() throws {
        let deepest = String(repeating: "[", count: 16) + String(repeating: "]", count: 16)
        #expect(try JSONFields("{\"a\":\(deepest)}").fields.count == 1)
        #expect(throws: JSONProblem("too much within one another", column: 22)) {
            try JSONFields("{\"a\":[\(deepest)]}")
        }
        #expect(throws: JSONProblem.self) { try JSONFields("{\"a\":" + String(repeating: "[", count: 1_000_000)) }
    }

    @Test(arguments: [
        "0", "-0", "0.1", "123456.789", "1e22", "1e-22", "0.00390625", "-12.5E+3", "9007199254740993", "1e308",
        "5e-324",
        "1e-400", "0.000000000000000000000000000000000000001e45", "4294967295",
    ])
    func numbersAreWhatSwiftReads(text: String) throws {
        let number = try #require(decimalNumber(text.utf8))
        let expected = try #require(Double(text))
        #expect((number - expected).magnitude <= expected.ulp)
    }

    @Test func fifteenDigitsAreExact() {
        var random = SeededGenerator(seed: 15)
        for _ in 0..<20_000 {
            let digits = String(UInt64.random(in: 0..<1_000_000_000_000_000, using: &random))
            let point = Int.random(in: 0...digits.count, using: &random)
            let text = (point == 0 ? "0" : String(digits.prefix(point))) + "." + digits.dropFirst(point) + "0"
            #expect(decimalNumber(text.utf8) == Double(text), "\(text)")
        }
    }

    @Test func whatNoDoubleHoldsIsNoNumber() throws {
        #expect(decimalNumber("1e309".utf8) == nil && decimalNumber("-1e999999999999999999999".utf8) == nil)
        let fields = try JSONFields(#"{"a":1.5,"b":-1,"c":4294967296,"d":"1","e":1.0,"f":[1,"x"],"g":[[1]],"h":null}"#)
        #expect(fields.field("a")?.whole(Int32.self) == nil && fields.field("b")?.whole(UInt32.self) == nil)
        #expect(fields.field("c")?.whole(UInt32.self) == nil && fields.field("d")?.number == nil)
        #expect(fields.field("e")?.whole(Int32.self) == 1 && fields.field("f")?.numbers == nil)
        #expect(fields.field("g")?.numbers == nil && fields.field("h")?.number == nil)
    }
}

/// The same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// splitmix64 (Steele, Lea, Flood 2014).
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
