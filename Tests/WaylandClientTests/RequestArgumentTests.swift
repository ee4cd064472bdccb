import Testing

@testable import WaylandClient

struct RequestArgumentTests {
    @Test("No number is taken for a destroyed object or for a string that is too long")
    func numbersAreNoMarks() {
        for number in [0, 1, 2, 3, 4, UInt32.max] {
            #expect(RequestArgument.uint(number).refusal == nil)
            #expect(RequestArgument.int(Int32(bitPattern: number)).refusal == nil)
        }
        #expect(RequestArgument.fixed(3.0 / 256).refusal == nil)
        #expect(RequestArgument.newID.refusal == nil)
        #expect(RequestArgument.optionalObject(nil).refusal == nil)
        #expect(RequestArgument.fd(0).refusal == nil)
        #expect(withWireString(String(repeating: "x", count: 5000)) { $0.refusal } == .tooLong)
    }

    @Test func textCountsWithItsNULAndPadding() {
        for (text, payload) in [("", 4), ("abc", 4), ("abcd", 8), ("ä", 4)] {
            #expect(withWireString(text) { Int($0.payload) } == payload)
        }
        #expect(withWireString(nil) { Int($0.payload) } == 0)
        for (count, payload) in [(0, 0), (1, 4), (4, 4), (5, 8)] {
            #expect(withWireArray([UInt8](repeating: 0, count: count)) { Int($0.payload) } == payload)
        }
    }
}
