import Testing

@testable import WaylandClient

struct RequestArgumentTests {
    @Test("No number is taken for a destroyed object or for a string that is too long")
    func numbersAreNoMarks() {
        for number in [0, 1, 2, 3, 4, UInt32.max] {
            #expect(RequestArgument.uint(number).refusal == nil)
            #expect(RequestArgument.int(Int32(bitPattern: number)).refusal == nil)
            #expect(RequestArgument.fd(Int32(bitPattern: number)).refusal == nil)
        }
        #expect(RequestArgument.fixed(3.0 / 256).refusal == nil)
        #expect(RequestArgument.newID.refusal == nil)
        #expect(RequestArgument.optionalObject(nil).refusal == nil)
        #expect(withWireString(String(repeating: "x", count: 4000)) { $0.refusal } == .tooLong)
    }
}
