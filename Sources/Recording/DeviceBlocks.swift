#if YAML
    /// Where the devices of a libinput record begin in its file: each has its events in one piece, whatever came in between
    /// from the others.
    package struct DeviceBlocks {
        struct Block: Equatable {
            /// Bytes from the file's beginning.
            var start, end: Int64
            /// Of its first, from 1.
            var line: Int
            /// Of the recording that it is in: several may follow each other in a file.
            var run: Int
        }

        private(set) var blocks: [Block] = []
        private(set) var lineCount = 0
        /// More than are followed: they stay behind the others.
        private static let mostBlocks = 4096

        private var lines = ChunkLines()
        private var offset: Int64 = 0
        private var run = 0
        private var hasDevice = false

        package init() {}

        /// Some recording in it has several devices.
        package var hasSeveral: Bool {
            blocks.indices.dropFirst().contains { blocks[$0].run == blocks[$0 - 1].run }
        }

        /// Takes the file's next bytes.
        package mutating func read(_ chunk: [UInt8], _ count: Int) {
            var position = 0
            while let line = lines.next(in: chunk, at: &position, end: count) {
                // One that is too long is none of those that are looked for.
                if !line.isTooLong { look(line, begins: offset + Int64(position - line.range.count - 1)) }
            }
            offset += Int64(count)
        }

        package mutating func finish() {
            _ = lines.rest()
            lineCount = lines.count
            if !blocks.isEmpty { blocks[blocks.count - 1].end = offset }
        }

        private mutating func look(_ line: ChunkLines.Line, begins start: Int64) {
            // Nearly all lines stand deeper.
            guard let first = line.text.first, first != 0x20 || line.text.dropFirst(2).first == UInt8(ascii: "-") else {
                return
            }
            var cursor = LineCursor(line.bytes, line.range)
            if cursor.starts(with: "version:") {
                begin(start, line.number, isRun: true)
                return
            }
            let isIndented = cursor.next == 0x20
            cursor.skipBlanks()
            guard cursor.starts(with: "- node:") || !isIndented && cursor.starts(with: "- evdev:") else { return }
            if hasDevice { begin(start, line.number, isRun: false) }
            hasDevice = true
        }

        private mutating func begin(_ start: Int64, _ line: Int, isRun: Bool) {
            guard blocks.count < DeviceBlocks.mostBlocks else { return }
            if isRun {
                // What stands before the first one belongs to it.
                guard hasDevice || blocks.isEmpty else { return }
                hasDevice = false
                if !blocks.isEmpty { run += 1 }
            }
            let begins = blocks.isEmpty ? 0 : start
            if !blocks.isEmpty { blocks[blocks.count - 1].end = begins }
            blocks.append(Block(start: begins, end: .max, line: blocks.isEmpty ? 1 : line, run: run))
        }
    }

    /// A libinput record of several devices with their events in the order that they were made in, in constant memory: each
    /// device is read from a place of its own.
    ///
    /// It asks for bytes (``need``), is given them, and tells what comes next.
    package struct MergedDevices {
        private struct Lane {
            var reader: RecordingReader
            var rest: Range<Int64>
            var items: [RecordingItem] = []
            var next = 0

            mutating func supply(_ bytes: [UInt8], _ count: Int) {
                items.removeAll(keepingCapacity: true)
                next = 0
                if count > 0 { reader.read(bytes, 0..<count, into: &items) }
                rest = (count > 0 ? rest.lowerBound + Int64(count) : rest.upperBound)..<rest.upperBound
                guard rest.isEmpty else { return }
                reader.finish(into: &items)
                // That of the file comes last of all.
                items.removeLast()
            }
        }

        private let blocks: DeviceBlocks
        private var lanes: [Lane] = []
        /// The first block that no lane has been made of.
        private var ahead = 0
        package private(set) var isOver = false

        package init(_ blocks: DeviceBlocks) {
            self.blocks = blocks
            begin()
        }

        /// Which bytes of the file are wanted, and who they are for; nil when something can be taken without.
        package var need: (lane: Int, place: Range<Int64>)? {
            guard let index = lanes.firstIndex(where: { $0.next == $0.items.count && !$0.rest.isEmpty }) else {
                return nil
            }
            return (index, lanes[index].rest)
        }

        /// Gives the first `count` bytes of what was wanted; none where the file has become shorter.
        package mutating func supply(_ bytes: [UInt8], _ count: Int, to lane: Int) {
            lanes[lane].supply(bytes, count)
        }

        /// Appends what comes next, until bytes are needed.
        package mutating func take(into items: inout [RecordingItem]) {
            while need == nil, !isOver {
                guard let (first, end) = nextLane() else {
                    finishRun(into: &items)
                    continue
                }
                while lanes[first].next < lanes[first].items.count {
                    let item = lanes[first].items[lanes[first].next]
                    if case .event(let event, _) = item.content, event.time > end { break }
                    items.append(item)
                    lanes[first].next += 1
                }
            }
        }

        /// The one that is next, and the time until which it is so; nil when all are over.
        private func nextLane() -> (lane: Int, end: Int64)? {
            var first: (lane: Int, time: Int64)?
            var end = Int64.max
            for index in lanes.indices where lanes[index].next < lanes[index].items.count {
                // What has no time comes at once.
                let time =
                    if case .event(let event, _) = lanes[index].items[lanes[index].next].content {
                        event.time
                    } else {
                        Int64.min
                    }
                if let before = first, before.time <= time {
                    end = min(end, time)
                } else {
                    end = min(end, first?.time ?? .max)
                    first = (index, time)
                }
            }
            return first.map { ($0.lane, end) }
        }

        private mutating func finishRun(into items: inout [RecordingItem]) {
            guard ahead < blocks.blocks.count else {
                isOver = true
                items.append(RecordingItem(line: max(1, blocks.lineCount), .end))
                return
            }
            items.append(RecordingItem(line: blocks.blocks[ahead].line, .run))
            begin()
        }

        /// The devices of the next recording.
        private mutating func begin() {
            lanes = []
            guard ahead < blocks.blocks.count else { return }
            let run = blocks.blocks[ahead].run
            while ahead < blocks.blocks.count, blocks.blocks[ahead].run == run {
                let block = blocks.blocks[ahead]
                lanes.append(
                    Lane(
                        reader: RecordingReader(device: lanes.count, from: block.line),
                        rest: block.start..<block.end))
                ahead += 1
            }
        }
    }
#endif
