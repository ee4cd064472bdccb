internal import CLibc
package import Pixman

/// Why a frame could not be drawn.
package enum PresentationError: Error, Equatable {
    /// The system gave no memory to share: which call failed, for how many bytes, and errno.
    case sharedMemory(call: Call, byteCount: Int, errno: Int32)
    /// No wl_shm buffer can be that large: its bytes are counted in 31 bits.
    case bufferTooLarge(PixelSize)
    /// No number is left for another object of ours on the connection.
    case outOfObjects

    package enum Call: Equatable {
        case memfdCreate
        case ftruncate
        case seal
        case mmap
    }
}

extension PresentationError: CustomStringConvertible {
    /// What failed, why and what to do, in one line without a final stop.
    package var description: String {
        switch self {
        case .sharedMemory(let call, let byteCount, let errno):
            "no memory of \(byteCount) bytes for a window buffer: \(call.name): \(text(of: errno));"
                + " free memory or descriptors, or make the window smaller"
        case .bufferTooLarge(let size):
            "no window buffer can have \(size.width)x\(size.height) pixels: wl_shm counts bytes in 31 bits;"
                + " make the window or the scale smaller"
        case .outOfObjects: "no number is left for another object on the connection"
        }
    }
}

extension PresentationError.Call {
    fileprivate var name: String {
        switch self {
        case .memfdCreate: "memfd_create"
        case .ftruncate: "ftruncate"
        case .seal: "fcntl(F_ADD_SEALS)"
        case .mmap: "mmap"
        }
    }
}

private func text(of errno: Int32) -> String {
    // SAFETY: copied before another call may change it.
    unsafe String(cString: strerror(errno))
}
