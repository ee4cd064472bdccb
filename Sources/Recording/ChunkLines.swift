/// Cuts chunks of bytes into lines, whatever their edges cut in two. A line within a chunk is handed out where it
/// stands, without a copy.
struct ChunkLines {
    /// Bytes that a line may have: a device's description with all of its keys has some 4 KiB.
    static let longest = 1 << 16

    struct Line {
        var bytes: [UInt8]
        /// Without its line feed.
        var range: Range<Int>
        var number: Int
        /// It was longer than ``longest``: what is there is its beginning.
        var isTooLong = false
        /// No line feed ends it: it is the file's last, perhaps cut.
        var isCut = false
    }

    /// The beginning of a line that the chunk before this one ended in.
    private var carried: [UInt8] = []
    private var isTooLong = false
    /// Lines that have ended.
    private(set) var count = 0

    /// The next line of the chunk, from `position` on, which moves behind it; nil when the chunk has no other that
    /// ends.
    mutating func next(in chunk: [UInt8], at position: inout Int, end: Int) -> Line? {
        let start = position
        let index = ChunkLines.lineFeed(in: chunk, start..<end)
        guard index < end else {
            carry(chunk, start..<end)
            position = end
            return nil
        }
        position = index + 1
        count += 1
        if carried.isEmpty, !isTooLong {
            guard index - start > ChunkLines.longest else {
                return Line(bytes: chunk, range: start..<index, number: count)
            }
            return Line(bytes: chunk, range: start..<start + ChunkLines.longest, number: count, isTooLong: true)
        }
        carry(chunk, start..<index)
        return takeCarried()
    }

    /// What is left when no chunk follows.
    mutating func rest() -> Line? {
        guard !carried.isEmpty else { return nil }
        count += 1
        var line = takeCarried()
        line.isCut = true
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

    private mutating func carry(_ chunk: [UInt8], _ range: Range<Int>) {
        let room = ChunkLines.longest - carried.count
        if range.count > room { isTooLong = true }
        carried.append(contentsOf: chunk[range.lowerBound..<range.lowerBound + min(room, range.count)])
    }

    private mutating func takeCarried() -> Line {
        let line = Line(bytes: carried, range: 0..<carried.count, number: count, isTooLong: isTooLong)
        carried = []
        isTooLong = false
        return line
    }
}
