internal import CBench
internal import Glibc

/// What the figures depend on.
struct Machine: Encodable {
    let type = "machine"
    var processor: String
    var cores: Int
    var architecture: String
    var kernel: String
    /// Of the last minute. Above the number of cores less one, others were measured too.
    var load: Double
    var isOptimized: Bool

    static var current: Machine {
        var facts = utsname()
        unsafe _ = uname(&facts)
        var load = 0.0
        unsafe _ = getloadavg(&load, 1)
        #if DEBUG
            let isOptimized = false
        #else
            let isOptimized = true
        #endif
        return Machine(
            processor: processor ?? "unknown processor", cores: sysconf(Int32(_SC_NPROCESSORS_ONLN)),
            architecture: text(of: &facts.machine),
            kernel: "\(text(of: &facts.sysname)) \(text(of: &facts.release))",
            load: (load * 100).rounded() / 100, isOptimized: isOptimized)
    }

    private enum CodingKeys: String, CodingKey {
        case type, processor, cores, architecture, kernel, load
        case isOptimized = "optimized"
    }

    /// x86's "model name"; Arm's kernel says at most what board it is.
    private static var processor: String? {
        guard let text = try? TextFile.read("/proc/cpuinfo") else { return nil }
        for key in ["model name", "Model", "Hardware", "uarch"] {
            for line in text.split(separator: "\n") where line.hasPrefix(key) {
                guard let colon = line.firstIndex(of: ":") else { continue }
                let value = line[line.index(after: colon)...].drop { $0 == " " }
                if !value.isEmpty { return String(value) }
            }
        }
        return nil
    }

    /// utsname's arrays of characters, which Swift sees as tuples.
    private static func text<T>(of field: inout T) -> String {
        // SAFETY: the kernel ends each field with a NUL; copied here.
        unsafe withUnsafeBytes(of: &field) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

/// Files of /proc, whose size is not known before.
enum TextFile {
    static func read(_ path: String) throws(BenchError) -> String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("cannot open \(path)") }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system("cannot read \(path)") }
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk[..<count]
        }
    }
}
