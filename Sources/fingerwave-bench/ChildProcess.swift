internal import CBench
internal import Glibc

/// A program that was started here. It does not outlive this object.
final class ChildProcess {
    let id: pid_t
    /// Its standard output and error, to be read.
    private let output: Int32
    /// Its standard input, to be written; -1 without one.
    private var input: Int32 = -1
    private var hasEnded = false
    private var pending: [UInt8] = []

    /// `environment` comes on top of this process's own.
    init(
        _ path: String, _ arguments: [String], environment: [String: String], takesInput: Bool = false
    ) throws(BenchError) {
        let ends = try ChildProcess.pipe()
        let inputEnds = takesInput ? try ChildProcess.pipe() : [-1, -1]
        output = ends[0]
        input = inputEnds[1]
        defer {
            close(ends[1])
            if takesInput { close(inputEnds[0]) }
        }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
        if takesInput {
            unsafe _ = posix_spawn_file_actions_adddup2(&actions, inputEnds[0], STDIN_FILENO)
        } else {
            unsafe _ = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        unsafe _ = posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        unsafe _ = posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)
        var argumentPointers = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        var variables = unsafe ChildProcess.environment(overridden: environment).map { unsafe strdup($0) } + [nil]
        defer {
            unsafe argumentPointers.forEach { unsafe free($0) }
            unsafe variables.forEach { unsafe free($0) }
        }
        var id: pid_t = 0
        let status = unsafe posix_spawn(&id, path, &actions, nil, &argumentPointers, &variables)
        guard status == 0 else {
            close(output)
            if takesInput { close(inputEnds[1]) }
            errno = status
            throw .system("cannot start \(path)")
        }
        self.id = id
    }

    private static func pipe() throws(BenchError) -> [Int32] {
        var ends: [Int32] = [-1, -1]
        guard unsafe Glibc.pipe(&ends) == 0 else { throw .system("no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return ends
    }

    deinit {
        closeInput()
        end()
        close(output)
    }

    /// MB that were resident at most so far. What wait4 tells includes this process's own, from before the exec.
    func peakMemory() throws(BenchError) -> Double {
        for line in try TextFile.read("/proc/\(id)/status").split(separator: "\n") where line.hasPrefix("VmHWM:") {
            guard let kilobytes = Double(line.split { $0 == " " || $0 == "\t" }.dropFirst().first ?? "") else { break }
            return kilobytes * 1024 / 1e6
        }
        throw BenchError("the kernel does not tell how much memory it takes")
    }

    /// Waits for its own end. Seconds of the processor that it took, in the program and in the kernel for it; nil when it
    /// was no good end.
    func waitForEnd() -> Double? {
        if hasEnded { return nil }
        var status: Int32 = 0
        var usage = rusage()
        while unsafe wait4(id, &status, 0, &usage) < 0, errno == EINTR {}
        hasEnded = true
        guard status == 0 else { return nil }
        let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        let microseconds = Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
        return seconds + microseconds / 1e6
    }

    /// Writes to its input; false when it takes no more.
    func write(_ bytes: [UInt8]) -> Bool {
        var start = 0
        while start < bytes.count {
            // SAFETY: within the array's storage for the length of the call.
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(input, buffer.baseAddress! + start, bytes.count - start)
            }
            if count < 0, errno != EINTR { return false }
            start += max(0, count)
        }
        return true
    }

    func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    func send(_ signal: Int32) {
        if !hasEnded { kill(id, signal) }
    }

    /// Kills it, and waits until it has gone.
    func end() {
        if hasEnded { return }
        kill(id, SIGKILL)
        var status: Int32 = 0
        while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {}
        hasEnded = true
    }

    /// Reads lines until `isLast` says so of one. False when the program has closed its output, or after that many
    /// milliseconds.
    func readLines(milliseconds: Int, until isLast: (String) -> Bool) -> Bool {
        let clock = ContinuousClock()
        let deadline = clock.now + .milliseconds(milliseconds)
        var chunk = [UInt8](repeating: 0, count: 8192)
        while true {
            while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: pending[..<end], as: UTF8.self)
                pending.removeSubrange(...end)
                if isLast(line) { return true }
            }
            let rest = clock.now.duration(to: deadline).components
            let wait = rest.seconds * 1000 + rest.attoseconds / 1_000_000_000_000_000
            guard wait > 0 else { return false }
            var request = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&request, 1, Int32(wait)) > 0 else { continue }
            let count = unsafe read(output, &chunk, chunk.count)
            if count == 0 { return false }
            if count > 0 { pending += chunk[..<count] }
        }
    }

    private static func environment(overridden: [String: String]) -> [String] {
        // What would lead it to another compositor.
        let dropped = ["WAYLAND_SOCKET", "DISPLAY"]
        var lines: [String] = []
        var entry = unsafe environ
        // SAFETY: environ ends with a nil, and nobody changes it: this process has one thread.
        while let text = unsafe entry.pointee {
            let line = unsafe String(cString: text)
            let name = String(line.prefix { $0 != "=" })
            if overridden[name] == nil, !dropped.contains(name) { lines.append(line) }
            unsafe entry += 1
        }
        return lines + overridden.map { "\($0.key)=\($0.value)" }
    }

    /// The program's path when it is installed.
    static func find(_ name: String) -> String? {
        // SAFETY: the string is copied before anything may change the environment.
        let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/\(name)" }.first { unsafe access($0, X_OK) == 0 }
    }
}

/// This program's own file.
enum Executable {
    static var path: String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe readlink("/proc/self/exe", bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
    }

    /// Where a program of that name would be beside this one.
    static func sibling(_ name: String) -> String {
        path.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/\(name)"
    }
}
