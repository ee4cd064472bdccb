internal import Gestures
internal import Recording

/// A recording that is gone through more than once. A file is read each time, in constant memory; of what can be read only
/// once, such as standard input, all touches are kept.
final class RecordingPasses {
    let path: String
    /// Of the first pass, which comes before anything else.
    private(set) var summary = RecordingSummary()
    private let canReadAgain: Bool
    private var kept: [RecordingItem] = []
    private var passes = 0

    init(path: String) {
        self.path = path
        canReadAgain = RecordingFile(path: path).canBeReadAgain
    }

    /// Hands out the moments that `recorded` makes of it.
    func read(
        _ recorded: RecordedGestures, _ progress: RenderProgress,
        _ body: (RecordedGestures.Moment) throws(Failure) -> Void
    ) throws(Failure) {
        var moments: [RecordedGestures.Moment] = []
        var count = 0
        try readItems { (item) throws(Failure) in
            recorded.handle(item) { moments.append($0) }
            for moment in moments { try body(moment) }
            moments.removeAll(keepingCapacity: true)
            count += 1
            if count % 4096 == 0 { progress.show(reading: item.line) }
        }
        recorded.finish { moments.append($0) }
        for moment in moments { try body(moment) }
    }

    /// Devices as they are described, and what is settled of everything else.
    private func readItems(_ body: (RecordingItem) throws(Failure) -> Void) throws(Failure) {
        passes += 1
        if passes > 1, !canReadAgain {
            for item in kept { try body(item) }
            return
        }
        var file = RecordingFile(path: path)
        var touches = RecordingTouches()
        var settled: [RecordingItem] = []
        try file.read { (item) throws(Failure) in
            if passes == 1 { summary.count(read: item) }
            if case .device = item.content { settled.append(item) }
            touches.handle(item, into: &settled)
            for item in settled {
                if passes == 1 { summary.count(settled: item) }
                if !canReadAgain { kept.append(item) }
                try body(item)
            }
            settled.removeAll(keepingCapacity: true)
        }
        if passes == 1, let refusal = file.refusal(summary) { throw refusal }
    }
}
