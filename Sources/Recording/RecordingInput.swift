/// Reads a recording's file, chunk by chunk: as it is, in UTF-16, or packed by gzip, xz or zstd, which its first bytes tell.
package struct RecordingInput {
    /// Bytes that are unpacked at once. Larger portions are no faster.
    private static let portion = 1 << 17

    private var reader = RecordingReader()
    /// The first bytes, until there are enough of them.
    private var head: [UInt8] = []
    private var isSettled = false
    /// What the file is packed with, where this build unpacks it.
    package private(set) var compression: Compression?
    private var decompressor: (any Decompressor)?
    private var unpacked: [UInt8] = []
    /// Bytes of the file that were unpacked.
    private var taken = 0
    private var isDamaged = false

    package init() {}

    /// What is read are not the file's own bytes.
    package var isRecoded: Bool { decompressor != nil }

    /// Nil as long as no line has given it away.
    package var format: RecordingFormat? { reader.format }

    /// Nothing that follows says anything any more.
    package var isDone: Bool { isDamaged || reader.hasGivenUp }

    /// Takes bytes of `chunk` from `position`, which it moves, to `end`, and appends what they tell. True when more of
    /// them is to be read by another call: a few packed bytes can tell more than there is memory for.
    package mutating func read(
        _ chunk: [UInt8], at position: inout Int, end: Int, into items: inout [RecordingItem]
    ) -> Bool {
        if !isSettled {
            let count = min(end - position, Compression.longestMagic - head.count)
            head += chunk[position..<position + count]
            position += count
            guard head.count == Compression.longestMagic else { return false }
            settle(into: &items)
        }
        if isDone {
            position = end
            return false
        }
        guard decompressor != nil else {
            reader.read(chunk, position..<end, into: &items)
            position = end
            return false
        }
        return unpack(chunk, at: &position, end: end, into: &items)
    }

    /// No chunk follows.
    package mutating func finish(into items: inout [RecordingItem]) {
        if !isSettled { settle(into: &items) }
        if !isDone, let compression, decompressor?.finish() == false {
            isDamaged = true
            say(.packedCut(by: compression.program, at: taken), &items)
        }
        decompressor = nil
        reader.finish(isCut: isDamaged, into: &items)
    }

    private mutating func settle(into items: inout [RecordingItem]) {
        isSettled = true
        if let compression = Compression(head[...]), let decompressor = compression.decompressor() {
            self.compression = compression
            self.decompressor = decompressor
            reader = RecordingReader(unpackedBy: compression)
            unpacked = [UInt8](repeating: 0, count: RecordingInput.portion)
        }
        if let decoder = UTF16Decoder(head[...]) {
            decompressor = decoder
            unpacked = [UInt8](repeating: 0, count: RecordingInput.portion)
        }
        let bytes = head
        head = []
        var position = 0
        while read(bytes, at: &position, end: bytes.count, into: &items) {}
    }

    private mutating func unpack(
        _ chunk: [UInt8], at position: inout Int, end: Int, into items: inout [RecordingItem]
    ) -> Bool {
        guard let decompressor else { return false }
        let start = position
        let portion = decompressor.unpack(chunk, at: &position, end: end, into: &unpacked)
        taken += position - start
        reader.read(unpacked, 0..<portion.count, into: &items)
        if let compression, let problem = portion.problem {
            isDamaged = true
            say(.damaged(by: compression.program, at: taken, problem), &items)
        }
        return !isDone && (position < end || portion.count == unpacked.count)
    }

    private func say(_ fault: RecordingFault.Kind, _ items: inout [RecordingItem]) {
        items.append(RecordingItem(line: reader.lineCount + 1, .fault(fault)))
    }
}
