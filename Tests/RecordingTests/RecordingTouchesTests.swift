import Gestures
import Testing

@testable import Recording

@Suite struct RecordingTouchesTests {
    /// Two evemu recordings in one file: the first has no description, and ends with a finger down.
    @Test func aDeviceThatIsDescribedLaterBeginsAnew() {
        let cut = Fixture.evemuEvents.split(separator: "\n").prefix(10).joined(separator: "\n") + "\n"
        let items = settle(read(cut + Fixture.evemu))
        #expect(items.words[4] == "cancel" && Array(items.words[5...]) == ["header"] + Fixture.evemuWords)
        #expect(items.faults.map(\.kind) == [.noDescription, .endMissing(0, since: 0), .endMissing(1, since: 10)])
        #expect(items.times == items.times.sorted() && items.times.last == 1099)
    }

    private func settled(_ lines: [TouchLine]) -> [RecordingItem] {
        settle(lines.enumerated().map { RecordingItem(line: $0.offset + 1, .touch($0.element)) })
    }

    private func down(_ id: Int32, _ time: UInt32? = nil, seat: String? = nil, device: String? = nil) -> TouchLine {
        TouchLine(.down, seat: seat, device: device, id: id, time: time, place: .panel(.zero))
    }

    private func up(_ id: Int32, _ time: UInt32? = nil, seat: String? = nil, device: String? = nil) -> TouchLine {
        TouchLine(.up, seat: seat, device: device, id: id, time: time)
    }

    @Test func aSecondDownEndsTheFirstContact() {
        let items = settled([down(0, 10), down(0, 20), up(0, 30)])
        #expect(items.words == ["down 0 0,0", "cancel 0", "down 0 0,0", "up 0"])
        #expect(items.faults == [RecordingFault(.contactAgain(0), line: 2)])
    }

    @Test func whatHasNoContactIsLeftOutAndNamedOnce() {
        let motion = TouchLine(.motion, id: 3, place: .panel(.zero))
        let items = settled([motion, motion, up(3), TouchLine(.frame), down(3), motion, up(3), up(3)])
        #expect(items.words == ["down 3 0,0", "motion 3 0,0", "up 3"])
        #expect(items.faults.map(\.line) == [1, 8])
    }

