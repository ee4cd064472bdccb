#if ZLIB
    internal import CZlib

    /// gzip's, member by member. Zeros behind a member are padding, as gzip itself takes them.
    @safe
    final class GzipDecompressor: Decompressor {
        // SAFETY: zlib keeps its address, so it has a place of its own; made here, ended by deinit alone.
        private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        private var hasBegun = false
        /// Behind one member and before the next.
        private var isBetween = false

        init() {
            unsafe stream.initialize(to: z_stream())
            hasBegun = unsafe fw_inflate_begin(stream) == Z_OK
        }

        deinit {
            if hasBegun { unsafe _ = inflateEnd(stream) }
            unsafe stream.deallocate()
        }

        func unpack(
            _ input: [UInt8], at position: inout Int, end: Int, into output: inout [UInt8]
        ) -> DecompressedPortion {
            guard hasBegun else { return DecompressedPortion(problem: "no memory") }
            var portion = DecompressedPortion()
            while true {
                if isBetween {
                    while position < end, input[position] == 0 { position += 1 }
                    guard position < end else { return portion }
                    // Two bytes of another magic number could come apart: zlib looks at them.
                    guard unsafe inflateReset(stream) == Z_OK else { return portion }
                    isBetween = false
                }
                let outcome = step(input, &position, end, &output, &portion.count)
                switch outcome {
                case Z_STREAM_END: isBetween = true
                case Z_OK:
                    // More of the same comes at once where there is room for it.
                    guard position < end, portion.count < output.count else { return portion }
                // Nothing to do, or no room to do it in.
                case Z_BUF_ERROR: return portion
                default:
                    // SAFETY: zlib's messages live as long as the program.
                    portion.problem = unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? "no memory"
                    return portion
                }
            }
        }

        private func step(
            _ input: [UInt8], _ position: inout Int, _ end: Int, _ output: inout [UInt8], _ made: inout Int
        ) -> Int32 {
            // SAFETY: both ranges lie within their arrays, and zlib is done with them when it returns.
            unsafe input.withUnsafeBufferPointer { source in
                unsafe output.withUnsafeMutableBufferPointer { target in
                    unsafe stream.pointee.next_in = source.baseAddress.map { unsafe $0 + position }
                    unsafe stream.pointee.avail_in = UInt32(end - position)
                    unsafe stream.pointee.next_out = target.baseAddress.map { unsafe $0 + made }
                    unsafe stream.pointee.avail_out = UInt32(target.count - made)
                    let outcome = unsafe inflate(stream, Z_NO_FLUSH)
                    unsafe position = end - Int(stream.pointee.avail_in)
                    unsafe made = target.count - Int(stream.pointee.avail_out)
                    return outcome
                }
            }
        }

        func finish() -> Bool { isBetween }
    }
#endif
