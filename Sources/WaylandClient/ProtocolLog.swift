internal import CWaylandClient

/// libwayland's log, which alone carries the text of a protocol error.
enum ProtocolLog {
    static func install() { fw_log_install() }

    static func clear() { unsafe fw_log_buffer()[0] = 0 }

    /// The newest line that libwayland logged on this thread, without its line end.
    static var lastLine: String {
        // SAFETY: a thread-local array that the shim keeps NUL-terminated; copied here.
        var line = unsafe String(cString: fw_log_buffer())
        while line.utf8.last == UInt8(ascii: "\n") { line.removeLast() }
        return line
    }

    /// The compositor's words in "wl_surface@3: error 4: words"; the whole line when it has another form.
    static var protocolErrorText: String {
        let line = Array(lastLine.utf8)
        let mark = Array("error ".utf8)
        var start = 0
        while start + mark.count <= line.count {
            if Array(line[start..<start + mark.count]) == mark {
                var end = start + mark.count
                while end < line.count, (0x30...0x39).contains(line[end]) || line[end] == UInt8(ascii: "-") { end += 1 }
                if end + 1 < line.count, line[end] == UInt8(ascii: ":"), line[end + 1] == UInt8(ascii: " ") {
                    return String(decoding: line[(end + 2)...], as: UTF8.self)
                }
            }
            start += 1
        }
        return lastLine
    }
}
