import Testing

@testable import Recording

/// What a file's bytes tell, packed or not, which come in chunks of `size` bytes.
func readFile(_ bytes: [UInt8], chunks size: Int = 1 << 16) -> [RecordingItem] {
    var input = RecordingInput()
    var items: [RecordingItem] = []
    var start = 0
    while start < bytes.count {
        let end = min(bytes.count, start + size)
        let chunk = Array(bytes[start..<end])
        var position = 0
        while input.read(chunk, at: &position, end: chunk.count, into: &items) {}
        start = end
    }
    input.finish(into: &items)
    return items
}

@Suite struct RecordingInputTests {
    /// As PowerShell writes what adb says, in either order of bytes; beyond the first plane, and broken.
    @Test(arguments: [false, true], [1, 2, 5, 1000])
    func textInUTF16IsRead(isBigEndian: Bool, size: Int) {
        let text = PackedFixture.text + "# \u{1F44D}\u{E9}\r\n"
        func bytes(_ units: [UInt16]) -> [UInt8] {
            units.flatMap { unit -> [UInt8] in
                let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
                return isBigEndian ? [high, low] : [low, high]
            }
        }
        let file = bytes([0xFEFF] + Array(text.utf16))
        #expect(readFile(file, chunks: size) == read(text))
        #expect(readFile(file + bytes([0xD800, 0x41, 0xDC00]) + [0x41], chunks: size).last?.content == .end)
    }

    /// More than is unpacked at once.
    @Test func longTextInUTF16IsReadWhole() {
        let text = "# EVEMU 1.3\n" + String(repeating: "E: 1.000000 0003 0035 0001\n", count: 20_000)
        let bytes: [UInt8] = [0xFF, 0xFE] + text.utf8.flatMap { byte -> [UInt8] in [byte, 0] }
        #expect(readFile(bytes, chunks: 1 << 18).events.count == 20_000)
    }

    private static let known: [Compression] = Compression.allCases.filter { $0.isRead }
    private static let whole = read(PackedFixture.text)

