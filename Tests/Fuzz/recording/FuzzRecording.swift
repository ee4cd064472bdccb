// A libFuzzer target: the readers of recordings, what makes touches of them, and the writers. Compiled together with
// Sources/Recording by `meson-helpers/fuzz recording`.

import Gestures

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    // The first byte cuts the rest into chunks.
    let size = bytes.isEmpty ? 1 : Int(bytes.removeFirst()) + 1
    let whole = read(bytes, chunks: max(1, bytes.count))
    precondition(read(bytes, chunks: size) == whole, "chunks make a difference")
    precondition(whole.count <= 2 * bytes.count + 200, "more is found than there is")
    var touches = RecordingTouches()
    var settled: [RecordingItem] = []
    for item in whole { touches.handle(item, into: &settled) }
    write(settled)
    return 0
}

private func read(_ bytes: [UInt8], chunks size: Int) -> [RecordingItem] {
    var reader = RecordingReader()
    var items: [RecordingItem] = []
    var start = 0
    while start < bytes.count {
        let end = min(bytes.count, start + size)
        reader.read(Array(bytes[start..<end]), into: &items)
        start = end
    }
    reader.finish(into: &items)
    return items
}

/// What is written must be read again without a fault, with as many contacts.
private func write(_ items: [RecordingItem]) {
    var encoder = EvdevEncoder(size: Size(width: 640, height: 480))
    var script = StageScriptWriter(size: Size(width: 640, height: 480))
    var events: [EvdevEvent] = []
    var summary = RecordingSummary()
    for item in items {
        summary.count(settled: item)
        guard case .touch(let line) = item.content else { continue }
        encoder.handle(line, into: &events)
        _ = script.text(line)
    }
    encoder.finish(into: &events)
    var record = LibinputRecordWriter()
    let evemu = EvemuWriter.header(encoder.device) + events.map(EvemuWriter.line).joined()
    _ = LibinputRecordWriter.header(encoder.device) + events.map { record.text($0) }.joined()
    let again = read(Array(evemu.utf8), chunks: 4096)
    precondition(again.allSatisfy { item in if case .fault = item.content { false } else { true } }, "written wrongly")
    precondition(again.count == events.count + 2, "events are lost")
}
