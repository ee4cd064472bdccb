internal import PNGFiles

/// Why a picture could not be read or written.
public struct PictureError: Error, Equatable, Sendable, CustomStringConvertible {
    public var path: String
    /// libpng's words.
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
        do throws(PNGError) {
            try PNGPicture(width: width, height: height, pixels: pixels).write(path: path)
        } catch {
            throw PictureError(path: path, reason: error.reason)
        }
    }
}
