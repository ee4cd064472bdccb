#if LZMA
    internal import CLzma

    /// xz's, one stream or several.
    @safe
    final class XzDecompressor: Decompressor {
        /// Bytes. `xz -9` needs 65 MiB to be unpacked; what needs more is refused.
        private static let mostMemory: UInt64 = 128 << 20

        // SAFETY: made here, ended by deinit alone.
        private let stream = UnsafeMutablePointer<lzma_stream>.allocate(capacity: 1)
        private let hasBegun: Bool
        private var hasEnded = false

        init() {
            unsafe stream.initialize(to: lzma_stream())
            hasBegun = unsafe fw_lzma_begin(stream, XzDecompressor.mostMemory) == LZMA_OK
        }

        deinit {
            unsafe lzma_end(stream)
            unsafe stream.deallocate()
        }

        func unpack(
            _ input: [UInt8], at position: inout Int, end: Int, into output: inout [UInt8]
        ) -> DecompressedPortion {
            guard hasBegun else { return DecompressedPortion(problem: "no memory") }
            var portion = DecompressedPortion()
            // SAFETY: both ranges lie within their arrays, and liblzma is done with them when it returns.
            let outcome = unsafe input.withUnsafeBufferPointer { source in
                unsafe output.withUnsafeMutableBufferPointer { target in
                    unsafe stream.pointee.next_in = source.baseAddress.map { unsafe $0 + position }
                    unsafe stream.pointee.avail_in = end - position
                    unsafe stream.pointee.next_out = target.baseAddress
                    unsafe stream.pointee.avail_out = target.count
                    let outcome = unsafe lzma_code(stream, LZMA_RUN)
                    unsafe position = end - stream.pointee.avail_in
                    unsafe portion.count = target.count - stream.pointee.avail_out
                    return outcome
                }
            }
            switch outcome {
            // The second: no input, or no room.
            case LZMA_OK, LZMA_BUF_ERROR: break
            case LZMA_MEM_ERROR: portion.problem = "no memory"
            case LZMA_MEMLIMIT_ERROR:
                portion.problem = "it takes more than \(XzDecompressor.mostMemory >> 20) MiB of memory"
            case LZMA_FORMAT_ERROR: portion.problem = "no xz header"
            case LZMA_OPTIONS_ERROR: portion.problem = "options that this liblzma does not know"
            default: portion.problem = "corrupt data"
            }
            return portion
        }

        func finish() -> Bool {
            guard hasBegun else { return false }
            unsafe stream.pointee.avail_in = 0
            unsafe stream.pointee.avail_out = 0
            return unsafe lzma_code(stream, LZMA_FINISH) == LZMA_STREAM_END
        }
    }
#endif