    @Test(arguments: [0, 1, 2, 5, 6, 7, 200])
    func aFileThatIsNotPackedIsReadAsItIs(_ count: Int) {
        let bytes = Array(PackedFixture.text.utf8.prefix(count))
        for size in [1, 3, 6, 1000] { #expect(readFile(bytes, chunks: size) == read(bytes)) }
    }

    @Test(arguments: known)
    func aPackedFileTellsTheSame(_ compression: Compression) {
        let packed = PackedFixture.packed(by: compression)
        for size in [1, 2, 7, 64, 1000] { #expect(readFile(packed, chunks: size) == RecordingInputTests.whole) }
    }

    /// As `cat` joins them, and with what the programs allow between and behind them.
    @Test(arguments: known)
    func whatFollowsInTheSameFileIsReadToo(_ compression: Compression) {
        let packed = PackedFixture.packed(by: compression)
        var file = packed + packed
        switch compression {
        case .gzip: file = packed + [0, 0, 0] + packed + [UInt8](repeating: 0, count: 500)
        case .xz: file = packed + [0, 0, 0, 0] + packed + [UInt8](repeating: 0, count: 8)
        // A frame of three bytes to pass over, before and between.
        case .zstd:
            let note: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3]
            file = note + packed + note + packed
        }
        let twice = read(PackedFixture.text + PackedFixture.text)
        for size in [1, 5, 1000] { #expect(readFile(file, chunks: size) == twice) }
    }

    /// Each line that was unpacked before the cut is read, and the cut is said.
    @Test(arguments: known)
    func aPackedFileThatIsCutIsReadUpToTheCut(_ compression: Compression) {
        let packed = PackedFixture.packed(by: compression)
        let words = settle(RecordingInputTests.whole).contactWords
        for count in Compression.longestMagic..<packed.count {
            let items = readFile(Array(packed[..<count]))
            #expect(items.faults.contains { $0.kind == .packedCut(by: compression.program, at: count) })
            #expect(words.starts(with: settle(items).contactWords))
        }
        // Half of the file is more than nothing.
        if compression == .gzip { #expect(readFile(Array(packed[..<(packed.count - 8)])).events.count == 60) }
    }

    @Test(arguments: known)
    func damageIsSaidWhereItIsAndWhatCameBeforeItIsRead(_ compression: Compression) {
        let packed = PackedFixture.packed(by: compression)
        for index in Compression.longestMagic..<packed.count {
            var bytes = packed
            bytes[index] ^= 0x55
            let items = readFile(bytes)
            // Fields that say nothing of the data may be what they like: gzip's time and system.
            if items == RecordingInputTests.whole { continue }
            let isSaid = items.faults.contains { fault in
                switch fault.kind {
                case .damaged(compression.program, let byte, _): byte > 0 && byte <= packed.count
                case .packedCut: true
                default: false
                }
            }
            #expect(isSaid, "byte \(index)")
        }
        // The check behind the data comes last.
        if compression == .gzip {
            var bytes = packed
            bytes[packed.count - 8] ^= 1
            let items = readFile(bytes)
            #expect(items.events.count == 60)
            #expect(
                items.faults == [
                    RecordingFault(.damaged(by: "gzip", at: packed.count - 4, "incorrect data check"), line: 68)
                ])
        }
    }

    @Test(arguments: known)
    func whatIsNoPackedDataBehindItIsSaid(_ compression: Compression) {
        let items = readFile(PackedFixture.packed(by: compression) + Array("hello, world".utf8))
        #expect(items.events.count == 60 && items.faults.count == 1)
        guard case .damaged(compression.program, _, _) = items.faults.first?.kind else {
            Issue.record("\(items.faults)")
            return
        }
    }

    /// However much a chunk unpacks to, it comes in portions.
    #if ZLIB
        @Test func aFewBytesThatTellMuchComeInPortions() {
            var file: [UInt8] = []
            for _ in 0..<400 { file += PackedFixture.gzip }
            var input = RecordingInput()
            var (position, calls, most) = (0, 0, 0)
            var items: [RecordingItem] = []
            var hasMore = true
            while hasMore {
                items.removeAll()
                hasMore = input.read(file, at: &position, end: file.count, into: &items)
                calls += 1
                most = max(most, items.count)
            }
            #expect(position == file.count && calls > 5 && most < 6000)
        }
    #endif

    #if ZLIB && LZMA
        @Test func whatIsPackedTwiceIsRefused() {
            let items = readFile(PackedFixture.gzipWithinXz)
            #expect(items.faults.map(\.kind) == [.compressedTwice(by: "gzip", within: "xz")])
        }
    #endif

    @Test func archivesAreRefused() {
        #if ZSTD
            #expect(readFile(PackedFixture.tarWithinZstd).faults.map(\.kind) == [.archive("tar")])
        #endif
        #expect(readFile([0x50, 0x4B, 3, 4, 20, 0, 0, 0]).faults.map(\.kind) == [.archive("zip")])
        #expect(readFile(Array("BZh91AY".utf8)).faults.map(\.kind) == [.compressed(by: "bzip2")])
    }

    @Test(arguments: [
        "int main(void)\n{\n    return 0;\n}\n",
        "{\n  \"name\": \"x\",\n  \"type\": \"module\"\n}\n",
        "{\"a\":1}\n",
    ])
    func bracesAloneMakeNoRecording(text: String) {
        let faults = readFile(Array(text.utf8)).faults
        #expect(faults.map(\.kind) == [.noFormat])
        // What comes before the lines of a recording says nothing.
        let items = readFile(Array((text + #"{"type":"frame","seat":"seat0"}"# + "\n").utf8))
        #expect(items.faults.isEmpty)
    }

    /// Nothing is read any more once it is known that it is in vain.
    @Test func whatIsGivenUpIsDone() {
        var input = RecordingInput()
        var items: [RecordingItem] = []
        let chunk = [UInt8](repeating: 0x0A, count: 1 << 16)
        for _ in 0..<2 {
            var position = 0
            #expect(!input.isDone && !input.read(chunk, at: &position, end: chunk.count, into: &items))
        }
        #expect(input.isDone)
        input.finish(into: &items)
        #expect(items.faults == [RecordingFault(.noFormat, line: RecordingReader.mostUnknownLines)])
    }
}
