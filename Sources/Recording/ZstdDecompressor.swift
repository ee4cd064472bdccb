#if ZSTD
    internal import CZstd

    /// zstd's, frame by frame. Windows are at most 128 MiB, as libzstd itself has it: `zstd -d` refuses larger ones too.
    @safe
    final class ZstdDecompressor: Decompressor {
        // SAFETY: made here, ended by deinit alone.
        private let context: OpaquePointer?
        /// Behind one frame and before the next.
        private var isBetween = false
        /// Bytes up to the end of the next block. No more are given at once: what it unpacked of the same call before an
        /// error it does not tell.
        private var wanted = 1

        init() { unsafe context = ZSTD_createDCtx() }

        deinit { unsafe _ = ZSTD_freeDCtx(context) }

        func unpack(
            _ input: [UInt8], at position: inout Int, end: Int, into output: inout [UInt8]
        ) -> DecompressedPortion {
            guard unsafe context != nil else { return DecompressedPortion(problem: "no memory") }
            var portion = DecompressedPortion()
            while portion.count < output.count, position < end || !isBetween {
                let before = (position, portion.count)
                // SAFETY: both ranges lie within their arrays, and libzstd is done with them when it returns.
                let outcome = unsafe input.withUnsafeBytes { source in
                    unsafe output.withUnsafeMutableBytes { target in
                        var from = unsafe ZSTD_inBuffer(
                            src: source.baseAddress, size: position + min(end - position, wanted), pos: position)
                        var to = unsafe ZSTD_outBuffer(
                            dst: target.baseAddress, size: target.count, pos: portion.count)
                        let outcome = unsafe ZSTD_decompressStream(context, &to, &from)
                        unsafe position = from.pos
                        unsafe portion.count = to.pos
                        return outcome
                    }
                }
                if ZSTD_isError(outcome) != 0 {
                    // SAFETY: libzstd's names live as long as the program.
                    portion.problem = unsafe String(cString: ZSTD_getErrorName(outcome))
                    return portion
                }
                isBetween = outcome == 0
                wanted = max(1, outcome)
                if before == (position, portion.count) { break }
            }
            return portion
        }

        func finish() -> Bool { isBetween }
    }
#endif
