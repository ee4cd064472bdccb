internal import CBench
internal import Glibc

/// Watches a client's protocol log (WAYLAND_DEBUG, which libwayland writes for every client alike) for its first frame:
/// the first commit of a surface that has got a buffer.
struct FirstFrame {
    private var attached: Set<String> = []

    /// True for the line that says so.
    mutating func isCommit(_ line: String) -> Bool {
        // "[3402923.015]  -> wl_surface@3.attach(wl_buffer@10, 0, 0)"; newer ones have '#' for '@', and queues' names.
        guard let arrow = line.range(ofText: "-> wl_surface") else { return false }
        let request = line[arrow.upperBound...]
        guard let dot = request.firstIndex(of: ".") else { return false }
        let surface = String(request[..<dot])
        if request[dot...].hasPrefix(".attach("), !request[dot...].hasPrefix(".attach(nil") { attached.insert(surface) }
        return request[dot...].hasPrefix(".commit(") && attached.contains(surface)
    }

    /// The line's stamp in microseconds: of the real-time clock, modulo 2 to the 32.
    static func stamp(of line: String) -> UInt32? {
        guard let open = line.firstIndex(of: "["), let close = line.firstIndex(of: "]"), open < close else {
            return nil
        }
        let parts = line[line.index(after: open)..<close].drop { $0 == " " }.split(separator: ".")
        guard parts.count == 2, let milliseconds = UInt32(parts[0]), let rest = UInt32(parts[1]) else { return nil }
        return milliseconds &* 1000 &+ rest
    }

    /// The present as such a stamp.
    static var now: UInt32 {
        var time = timespec()
        unsafe _ = clock_gettime(CLOCK_REALTIME, &time)
        return UInt32(truncatingIfNeeded: time.tv_sec &* 1_000_000 &+ time.tv_nsec / 1000)
    }
}

extension String {
    fileprivate func range(ofText text: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}

/// What a process has in memory, in bytes.
struct ProcessMemory {
    /// All its pages that are in memory.
    var resident: Double
    /// The same, pages shared with other processes divided by their number.
    var proportional: Double
    /// `proportional` without shared memory, which is mostly the window's buffers; nil on kernels that do not tell.
    var own: Double?

    init(of id: pid_t) throws(BenchError) {
        let path = "/proc/\(id)/smaps_rollup"
        var sizes: [Substring: Double] = [:]
        for line in try TextFile.read(path).split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 3, words[2] == "kB", let size = Double(words[1]) { sizes[words[0]] = size * 1024 }
        }
        guard let resident = sizes["Rss:"], let proportional = sizes["Pss:"] else {
            throw BenchError("\(path) has no Rss and Pss")
        }
        self.resident = resident
        self.proportional = proportional
        own = sizes["Pss_Shmem:"].map { proportional - $0 }
    }
}
