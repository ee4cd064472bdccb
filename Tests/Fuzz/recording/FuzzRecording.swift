// A libFuzzer target: the readers of recordings, what makes touches of them, and the writers. Compiled together with
// Sources/Recording by `meson-helpers/fuzz recording`.

import CLzma
import CZlib
import CZstd
import Gestures

/// Of one input, as far as they are looked at: a few packed bytes tell more than there is memory for.
private let mostItems = 1 << 17

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    // The first byte cuts the rest into chunks, and says whether it is packed for once more.
    let first = bytes.isEmpty ? 0 : bytes.removeFirst()
    let size = Int(first & 31) + 1
    let whole = read(bytes, chunks: max(1, bytes.count))
    let cut = read(bytes, chunks: size)
    // How much of damaged data the libraries unpack follows from how much of it they get at once.
    precondition(isDamaged(whole) ? isDamaged(cut) : cut == whole, "chunks make a difference")
    if Compression(bytes.prefix(Compression.longestMagic)) == nil {
        precondition(whole.count <= 2 * bytes.count + 200, "more is found than there is")
        // Text is recoded where it is not packed.
        if UTF16Decoder(bytes[...]) == nil, let packed = pack(bytes, first >> 5) {
            precondition(read(packed, chunks: 4 * size) == whole, "packing makes a difference")
        }
    }
    merge(bytes, size)
    var touches = RecordingTouches()
    var settled: [RecordingItem] = []
    for item in whole { touches.handle(item, into: &settled) }
    write(settled)
    convert(whole, to: [.jsonLines, .evemu, .libinputRecord, .stageScript][Int(first & 3)])
    return 0
}

/// Of devices that are read side by side the last item is the end, whatever the file is cut into.
private func merge(_ bytes: [UInt8], _ size: Int) {
    var blocks = DeviceBlocks()
    for start in stride(from: 0, to: bytes.count, by: size) {
        let chunk = Array(bytes[start..<min(bytes.count, start + size)])
        blocks.read(chunk, chunk.count)
    }
    blocks.finish()
    guard blocks.hasSeveral else { return }
    var merged = MergedDevices(blocks)
    var items: [RecordingItem] = []
    while !merged.isOver {
        while let (lane, place) = merged.need {
            precondition(place.lowerBound >= 0 && place.upperBound <= bytes.count, "what is wanted is not there")
            let piece = Array(bytes[Int(place.lowerBound)..<Int(place.upperBound)].prefix(16 * size))
            merged.supply(piece, piece.count, to: lane)
        }
        merged.take(into: &items)
    }
    precondition(items.filter { $0.content == .end }.count == 1 && items.last?.content == .end, "it does not end")
}

private func isDamaged(_ items: [RecordingItem]) -> Bool {
    items.count == mostItems
        || items.contains { item in
            switch item.content {
            case .fault(.damaged), .fault(.packedCut): true
            default: false
            }
        }
}

private func read(_ bytes: [UInt8], chunks size: Int) -> [RecordingItem] {
    var input = RecordingInput()
    var items: [RecordingItem] = []
    var start = 0
    while start < bytes.count {
        let chunk = Array(bytes[start..<min(bytes.count, start + size)])
        var position = 0
        while input.read(chunk, at: &position, end: chunk.count, into: &items) {
            if items.count > mostItems { return Array(items[..<mostItems]) }
        }
        start += chunk.count
    }
    input.finish(into: &items)
    return items.count > mostItems ? Array(items[..<mostItems]) : items
}

/// Nil for most numbers: what is packed takes long.
private func pack(_ bytes: [UInt8], _ program: UInt8) -> [UInt8]? {
    var packed = [UInt8](repeating: 0, count: bytes.count + 1024)
    var count = 0
    switch program {
    case 5:
        var stream = unsafe z_stream()
        let level: Int32 = 1
        guard
            unsafe deflateInit2_(
                &stream, level, Z_DEFLATED, 16 + MAX_WBITS, 1, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        unsafe bytes.withUnsafeBufferPointer { source in
            unsafe packed.withUnsafeMutableBufferPointer { target in
                unsafe stream.next_in = source.baseAddress
                unsafe stream.avail_in = UInt32(source.count)
                unsafe stream.next_out = target.baseAddress
                unsafe stream.avail_out = UInt32(target.count)
                precondition(unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END, "zlib does not pack")
                unsafe count = target.count - Int(stream.avail_out)
            }
        }
        unsafe _ = deflateEnd(&stream)
    case 6: unsafe count = ZSTD_compress(&packed, packed.count, bytes, bytes.count, 1)
    case 7:
        let outcome = unsafe lzma_easy_buffer_encode(
            0, LZMA_CHECK_CRC32, nil, bytes, bytes.count, &packed, &count, packed.count)
        precondition(outcome == LZMA_OK, "liblzma does not pack")
    default: return nil
    }
    return Array(packed[..<count])
}

private func convert(_ items: [RecordingItem], to target: RecordingConverter.Target) {
    var converter = RecordingConverter(target)
    var text = ""
    for item in items {
        converter.convert(item, into: &text)
        if text.utf8.count > 1 << 16 { text = "" }
    }
    for fault in converter.summary.faults { _ = fault.kind.description }
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
    guard events.count + 2 < mostItems else { return }
    let again = read(Array(evemu.utf8), chunks: 4096)
    precondition(again.allSatisfy { item in if case .fault = item.content { false } else { true } }, "written wrongly")
    precondition(again.count == events.count + 2, "events are lost")
}
