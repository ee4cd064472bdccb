internal import CLibc
internal import PNGFiles

/// Why a picture could not be read or written.
public struct PictureError: Error, Equatable, Sendable, CustomStringConvertible {
    public var path: String
    /// libpng's words, or the system's.
    public var reason: String

    public var description: String { "\(path): \(reason)" }
}

extension Picture {
    /// Reads a PNG file of any kind.
    public init(png path: String) throws(PictureError) {
        do throws(PNGError) {
            let picture = try PNGPicture(path: path)
            self.init(width: picture.width, height: picture.height, pixels: picture.pixels)
        } catch {
            throw PictureError(path: path, reason: error.reason)
        }
    }

    /// Writes a PNG file with straight alpha, as the format has it. An opaque picture is read back as it was; of a
    /// translucent one the colours may differ by the rounding of the division.
    public func write(png path: String) throws(PictureError) {
        let bytes: [UInt8]
        do throws(PNGError) {
            bytes = try PNGPicture(width: width, height: height, pixels: pixels).encoded()
        } catch {
            throw PictureError(path: path, reason: error.reason)
        }
        // Not by libpng: it removes what it cannot write to, a device too.
        guard let file = unsafe fopen(path, "we") else { throw Picture.failure(path) }
        // SAFETY: the array lives through the call.
        let count = unsafe bytes.withUnsafeBytes { unsafe fwrite($0.baseAddress, 1, $0.count, file) }
        let failure = Picture.failure(path)
        let isWhole = unsafe fclose(file) == 0 && count == bytes.count
        guard isWhole else { throw count == bytes.count ? Picture.failure(path) : failure }
    }

    private static func failure(_ path: String) -> PictureError {
        // SAFETY: strerror returns a NUL-terminated string, copied before any other call.
        PictureError(path: path, reason: unsafe String(cString: strerror(fw_errno())))
    }
}
