/// Cuts chunks of bytes into lines, whatever their edges cut in two. A line within a chunk is handed out where it
/// stands, without a copy.
package struct ChunkLines: Sendable {
    /// Bytes that a line may have: a device's description with all of its keys has some 4 KiB.
    package static let longest = 1 << 16

    package struct Line: Sendable {
        var bytes: [UInt8]
        /// Without its line feed.
        var range: Range<Int>
        /// From 1.
        package var number: Int
        /// It is longer than ``longest``: what is there is its beginning. It is handed out as soon as this is known, its
        /// end never.
        package var isTooLong = false

        package var text: ArraySlice<UInt8> { bytes[range] }
    }

    /// The beginning of a line that the chunk before this one ended in.
    private var carried: [UInt8] = []
    /// Within a line that was too long and is handed out.
    private var isSkipping = false
    /// Lines that were handed out.
    package private(set) var count = 0

    package init() {}

    /// - Parameter count: of lines that came before.
    init(behind count: Int) { self.count = count }

    /// The next line of the chunk, from `position` on, which moves behind it; nil when the chunk has no other.
    package mutating func next(in chunk: [UInt8], at position: inout Int, end: Int) -> Line? {
        if isSkipping {
            let index = ChunkLines.lineFeed(in: chunk, position..<end)
            position = min(end, index + 1)
            guard index < end else { return nil }
            isSkipping = false
        }
        let start = position
        let index = ChunkLines.lineFeed(in: chunk, start..<end)
        position = min(end, index + 1)
        let room = ChunkLines.longest - carried.count
        isSkipping = index - start > room && index == end
        guard !carried.isEmpty || index == end else {
            count += 1
            let length = min(index - start, room)
            return Line(
                bytes: chunk, range: start..<start + length, number: count, isTooLong: length < index - start)
        }
        carried.append(contentsOf: chunk[start..<start + min(index - start, room)])
        let isTooLong = index - start > room
        return index < end || isTooLong ? takeCarried(isTooLong: isTooLong) : nil
    }

    /// The last line, when no chunk follows and no line feed ended it: perhaps the file is cut there.
    package mutating func rest() -> Line? { carried.isEmpty ? nil : takeCarried(isTooLong: false) }

    private mutating func takeCarried(isTooLong: Bool) -> Line {
        count += 1
        let line = Line(bytes: carried, range: 0..<carried.count, number: count, isTooLong: isTooLong)
        carried = []
        return line
    }

    /// The end of the range when it has none. Eight bytes at a time: this is the one loop that sees every byte of a
    /// recording.
    private static func lineFeed(in chunk: [UInt8], _ range: Range<Int>) -> Int {
        precondition(range.upperBound <= chunk.count)
        // SAFETY: the range lies within the array, and no load reaches beyond it.
        return unsafe chunk.withUnsafeBytes { bytes in
            var index = range.lowerBound
            while index + 8 <= range.upperBound {
                let word = UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                // The lowest byte that was a line feed, and is now 0, has its highest bit set.
                let zeroed = word ^ 0x0A0A_0A0A_0A0A_0A0A
                let hits = (zeroed &- 0x0101_0101_0101_0101) & ~zeroed & 0x8080_8080_8080_8080
                if hits != 0 { return index + hits.trailingZeroBitCount / 8 }
                index += 8
            }
            while index < range.upperBound, unsafe bytes[index] != 0x0A { index += 1 }
            return index
        }
    }
}
