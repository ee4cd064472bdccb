internal import CLibc
internal import WaylandProtocols
internal import WaylandServer
internal import WaylandServerProtocols

extension Stage {
    private var formats: [WlShm.Format] { [.argb8888, .xrgb8888] + options.extraFormats }

    func serve(_ shm: WlShmResource) {
        for format in formats { shm.sendFormat(format: format) }
        shm.onRequest = { [unowned self] request in
            guard case .createPool(let pool, let file, let size) = request else { return }
            guard size > 0 else {
                return refuse(shm, code: WlShm.Error.invalidStride.rawValue, "a pool of \(size) bytes")
            }
            guard let descriptor = file.take() else { return }
            var facts = stat()
            guard unsafe fstat(descriptor, &facts) == 0, facts.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG) else {
                close(descriptor)
                return refuse(shm, code: WlShm.Error.invalidFd.rawValue, "the pool's descriptor is no file")
            }
            let memory = StagePool(descriptor: descriptor, size: size)
            guard memory.fileSize >= Int(size) else {
                return refuse(
                    shm, code: WlShm.Error.invalidFd.rawValue, "a pool of \(size) bytes on a file of \(memory.fileSize)"
                )
            }
            serve(pool, memory)
        }
    }

    private func serve(_ resource: WlShmPoolResource, _ pool: StagePool) {
        resource.onRequest = { [unowned self] request in
            switch request {
            case .createBuffer(let buffer, let offset, let width, let height, let stride, let format):
                guard formats.contains(format), let bytes = format.bytesPerPixel else {
                    return refuse(
                        resource, code: WlShm.Error.invalidFormat.rawValue,
                        "format \(format.rawValue) was not announced")
                }
                let end = Int64(offset) + Int64(stride) * Int64(height)
                guard width > 0, height > 0, offset >= 0, Int64(stride) >= Int64(width) * Int64(bytes), end <= pool.size
                else {
                    return refuse(
                        resource, code: WlShm.Error.invalidStride.rawValue,
                        "a buffer of \(width)x\(height) with stride \(stride) at \(offset) in a pool of \(pool.size)")
                }
                add(
                    StageBuffer(
                        stage: self, buffer, pool: pool, offset: offset, width: width, height: height, stride: stride,
                        format: format))
            case .resize(let size):
                guard size >= pool.size else {
                    return refuse(
                        resource, code: WlShm.Error.invalidFd.rawValue, "a pool of \(pool.size) bytes shrunk to \(size)"
                    )
                }
                guard pool.fileSize >= Int(size) else {
                    return refuse(
                        resource, code: WlShm.Error.invalidFd.rawValue,
                        "a pool grown to \(size) bytes on a file of \(pool.fileSize)")
                }
                pool.grow(to: size)
            default: break
            }
        }
    }
}
