internal import CLibc
internal import CPixman
internal import WaylandProtocols
public import WaylandServerProtocols
internal import WaylandServer

/// A wl_buffer: pixels in a client's memory, or a single one.
public final class StageBuffer {
    public let resource: WlBufferResource
    /// Buffer px.
    public let width: Int32
    public let height: Int32
    /// From the commit until the release: the client must not touch it. It may destroy the object meanwhile, not the
    /// pixels.
    public private(set) var isHeld = false
    /// How many releases were sent.
    public private(set) var releaseCount = 0

    private unowned let stage: Stage
    private let storage: Storage
    /// The pixels at the commit, while held.
    private var committed: Picture?

    private enum Storage {
        case memory(StagePool, offset: Int32, stride: Int32, format: WlShm.Format)
        case pixel(UInt32)
    }

    init(
        stage: Stage, _ resource: WlBufferResource, pool: StagePool, offset: Int32, width: Int32, height: Int32,
        stride: Int32, format: WlShm.Format
    ) {
        self.stage = stage
        self.resource = resource
        self.width = width
        self.height = height
        storage = .memory(pool, offset: offset, stride: stride, format: format)
        watch()
    }

    init(stage: Stage, _ resource: WlBufferResource, pixel: UInt32) {
        self.stage = stage
        self.resource = resource
        width = 1
        height = 1
        storage = .pixel(pixel)
        watch()
    }

    private func watch() {
        resource.onDestroy = { [unowned self] in
            stage.bufferOf[ObjectIdentifier(resource)] = nil
            stage.prune()
        }
    }

    /// The pixels now. What the client's file does not hold is transparent.
    public func read() -> Picture {
        switch storage {
        case .pixel(let pixel): Picture(width: 1, height: 1, fill: pixel)
        case .memory(let pool, let offset, let stride, let format):
            pool.read(offset: offset, width: width, height: height, stride: stride, format: format)
        }
    }

    /// Notes the commit, and returns the pixels that it shows.
    func hold() -> Picture {
        isHeld = true
        let picture = read()
        committed = picture
        return picture
    }

    /// Gives the buffer back to the client, after a last look at its pixels. Does nothing when it is not held.
    public func release() {
        guard isHeld else { return }
        check()
        isHeld = false
        committed = nil
        releaseCount += 1
        resource.sendRelease()
        stage.prune()
    }

    /// Whether somebody wrote since the commit; each change is noted once.
    func check() {
        guard isHeld, let committed, case .memory = storage else { return }
        let picture = read()
        guard picture != committed, let bounds = picture.boundsOfDifferences(committed) else { return }
        self.committed = picture
        stage.note(
            Violation(
                kind: .heldBufferWritten, interface: "wl_buffer", objectID: resource.objectID,
                text: "pixels of the \(width)x\(height) buffer changed between commit and release, within "
                    + "\(bounds.width)x\(bounds.height) px at (\(bounds.x), \(bounds.y))"))
    }
}

/// A wl_shm_pool's file. It is read with pread, never mapped: a client that shortens its file cannot end the stage.
final class StagePool {
    private let descriptor: Int32
    private(set) var size: Int32

    /// Takes the descriptor over.
    init(descriptor: Int32, size: Int32) {
        self.descriptor = descriptor
        self.size = size
    }

    deinit { close(descriptor) }

    func grow(to size: Int32) { self.size = max(self.size, size) }

    /// The file's own size, in bytes.
    var fileSize: Int {
        var facts = stat()
        return unsafe fstat(descriptor, &facts) == 0 ? Int(facts.st_size) : 0
    }

    func read(offset: Int32, width: Int32, height: Int32, stride: Int32, format: WlShm.Format) -> Picture {
        // pixman wants rows of whole words.
        let words = (Int(stride) + 3) / 4
        var raw = [UInt32](repeating: 0, count: words * Int(height))
        // SAFETY: each read is of at most one row, or of all rows where they lie side by side in both.
        unsafe raw.withUnsafeMutableBytes { bytes in
            if stride % 4 == 0 {
                // The last row may end with its last pixel, and the pool with it.
                let length = min(bytes.count, Int(size) - Int(offset))
                unsafe fill(bytes.baseAddress!, length, Int(offset))
            } else {
                for y in 0..<Int(height) {
                    let start = Int(offset) + y * Int(stride)
                    unsafe fill(bytes.baseAddress! + y * words * 4, min(Int(stride), Int(size) - start), start)
                }
            }
        }
        return Picture(raw, stride: words * 4, width: Int(width), height: Int(height), format: format)
    }

    private func fill(_ target: UnsafeMutableRawPointer, _ length: Int, _ offset: Int) {
        var done = 0
        while done < length {
            let count = unsafe pread(descriptor, target + done, length - done, off_t(offset + done))
            if count < 0, fw_errno() == EINTR { continue }
            if count <= 0 { return }
            done += count
        }
    }
}

extension WlShm.Format {
    /// pixman's name and the bytes of a pixel; nil for what the stage does not read.
    fileprivate var facts: (format: pixman_format_code_t, bytes: Int32)? {
        switch self {
        case .argb8888: (PIXMAN_a8r8g8b8, 4)
        case .xrgb8888: (PIXMAN_x8r8g8b8, 4)
        case .abgr8888: (PIXMAN_a8b8g8r8, 4)
        case .xbgr8888: (PIXMAN_x8b8g8r8, 4)
        case .rgb565: (PIXMAN_r5g6b5, 2)
        default: nil
        }
    }

    var bytesPerPixel: Int32? { facts?.bytes }
}

extension Picture {
    fileprivate init(_ raw: [UInt32], stride: Int, width: Int, height: Int, format: WlShm.Format) {
        // pixman counts in 16 bits.
        guard let facts = format.facts, width <= 32767, height <= 32767 else {
            self.init(width: width, height: height)
            return
        }
        if format == .argb8888, stride == width * 4 {
            self.init(width: width, height: height, pixels: raw)
            return
        }
        var pixels = [UInt32](repeating: 0, count: width * height)
        // SAFETY: `raw` has `height` rows of `stride` bytes; both images end before the arrays' pointers do.
        unsafe raw.withUnsafeBufferPointer { from in
            unsafe pixels.withUnsafeMutableBufferPointer { onto in
                let image = unsafe pixman_image_create_bits(
                    facts.format, Int32(width), Int32(height), UnsafeMutablePointer(mutating: from.baseAddress),
                    Int32(stride))
                let canvas = unsafe pixman_image_create_bits(
                    PIXMAN_a8r8g8b8, Int32(width), Int32(height), onto.baseAddress, Int32(width * 4))
                unsafe pixman_image_composite32(
                    PIXMAN_OP_SRC, image, nil, canvas, 0, 0, 0, 0, 0, 0, Int32(width), Int32(height))
                unsafe pixman_image_unref(image)
                unsafe pixman_image_unref(canvas)
            }
        }
        self.init(width: width, height: height, pixels: pixels)
    }
}
