internal import CBench
internal import Glibc

/// A weston without a screen, on a socket of its own in a folder of its own.
final class HeadlessWeston {
    private static let socket = "fingerwave-bench"

    private let folder: String
    private let process: ChildProcess

    /// What leads a client to it.
    var environment: [String: String] { ["XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": HeadlessWeston.socket] }

    init(_ path: String) throws(BenchError) {
        // SAFETY: the string is copied before anything may change the environment.
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? P_tmpdir
        var template = Array("\(parent)/fingerwave-bench-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw .system("no folder for weston's socket") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do throws(BenchError) {
            process = try ChildProcess(
                path,
                [
                    "--backend=headless-backend.so", "--no-config", "--idle-time=0", "--width=1920", "--height=1080",
                    "--socket=\(HeadlessWeston.socket)",
                ],
                environment: ["XDG_RUNTIME_DIR": folder])
            try waitForSocket()
        } catch {
            HeadlessWeston.remove(folder)
            throw error
        }
    }

    deinit {
        // It ends its own clients and removes its socket.
        process.send(SIGTERM)
        _ = process.readLines(milliseconds: 2000) { _ in false }
        process.end()
        HeadlessWeston.remove(folder)
    }

    /// Weston has its socket before its shell: a first client would wait for that one too.
    private func waitForSocket() throws(BenchError) {
        var lines: [String] = []
        let isReady = process.readLines(milliseconds: 10000) { line in
            lines.append(line)
            return line.contains("launching") && line.contains("desktop-shell")
        }
        guard isReady, unsafe access("\(folder)/\(HeadlessWeston.socket)", F_OK) == 0 else {
            throw BenchError("weston did not start: \(lines.last ?? "no word from it")")
        }
        _ = process.readLines(milliseconds: 500) { _ in false }
    }

    private static func remove(_ folder: String) {
        for name in [socket, "\(socket).lock"] { unsafe _ = unlink("\(folder)/\(name)") }
        unsafe _ = rmdir(folder)
    }
}
