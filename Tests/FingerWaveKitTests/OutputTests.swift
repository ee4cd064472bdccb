import CLibc
import CLinuxShims
import Testing

@testable import FingerWaveKit

@Suite struct LineWriterTests {
    private func pipePair() -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    private func drain(_ descriptor: Int32) -> String {
        #expect(fw_set_nonblocking(descriptor, 1) == 0)
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return text }
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
    }

    @Test func aFullPipeNeverBlocksAndLosesWholeLinesOnly() {
        let (reading, writing) = pipePair()
        defer { _ = close(reading); _ = close(writing) }
        let writer = LineWriter(descriptor: writing, bound: 1000)
        // A pipe holds 64 KiB: most of these find neither room there nor in the queue.
        for number in 0..<20_000 {
            writer.write("line \(number)\n")
            writer.flush()
        }
        #expect(writer.droppedLines > 0 && writer.isWaiting && !writer.isClosed)
        var text = drain(reading)
        while writer.isWaiting {
            writer.flush()
            text += drain(reading)
        }
        let lines = text.split(separator: "\n")
        #expect(lines.count + writer.droppedLines == 20_000)
        #expect(lines.allSatisfy { $0.hasPrefix("line ") && Int($0.dropFirst(5)) != nil })
    }

    @Test func aReaderThatIsGoneEndsTheWritingQuietly() {
        fw_ignore_signal(SIGPIPE)
        let (reading, writing) = pipePair()
        defer { _ = close(writing) }
        _ = close(reading)
        let writer = LineWriter(descriptor: writing)
        writer.write("a\n")
        writer.flush()
        #expect(writer.isClosed && !writer.isWaiting)
        writer.write("b\n")
        writer.flush()
        #expect(writer.failure == nil)
    }

    @Test func aDescriptorThatWasClosedAtTheStartIsNoFault() {
        // No process has so many descriptors.
        let writer = LineWriter(descriptor: 1_000_000)
        writer.write("a\n")
        writer.finish(milliseconds: 0)
        #expect(writer.isClosed && !writer.isWaiting)
    }

    @Test func aFullDiskEndsTheWriting() {
        let full = fopen("/dev/full", "w")!
        defer { _ = fclose(full) }
        let writer = LineWriter(descriptor: fileno(full))
        writer.write("a\n")
        writer.flush()
        #expect(writer.isClosed && writer.failure?.why == "No space left on device")
    }

    /// A log that is read again goes on, and says where it lacks lines.
    @Test func aGapStandsWhereLinesAreLost() {
        let (reading, writing) = pipePair()
        defer { _ = close(reading); _ = close(writing) }
        let writer = LineWriter(descriptor: writing, bound: 1000)
        writer.tellGaps { lines, why in "gap \(lines) \(why)\n" }
        var told = 0
        var text = ""
        for number in 0..<20_000 {
            writer.write("line \(number)\n")
            writer.flush()
            if number == 15_000 { text += drain(reading) }
        }
        writer.finish(milliseconds: 0)
        while writer.isWaiting {
            text += drain(reading)
            writer.finish(milliseconds: 0)
        }
        text += drain(reading)
        var next = 0
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words[0] == "gap", let lines = Int(words[1]) {
                #expect(line.hasSuffix(" nobody read them in time"))
                told += lines
                next += lines
            } else {
                #expect(line == "line \(next)")
                next += 1
            }
        }
        #expect(next == 20_000)
        #expect(told == writer.droppedLines && told > 0)
    }

    /// Bytes that a file takes no more of wait, in the middle of a line too, until it takes them.
    @Test func aWriteThatFailedIsTriedAgainWhereThatIsAskedFor() throws {
        let folder = try TestFolder()
        let (log, full) = (fopen(folder.path + "/log", "w+")!, fopen("/dev/full", "w")!)
        defer { _ = fclose(log); _ = fclose(full) }
        let (file, descriptor) = (fileno(log), fileno(full))
        let writer = LineWriter(descriptor: descriptor, bound: 100, retries: true)
        writer.tellGaps { lines, why in "gap \(lines) \(why)\n" }
        for number in 0..<20 { writer.write("line \(number)\n") }
        writer.flush()
        #expect(!writer.isClosed && writer.isWaiting && writer.failure?.why == "No space left on device")
        writer.write("one more\n")
        try #require(dup2(file, descriptor) == descriptor)
        writer.flush()
        #expect(writer.failure == nil && !writer.isWaiting)
        writer.write("last\n")
        writer.finish(milliseconds: 0)
        var buffer = [UInt8](repeating: 0, count: 1000)
        let count = pread(file, &buffer, buffer.count, 0)
        let lines = String(decoding: buffer[..<max(0, count)], as: UTF8.self).split(separator: "\n")
        #expect(lines.first == "line 0" && lines.last == "last")
        #expect(lines.dropLast().last?.hasPrefix("gap ") == true)
        #expect(lines.count - 1 + writer.droppedLines == 22)
    }
}
