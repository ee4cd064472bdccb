internal import CLibc
internal import CLinuxShims

/// The program on the stage, in a process group of its own.
struct Child {
    let process: pid_t

    /// Starts it with the environment of now. Returns the error's number otherwise.
    static func start(_ words: [String], hasInput: Bool) -> Result<Child, SystemError> {
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer {
            unsafe posix_spawnattr_destroy(&attributes)
            unsafe posix_spawn_file_actions_destroy(&actions)
        }
        // The loop takes its signals from a descriptor and has them blocked: the program must not inherit that.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        if !hasInput { unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) }
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { for index in 0..<words.count { unsafe free(arguments[index]) } }
        var process: pid_t = 0
        let error = unsafe posix_spawnp(&process, words[0], &actions, &attributes, &arguments, fw_environ())
        return error == 0 ? .success(Child(process: process)) : .failure(SystemError(number: error))
    }

    /// The status as a shell would call it, once the program has ended; nil before.
    func poll() -> Int32? {
        var status: Int32 = 0
        return unsafe waitpid(process, &status, WNOHANG) == process ? fw_exit_code(status) : nil
    }

    /// Asks the program and what it started to end; insists after two seconds.
    func end() {
        kill(-process, SIGTERM)
        for _ in 0..<200 {
            if poll() != nil { return }
            usleep(10_000)
        }
        kill(-process, SIGKILL)
        _ = waitpid(process, nil, 0)
    }
}

struct SystemError: Error {
    var number: Int32

    var text: String {
        // SAFETY: strerror returns a NUL-terminated string, copied before any other call.
        unsafe String(cString: strerror(number))
    }
}

/// What somebody gave as a name, for a sentence: one that is empty is seen.
func named(_ text: String) -> String { text.isEmpty ? "\"\"" : text }

/// Writes a line to standard error, after the program's name. What a terminal would obey is shown as a question mark.
func complain(_ text: String) {
    var line = "touch-stage: "
    for scalar in text.unicodeScalars {
        line.unicodeScalars.append(scalar.properties.generalCategory == .control ? "?" : scalar)
    }
    line += "\n"
    unsafe fputs(line, fw_stderr())
}

/// Writes a line to standard output; false when that cannot be, which is said.
func say(_ text: String) -> Bool {
    if unsafe fputs(text + "\n", fw_stdout()) >= 0, unsafe fflush(fw_stdout()) == 0 { return true }
    complain("cannot write standard output: \(SystemError(number: fw_errno()).text); write it elsewhere")
    return false
}
