internal import TouchDevices

/// What an overlay has told people, over all compositors that come and go: a cause is told once, and anew only when it had
/// gone meanwhile.
final class OverlayRemarks {
    /// What is looked at as a whole.
    enum Topic {
        case globals, outputs, rules
    }

    /// Of outputs that touches name: who writes lines may name any number.
    private static let mostNowhere = 16

    /// To people.
    var say: (String) -> Void = { complain("fingerwave: \($0)\n") }
    private var lacks: [Topic: [String]] = [:]
    private var mappings: [StreamKey: String] = [:]
    private var nowhere: [String] = []
    private var hasToldTooMany = false

    /// All that is lacking now: what was lacking the last time was told then.
    func tell(_ topic: Topic, _ texts: [String]) {
        for text in texts where lacks[topic]?.contains(text) != true { say(text) }
        lacks[topic] = texts
    }

    /// Where a device lies now.
    func tell(_ key: StreamKey, _ text: String, isSilent: Bool) {
        if mappings.updateValue(text, forKey: key) != text, !isSilent { say(text) }
    }

    /// Of what touches come from: as a recording's, the others are passed over.
    func tellTooMany() {
        if !hasToldTooMany { say(RecordedStreams.tooMany) }
        hasToldTooMany = true
    }

    func forget(_ key: StreamKey) { mappings[key] = nil }

    /// Why what is touched on an output is not shown.
    func tellNowhere(_ output: String, _ why: String) {
        let text = "touches on \(output) are not shown: \(why)"
        guard !nowhere.contains(text), nowhere.count < OverlayRemarks.mostNowhere else { return }
        nowhere.append(text)
        say(text)
    }
}
