import CLibc
import Pixman
import TouchStage

/// Compares with a picture in Golden. FINGERWAVE_UPDATE_GOLDEN=1 writes it anew; look at it before you commit it.
func isGolden(_ name: String, _ image: Image) throws -> Bool {
    let folder = #filePath.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/Golden"
    let path = "\(folder)/\(name).png"
    let drawn = Picture(width: Int(image.size.width), height: Int(image.size.height), pixels: image.allPixels)
    if getenv("FINGERWAVE_UPDATE_GOLDEN") != nil { try drawn.write(png: path) }
    return try Picture(png: path) == drawn
}

extension Image {
    var allPixels: [UInt32] { withPixels { pixels in pixels.indices.map { pixels[$0] } } }
}
