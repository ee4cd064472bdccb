/// Cuts a stream of bytes into lines, however it arrives. What it keeps is bounded: of a line that is too long nothing is
/// kept, and it is said.
package struct LineSplitter: Sendable {
    package enum Line: Equatable, Sendable {
        /// Without its end; the number counts from 1.
        case text(ArraySlice<UInt8>, number: Int)
        /// It has more than ``longest`` bytes.
        case tooLong(number: Int)
    }

    /// Bytes. No line of ours has a hundredth of it.
    package static let longest = 1 << 16

    private var rest: [UInt8] = []
    private var number = 0
    /// Within a line that is too long.
    private var isSkipping = false

    package init() {}

    /// Hands out the lines that `bytes` complete.
    // Not for any sequence of bytes: that would not be specialized across modules, and cost a call for each byte.
    package mutating func add(_ bytes: ArraySlice<UInt8>, _ body: (Line) -> Void) {
        rest.append(contentsOf: bytes)
        var start = rest.startIndex
        while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
            number += 1
            if isSkipping {
                isSkipping = false
            } else if end - start > LineSplitter.longest {
                body(.tooLong(number: number))
            } else {
                body(.text(rest[start..<end], number: number))
            }
            start = end + 1
        }
        rest.removeFirst(start)
        if rest.count > LineSplitter.longest {
            if !isSkipping { body(.tooLong(number: number + 1)) }
            isSkipping = true
            rest.removeAll(keepingCapacity: true)
        }
    }

    /// The last line, if it has no end.
    package mutating func finish(_ body: (Line) -> Void) {
        guard !rest.isEmpty, !isSkipping else { return }
        number += 1
        body(.text(rest[...], number: number))
        rest.removeAll()
    }
}
