import Recording
import Testing

@Suite struct LineSplitterTests {
    private func lines(_ pieces: [[UInt8]]) -> [String] {
        var splitter = LineSplitter()
        var lines: [String] = []
        func note(_ line: LineSplitter.Line) {
            switch line {
            case .text(let bytes, let number): lines.append("\(number):" + String(decoding: bytes, as: UTF8.self))
            case .tooLong(let number): lines.append("\(number)!")
            }
        }
        for piece in pieces { splitter.add(piece[...], note) }
        splitter.finish(note)
        return lines
    }

    @Test(arguments: [1, 2, 3, 5, 100])
    func linesAreTheSameHoweverTheyArrive(_ size: Int) {
        let bytes = Array("one\n\nthree\r\nlast".utf8)
        let pieces = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min(bytes.count, $0 + size)]) }
        #expect(lines(pieces) == ["1:one", "2:", "3:three\r", "4:last"])
    }

    @Test(arguments: [1000, 70_000, 200_000])
    func aLineWithoutEndIsNotKept(_ size: Int) {
        let long = [UInt8](repeating: 0x61, count: 150_000)
        let bytes = Array("a\n".utf8) + long + Array("\nb\n".utf8)
        let pieces = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min(bytes.count, $0 + size)]) }
        #expect(lines(pieces) == ["1:a", "2!", "3:b"])
    }
}
