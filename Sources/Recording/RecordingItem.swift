internal import Gestures

/// What a recording's reader found, and in which line.
package struct RecordingItem: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
        /// The description of a device, before its first event. A device is numbered within its recording, from 0.
        indirect case device(EvdevDevice, number: Int)
        case event(EvdevEvent, device: Int)
        indirect case touch(TouchLine)
        /// Another recording begins in the same file; lines of ours have a `header` for it.
        case run
        indirect case fault(RecordingFault.Kind)
        /// Nothing follows.
        case end
    }

    /// From 1.
    package var line: Int
    package var content: Content

    package init(line: Int, _ content: Content) {
        self.line = line
        self.content = content
    }

    package var beginsRun: Bool { if case .touch(let line) = content { line.kind == .other("header") } else { false } }
    var isTouch: Bool { if case .touch = content { true } else { false } }
    var isEndMissing: Bool { if case .fault(.endMissing) = content { true } else { false } }
}

/// What is odd in a recording. No fault ends its reading.
package struct RecordingFault: Equatable, Sendable, CustomStringConvertible {
    /// Where and when something happened.
    package struct Spot: Hashable, Sendable {
        package var place: TouchLine.Place
        /// From the beginning; what lies between runs takes none.
        package var seconds: Double
    }

    /// What lost events have made unusable.
    package struct LeftOut: Hashable, Sendable {
        /// As lines have it.
        package var device: String
        package var frames = 0
        /// They took so long, each from the frame before it.
        package var milliseconds: UInt64 = 0
        /// ms: the stamp of the last of them.
        package var until: UInt32 = 0
    }

    package enum Kind: Hashable, Sendable {
        // Of the file.
        case empty
        case noFormat
        /// Not read: at all, or for want of a library in this build.
        case compressed(by: String, lacking: String? = nil)
        case compressedTwice(by: String, within: String)
        /// Several files in one.
        case archive(String)
        /// Nothing behind this byte of the packed file, and of the line that it unpacks to, can be read.
        case damaged(by: String, at: Int, String)
        case packedCut(by: String, at: Int)
        /// A format that is known by its name only, or whose library this build lacks.
        case notRead(String)
        case longLine
        /// The last line has no end: the file may be cut there.
        case cut
        /// A line that is none of its format's; says what it lacks.
        case unreadable(String)
        /// More of these than are kept.
        case tooMany(String, most: Int)
        /// Events without their times.
        case noStamps
        /// A header of lines that this program does not know.
        case newerVersion(Int)
        /// Devices whose events follow those of another that were made at the same time.
        case devicesInTurn

        // Of a device.
        case noDescription
        case notDirect
        case noAxis(UInt16)
        case emptyAxis(UInt16)
        /// Its range and its resolution make it no panel's.
        case oddLength(UInt16)
        case outOfRange(UInt16, value: Int32, of: ClosedRange<Int32>)
        case slotBeyond(Int32, announced: Int32)
        case slotRefused(Int32)
        case noTrackingIDs

        // Of its events.
        /// `isBeside`: the touches are told by themselves.
        case dropped(isBeside: Bool)
        /// Behind lost events, of contacts of which nothing is known any more. The line is that of the loss.
        indirect case leftOut(LeftOut)
        case placeUnknown(Int32)
        case unfinishedFrame
        /// BTN_TOUCH says that nothing touches, and slots say that something does.
        case touchedInSlots
        /// Events of one moment are followed by those of another.
        case frameMissing

        // Of contacts.
        case unknownContact(Int32)
        case contactAgain(Int32)
        /// It comes down outside of what it could touch.
        case outside(Int32, TouchLine.Place)
        /// The line is that of its `down`; ms since its run's first stamp of where it came from.
        case endMissing(Int32, since: UInt32?)
        /// ms from the end of the contact that was there.
        indirect case cameBack(Int32, after: Int32, milliseconds: UInt32, Spot)
        /// Faster than a finger; logical px.
        indirect case jumped(Int32, pixels: Double, milliseconds: UInt32, Spot)
        case clockWentBack
        /// The clock goes back by more than disorder, and nothing is down.
        case anotherRun
    }

    package var kind: Kind
    /// From 1.
    package var line: Int

    package init(_ kind: Kind, line: Int) {
        self.kind = kind
        self.line = line
    }

    /// For behind `file:line: `.
    package var description: String { kind.description }
}

extension RecordingFault.Kind {
    /// Counted as one: it comes with figures that are others each time.
    func isSame(as other: RecordingFault.Kind) -> Bool {
        switch (self, other) {
        case (.cameBack, .cameBack), (.jumped, .jumped), (.outside, .outside): true
        case (.outOfRange(let code, _, _), .outOfRange(let other, _, _)): code == other
        default: self == other
        }
    }
}

extension TouchLine.Place {
    /// By itself no output and no panel has such a place. Calibrated panels may reach a little further than what lights up:
    /// our choice is a tenth.
    var isOutside: Bool {
        switch self {
        case .output(let point): point.x < 0 || point.y < 0
        case .panel(let point): !(-0.1...1.1).contains(point.x) || !(-0.1...1.1).contains(point.y)
        }
    }

