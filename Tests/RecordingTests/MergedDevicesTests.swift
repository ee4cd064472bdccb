#if YAML
    import Testing

    @testable import Recording

    /// Several devices of one libinput record.
    @Suite struct MergedDevicesTests {
        private static func device(_ node: String, _ times: [Int]) -> String {
            """
            - node: /dev/input/\(node)
              evdev:
                name: "\(node)"
                id: [24, 1, 2, 3]
                codes:
                  3: [47, 53, 54, 57] # EV_ABS
                absinfo:
                  47: [0, 3, 0, 0, 0]
                  53: [0, 999, 0, 0, 10]
                  54: [0, 499, 0, 0, 10]
                  57: [0, 65535, 0, 0, 0]
                properties: [1]
              hid: []
              events:

            """
                + times.enumerated().map { index, time in
                    let stamp = "\(time / 1000), \(time % 1000 * 1000)"
                    return "  - evdev:\n    - [\(stamp), 3, 57, \(index % 2 == 0 ? index : -1)]\n"
                        + "    - [\(stamp), 3, 53, \(index)]\n    - [\(stamp), 3, 54, 5]\n    - [\(stamp), 0, 0, 0]\n"
                }.joined()
        }

        private static let head = "# libinput record\nversion: 1\nndevices: 2\ndevices:\n"
        private static let text = head + device("event0", [0, 500, 1000, 1080]) + device("event1", [100, 300, 1040])

        /// What comes of a file, which is looked through in `size` bytes at a time, and then read so.
        private func merge(_ text: String, _ size: Int = 100) -> [RecordingItem] {
            let bytes = Array(text.utf8)
            var blocks = DeviceBlocks()
            var start = 0
            while start < bytes.count {
                let chunk = Array(bytes[start..<min(bytes.count, start + size)])
                blocks.read(chunk, chunk.count)
                start += size
            }
            blocks.finish()
            var merged = MergedDevices(blocks)
            var items: [RecordingItem] = []
            while !merged.isOver {
                while let (lane, place) = merged.need {
                    let end = min(Int(place.upperBound), bytes.count)
                    let piece = Array(bytes[Int(place.lowerBound)..<end].prefix(size))
                    merged.supply(piece, piece.count, to: lane)
                }
                merged.take(into: &items)
            }
            return items
        }

        private func order(_ items: [RecordingItem]) -> [Int64] { items.events.map { $0.time / 1000 } }

        @Test(arguments: [1, 7, 64, 100, 4096])
        func eventsComeInTheOrderOfTheirStamps(size: Int) {
            let items = merge(MergedDevicesTests.text, size)
            #expect(order(items) == [0, 100, 300, 500, 1000, 1040, 1080].flatMap { [$0, $0, $0, $0] })
            #expect(items.faults.isEmpty && items.devices.map(\.name) == ["event0", "event1"])
            #expect(items.last == RecordingItem(line: 67, .end))
            // Each with its own line.
            let whole = read(MergedDevicesTests.text)
            for item in items { if case .event = item.content { #expect(whole.contains(item)) } }
        }

        /// From a pipe there is one way to read it: that is said, and no time goes back.
        @Test func inOnePieceTheyComeInTurnWhichIsSaid() {
            let items = read(MergedDevicesTests.text)
            #expect(items.faults.map(\.kind) == [.devicesInTurn])
            var converter = RecordingConverter(.stageScript)
            var script = ""
            for item in items { converter.convert(item, into: &script) }
            let sleeps = script.split(separator: "\n").filter { $0.hasPrefix("sleep") }.compactMap {
                Int($0.dropFirst(6))
            }
            #expect(sleeps.allSatisfy { $0 < 2000 })
            #expect(read(LibinputRecordFixture.text).faults.isEmpty)
        }

        @Test func aScriptOfBothHasTheirPauses() {
            var converter = RecordingConverter(.stageScript)
            var script = ""
            for item in merge(MergedDevicesTests.text) { converter.convert(item, into: &script) }
            let sleeps = script.split(separator: "\n").filter { $0.hasPrefix("sleep") }
            #expect(sleeps == ["sleep 100", "sleep 200", "sleep 200", "sleep 500", "sleep 40", "sleep 40"])
        }

        @Test func recordingsThatFollowEachOtherStayApart() {
            let items = merge(MergedDevicesTests.text + MergedDevicesTests.text)
            #expect(items.filter { $0.content == .run }.map(\.line) == [69])
            #expect(order(items).prefix(28) == order(merge(MergedDevicesTests.text)).prefix(28))
            #expect(order(items).count == 56 && items.faults.isEmpty)
            let summary = summary(of: items)
            #expect(summary.sources.count == 2 && summary.devices.count == 2 && summary.contactCount == 8)
            // The last of the first run is cut short by the second, as both have one that stays down.
            #expect(summary.faults.map(\.kind) == [.endMissing(0, since: 940)])
        }

        @Test func whatIsCutIsReadUpToTheCut() {
            let bytes = MergedDevicesTests.text.utf8.count
            for count in stride(from: 200, to: bytes, by: 37) {
                let items = merge(String(MergedDevicesTests.text.prefix(count)), 50)
                #expect(items.last.map { $0.content == .end } == true)
                #expect(order(items) == order(items).sorted())
            }
        }

        @Test func oneDeviceIsReadAsItStands() {
            func hasSeveral(_ text: String) -> Bool {
                var blocks = DeviceBlocks()
                let bytes = Array(text.utf8)
                blocks.read(bytes, bytes.count)
                blocks.finish()
                return blocks.hasSeveral
            }
            let one = MergedDevicesTests.head + MergedDevicesTests.device("event0", [0, 5])
            #expect(
                !hasSeveral(one) && !hasSeveral(one + one) && !hasSeveral("") && hasSeveral(MergedDevicesTests.text))
            // A frame of events is no device; what our writer begins with is one.
            #expect(hasSeveral("version: 1\n- evdev:\n  events:\n  - evdev:\n- evdev:\n"))
            #expect(!hasSeveral("version: 1\n- evdev:\n  events:\n  - evdev:\n  - evdev:\n"))
        }
    }
#endif
