/// The programs whose files are unpacked while they are read.
package enum Compression: String, Equatable, Sendable, CaseIterable {
    case gzip, xz, zstd

    /// What a file has to begin with to be told, at most.
    static let longestMagic = 6

    /// By a file's first bytes.
    init?(_ head: ArraySlice<UInt8>) {
        for compression in Compression.allCases where compression.magics.contains(where: { head.starts(with: $0) }) {
            self = compression
            return
        }
        return nil
    }

    /// RFC 1952, the .xz file format 1.1.0, RFC 8878. pzstd begins with a frame that is passed over.
    private var magics: [[UInt8]] {
        switch self {
        case .gzip: [[0x1F, 0x8B]]
        case .xz: [[0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]]
        case .zstd: [[0x28, 0xB5, 0x2F, 0xFD], [0x50, 0x2A, 0x4D, 0x18]]
        }
    }

    package var program: String { rawValue }

    package var library: String {
        switch self {
        case .gzip: "zlib"
        case .xz: "liblzma"
        case .zstd: "libzstd"
        }
    }

    /// Whether this build has the library.
    package var isRead: Bool {
        switch self {
        case .gzip:
            #if ZLIB
                true
            #else
                false
            #endif
        case .xz:
            #if LZMA
                true
            #else
                false
            #endif
        case .zstd:
            #if ZSTD
                true
            #else
                false
            #endif
        }
    }

    /// Nil where this build lacks the library.
    func decompressor() -> (any Decompressor)? {
        switch self {
        case .gzip:
            #if ZLIB
                return GzipDecompressor()
            #else
                return nil
            #endif
        case .xz:
            #if LZMA
                return XzDecompressor()
            #else
                return nil
            #endif
        case .zstd:
            #if ZSTD
                return ZstdDecompressor()
            #else
                return nil
            #endif
        }
    }
}

/// Unpacks a stream, piece by piece and in constant memory: however much a few bytes unpack to, it comes in portions.
protocol Decompressor: AnyObject {
    /// Unpacks some of `input`, from `position` to `end`, into `output`, and moves `position` behind what it took. All is
    /// taken and told once a portion does not fill the output.
    func unpack(
        _ input: [UInt8], at position: inout Int, end: Int, into output: inout [UInt8]
    ) -> DecompressedPortion

    /// No input follows: whether the data was whole.
    func finish() -> Bool
}

struct DecompressedPortion {
    /// Bytes of output.
    var count = 0
    /// Why nothing that follows can be unpacked; what was unpacked before it holds.
    var problem: String?
}