    /// They are a compositor's, and no fault of the recording.
    @Test func emptyFramesAndRepeatedCancelsStay() {
        let items = settled([
            TouchLine(.frame), TouchLine(.cancel), down(1), TouchLine(.frame), TouchLine(.frame), TouchLine(.cancel),
            TouchLine(.cancel), TouchLine(.frame),
        ])
        #expect(
            items.words == ["frame", "cancel", "down 1 0,0", "frame", "frame", "cancel", "cancel", "frame"]
                && items.faults.isEmpty)
    }

    /// The same id on two seats is two contacts.
    @Test func seatsAndDevicesAreApart() {
        let items = settled([
            down(0, seat: "a"), down(0, seat: "b"), TouchLine(.cancel, seat: "a"), up(0, seat: "a"), up(0, seat: "b"),
        ])
        #expect(items.words == ["down 0 0,0", "down 0 0,0", "cancel", "up 0"])
        #expect(items.faults.map(\.kind) == [.unknownContact(0)])
    }

    @Test func aDeviceThatGoesEndsItsContacts() {
        let gone = TouchLine(.device(TouchLineDevice(.removed)), device: "event3")
        let items = settled([down(0, device: "event3"), gone, gone, up(0, device: "event3")])
        #expect(items.words == ["down 0 0,0", "cancel", "device", "device"])
    }

    /// Who recorded was killed, and another run goes on in the same file, perhaps of another boot.
    @Test func aHeaderEndsWhatIsDown() throws {
        let header = TouchLine(.other("header"))
        let items = settled([
            header, down(0, 5000, seat: "a"), down(1, 5000, seat: "a"), down(0, 5000, device: "event3"), header,
            down(0, 100, seat: "a"), up(0, 120, seat: "a"), header,
        ])
        #expect(
            items.words == [
                "header", "down 0 0,0", "down 1 0,0", "down 0 0,0", "cancel", "cancel", "header", "down 0 0,0", "up 0",
                "header",
            ])
        // Nor is it forgotten that they never ended.
        #expect(
            items.faults == [
                RecordingFault(.endMissing(0, since: 0), line: 2), RecordingFault(.endMissing(1, since: 0), line: 3),
                RecordingFault(.endMissing(0, since: 0), line: 4),
            ])
        #expect(items.times == [5000, 5000, 5000, 6000, 6020])
        var summary = RecordingSummary()
        for item in items { summary.count(settled: item) }
        #expect(summary.leftDownCount == 0 && summary.sources.map(\.cancelledCount) == [2, 1])
    }

    @Test func timesPassTwoToThePowerOf32() {
        let items = settled([down(0, .max - 5), up(0, 10)])
        #expect(items.times == [.max - 5, 10] && items.faults.isEmpty)
        #expect(
            summary(of: [RecordingItem(line: 1, .touch(down(0, .max - 5))), RecordingItem(line: 2, .touch(up(0, 10)))])
                .sources.first?.duration == 0.016)
    }

    @Test func contactsAndStreamsAreBounded() {
        let many = settled((0..<3000).map { down(Int32($0)) })
        #expect(many.words.count == 1024 && many.faults.map(\.kind) == [.tooMany("contacts", most: 1024)])
        let streams = settled((0..<1000).map { down(0, seat: "seat\($0)") })
        #expect(streams.words.count == 256 && streams.faults.map(\.kind) == [.tooMany("devices", most: 256)])
    }

    // MARK: Summary

    @Test func theSummaryCounts() throws {
        let summary = summary(of: read(Fixture.evemu))
        let source = try #require(summary.sources.first)
        #expect(summary.devices.map(\.name) == ["Test Panel"] && summary.eventCount == 19)
        #expect(source.frameCount == 5 && source.contactCount == 2 && source.mostAtOnce == 2)
        #expect(source.endedCount == 2 && source.cancelledCount == 0 && source.leftDown.isEmpty)
        #expect(source.duration == 0.09 && source.rate == 100)
        #expect(summary.lineCount == Fixture.evemu.split(separator: "\n").count && summary.faults.isEmpty)
    }

    @Test func whatIsLeftDownAndCancelledIsCounted() {
        let items = [down(1, 0), down(2, 5), TouchLine(.cancel, time: 9), down(4, 20)]
        let summary = summary(of: items.map { RecordingItem(line: 1, .touch($0)) })
        #expect(summary.contactCount == 3 && summary.leftDownCount == 1 && summary.sources[0].leftDown == [4])
        #expect(summary.sources[0].cancelledCount == 2 && summary.sources[0].rate == nil)
    }

    /// Without a device it is the whole seat's.
    @Test func aSeatsCancelEndsTheContactsOfItsDevices() throws {
        let text = """
            {"type":"down","seat":"seat0","device":"event3","id":1,"time":1,"x":0.5,"y":0.5}
            {"type":"down","seat":"seat1","device":"event4","id":1,"time":1,"x":0.5,"y":0.5}
            {"type":"cancel","seat":"seat0"}

            """
        let sources = summary(of: read(text)).sources
        #expect(sources.map(\.device) == ["event3", "event4"])
        #expect(sources.map(\.cancelledCount) == [1, 0] && sources.map(\.leftDown) == [[], [1]])
    }

    @Test func faultsAreCountedByTheirKind() {
        let summary = summary(of: read("N: x\nE: x\nE: y\nE: 1.0 0000 0003 0\n"))
        #expect(summary.faults.map(\.count) == [2, 1] && summary.faults.map(\.line) == [2, 4])
        #expect(
            summary.faults.map(\.kind.description)[1]
                == "SYN_DROPPED: the kernel lost events that nobody read in time, contacts end as cancelled")
    }
}
