internal import CLibc
internal import Recording

/// The line that every file of a recording begins with.
enum RecordingHeader {
    /// - Parameters:
    ///   - source: `wayland`, `libinput` or `lines`.
    ///   - unix: μs since 1970, UTC.
    ///   - monotonic: CLOCK_MONOTONIC's μs at the same moment, which `arrival_us` is reckoned by.
    static func line(source: String, unix: Int64, monotonic: Int64) -> String {
        var line = JSONLine(type: "header")
        line.add("version", TouchLine.version)
        line.add("program", "fingerwave \(Help.version)")
        line.add("source", source)
        line.add("time", utc(unix))
        line.add("unix_us", unix)
        line.add("monotonic_us", monotonic)
        return line.line
    }

    /// Where a recording that is played begins again: its log is one recording.
    static var restart: TouchLine? {
        var line = JSONLine(type: "header")
        line.add("version", TouchLine.version)
        line.add("program", "fingerwave \(Help.version)")
        line.add("source", "replay")
        return try? TouchLine(line.line)
    }

    /// What a file begins with, without the lines that say that a recording begins.
    static func facts(of header: String) -> String {
        var text = ""
        for line in header.split(separator: "\n") where !line.utf8.starts(with: "{\"type\":\"header\"".utf8) {
            text += line + "\n"
        }
        return text
    }

    /// Of this moment.
    static func now(source: String) -> String {
        line(source: source, unix: microseconds(CLOCK_REALTIME), monotonic: microseconds(CLOCK_MONOTONIC))
    }

    private static func microseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    /// As ISO 8601 has it, to the ms.
    static func utc(_ microseconds: Int64) -> String {
        var seconds = time_t(microseconds / 1_000_000)
        var parts = unsafe tm()
        unsafe _ = gmtime_r(&seconds, &parts)
        // SAFETY: whole numbers; tm is unsafe for the name of the zone alone.
        let numbers = unsafe [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday].map { Int($0) }
        let hours = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { Int($0) }
        let date = numbers.map { padded($0, $0 > 99 ? 4 : 2) }.joined(separator: "-")
        let time = hours.map { padded($0, 2) }.joined(separator: ":")
        return date + "T" + time + "." + padded(Int(microseconds % 1_000_000 / 1000), 3) + "Z"
    }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
