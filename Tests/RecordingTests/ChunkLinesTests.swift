import Testing

@testable import Recording

@Suite struct ChunkLinesTests {
    private func lines(_ bytes: [UInt8], chunks size: Int) -> [String] {
        var cutter = ChunkLines()
        var lines: [String] = []
        func note(_ line: ChunkLines.Line) {
            lines.append("\(line.number)" + (line.isTooLong ? "!" : ":" + String(decoding: line.text, as: UTF8.self)))
            if line.isTooLong { #expect(line.text.count == ChunkLines.longest) }
        }
        for start in stride(from: 0, to: bytes.count, by: size) {
            let chunk = Array(bytes[start..<min(bytes.count, start + size)])
            var position = 0
            while let line = cutter.next(in: chunk, at: &position, end: chunk.count) { note(line) }
            #expect(position == chunk.count)
        }
        if let line = cutter.rest() { note(line) }
        return lines
    }

    @Test(arguments: [1, 2, 3, 5, 8, 100])
    func linesAreTheSameHoweverTheyArrive(_ size: Int) {
        #expect(
            lines(Array("one\n\nthree\r\nlast".utf8), chunks: size) == ["1:one", "2:", "3:three\r", "4:last"])
        #expect(lines(Array("one\n".utf8), chunks: size) == ["1:one"])
    }

    @Test(arguments: [1000, ChunkLines.longest, ChunkLines.longest + 1, 70_000, 400_000])
    func aLineThatIsTooLongIsNotKept(_ size: Int) {
        let long = [UInt8](repeating: 0x61, count: 150_000)
        let bytes = Array("a\n".utf8) + long + Array("\nb\n".utf8) + long
        #expect(lines(bytes, chunks: size) == ["1:a", "2!", "3:b", "4!"])
        for count in [ChunkLines.longest - 1, ChunkLines.longest, ChunkLines.longest + 1] {
            let line = [UInt8](repeating: 0x61, count: count)
            let words = lines(line + [0x0A] + line, chunks: size)
            #expect(words.map { $0.hasSuffix("!") } == [Bool](repeating: count > ChunkLines.longest, count: 2))
        }
    }

    /// Who reads as it comes wants to hear of it before the end, which may never come.
    @Test func aLineWithoutEndIsSaidAtOnce() {
        var cutter = ChunkLines()
        let chunk = [UInt8](repeating: 0x61, count: 40_000)
        var found: [Int] = []
        for _ in 0..<5 {
            var position = 0
            while let line = cutter.next(in: chunk, at: &position, end: chunk.count) { found.append(line.number) }
        }
        #expect(found == [1] && cutter.count == 1)
    }
}
