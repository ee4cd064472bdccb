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
}