    @inline(never)
    fileprivate var words: String {
        func text(_ point: Point, places: Int) -> String {
            "\(decimalText(point.x, places: places) ?? "?"), \(decimalText(point.y, places: places) ?? "?")"
        }
        return switch self {
        case .output(let point): text(point, places: 2) + " px"
        case .panel(let point): text(point, places: 4) + " of the panel"
        }
    }
}

extension RecordingFault.Spot {
    fileprivate var words: String { "at \(decimalText(seconds, places: 3) ?? "?") s, at \(place.words)" }
}

extension RecordingFault.Kind: CustomStringConvertible {
    package var description: String {
        switch self {
        case .empty: "it is empty"
        case .noFormat: "no recording that is known"
        case .compressed(let program, let library):
            "compressed by \(program)" + (library.map { ", and this build is without \($0)" } ?? ", which is not read")
        case .compressedTwice(let program, let outer): "compressed by \(program), and that by \(outer)"
        case .archive(let program): "a \(program) archive"
        case .damaged(let program, let byte, let what):
            "what \(program) packed cannot be unpacked beyond byte \(byte) of the file: \(what)"
        case .packedCut(let program, let byte):
            "what \(program) packed has no end: the file is cut at byte \(byte)"
        case .notRead(let format): "\(format) is not read"
        case .longLine: "a line longer than \(ChunkLines.longest) bytes"
        case .cut: "the last line has no end: the file may be cut here"
        case .unreadable(let what): what
        case .tooMany(let what, let most): "more than \(most) \(what)"
        case .noStamps: "events without their times: getevent writes them with -t"
        case .newerVersion(let version):
            "lines of version \(version), where \(TouchLine.version) is known: what is not known of them is passed over"
        case .devicesInTurn:
            "the events of this device come behind all of those of another: from a file that is not packed, and not "
                + "from a pipe, they are put in their order"
        case .noDescription:
            "events of a device that is not described: its range is unknown, 0 to 4095 is assumed; "
                + "what evemu-describe or getevent -lp prints tells it, before the events in the file"
        case .notDirect: "the device is no touchscreen: it lacks INPUT_PROP_DIRECT"
        case .noAxis(let code): "the device announces no \(EvdevNames.abs(code)): 0 to 4095 is assumed"
        case .emptyAxis(let code): "\(EvdevNames.abs(code)) is announced without a range: 0 to 4095 is assumed"
        case .oddLength(let code):
            "\(EvdevNames.abs(code)) is announced with a resolution that makes it no panel's: its mm are not known"
        case .outOfRange(let code, let value, let range):
            "\(EvdevNames.abs(code)) \(value) beyond the range that is announced, \(range.lowerBound) to "
                + "\(range.upperBound)"
        case .slotBeyond(let slot, let last): "slot \(slot), where \(last) is announced as the last"
        case .slotRefused(let slot): "slot \(slot), which no panel has: theirs are 0 to \(EvdevDecoder.mostSlots - 1)"
        case .noTrackingIDs: "touches without tracking ids: BTN_TOUCH is gone by"
        case .dropped(isBeside: false):
            "SYN_DROPPED: the kernel lost events that nobody read in time, contacts end as cancelled"
        case .dropped(isBeside: true):
            "SYN_DROPPED: the kernel lost events of its own before they were recorded; no line is missing, and the "
                + "touches beside them are as they were told"
        case .leftOut(let left):
            "behind it \(left.frames) \(left.frames == 1 ? "frame" : "frames") of contacts that are not known any more "
                + "are left out, \(decimalText(Double(left.milliseconds) / 1000, places: 3) ?? "?") s"
        case .placeUnknown(let slot): "the contact in slot \(slot) comes without its place"
        case .frameMissing: "missing-frame: no frame ends what came before"
        case .touchedInSlots: "BTN_TOUCH is 0 while a slot has a contact"
        case .unfinishedFrame: "the last frame has no end and is left out"
        case .unknownContact(let id): "contact \(id) is not down"
        case .contactAgain(let id): "contact \(id) comes down again without its end"
        case .outside(let id, let place): "contact \(id) comes down at \(place.words), beside what is touched"
        case .endMissing(let id, let time):
            "contact \(id), down here"
                + (time.flatMap { decimalText(Double($0) / 1000, places: 3) }.map { " since \($0) s" } ?? "")
                + ", has no end"
        case .cameBack(let id, let before, let milliseconds, let spot):
            "contact \(id) came down \(milliseconds) ms after contact \(before) was lifted there, \(spot.words)"
        case .jumped(let id, let pixels, let milliseconds, let spot):
            "contact \(id) moved \(decimalText(pixels, places: 0) ?? "?") px within \(milliseconds) ms, faster than a "
                + "finger, \(spot.words)"
        case .clockWentBack: "the clock goes back"
        case .anotherRun: "the clock goes back, and nothing is down: another recording seems to begin"
        }
    }
}
