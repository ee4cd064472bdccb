import CLibc
import CLinuxShims

/// A program that was run to its end.
struct Finished {
    var status: Int32
    var output: String
    var errors: String

    struct StartError: Error {
        var number: Int32
    }

    /// Runs a program of this build in `folder`. It sees the variables given, PATH, and no others.
    init(_ name: String, _ arguments: [String], input: String, folder: String, environment: [String]) throws {
        let program = Finished.folder + "/\(name)"

        // Memory files rather than pipes: nothing has to be read while the program runs.
        let files = [fw_memfd("input"), fw_memfd("output"), fw_memfd("errors")]
        defer { for file in files { close(file) } }
        _ = input.withCString { write(files[0], $0, strlen($0)) }
        lseek(files[0], 0, SEEK_SET)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, file) in files.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, file, Int32(number))
        }
        // Another test's socket that this program had too would not be seen to end.
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        posix_spawn_file_actions_addchdir_np(&actions, folder)
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        var variables = (environment + ["PATH=\(path)"]).map { strdup($0) } + [nil]
        defer { for word in words + variables { free(word) } }
        var process: pid_t = 0
        // The tests' threads have signals blocked.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // Whoever runs the tests may have some ignored, as a script has in its background.
        var ignored = sigset_t()
        sigemptyset(&ignored)
        for number in [SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM] { sigaddset(&ignored, number) }
        posix_spawnattr_setsigdefault(&attributes, &ignored)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let error = posix_spawn(&process, program, &actions, &attributes, &words, &variables)
        guard error == 0 else { throw StartError(number: error) }
        var code: Int32 = 0
        while waitpid(process, &code, 0) < 0, fw_errno() == EINTR {}
        status = fw_exit_code(code)
        output = Finished.text(files[1])
        errors = Finished.text(files[2])
    }

    /// Where this build's programs are.
    static var folder: String {
        var link = [UInt8](repeating: 0, count: 4096)
        let length = link.withUnsafeMutableBytes { readlink("/proc/self/exe", $0.baseAddress!, $0.count) }
        let own = String(decoding: link[..<max(0, length)], as: UTF8.self)
        return own.split(separator: "/").dropLast().map { "/\($0)" }.joined()
    }

    private static func text(_ file: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 65536)
        let length = pread(file, &bytes, bytes.count, 0)
        return String(decoding: bytes[..<max(0, length)], as: UTF8.self)
    }
}
