internal import CLibc
internal import CLinuxShims

/// The app, as our child.
struct ChildProgram {
    let process: pid_t

    /// Starts `words` with `variables` set in its environment, and without those that are nil. It inherits the standard
    /// descriptors and no other of ours, and the signals' defaults.
    static func start(_ words: [String], variables: [(name: String, value: String?)]) throws(Failure) -> ChildProgram {
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // The loop has its signals blocked and a broken pipe and a file's bound ignored: the app is none the wiser.
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe posix_spawnattr_setsigmask(&attributes, &set)
        unsafe sigaddset(&set, SIGPIPE)
        unsafe sigaddset(&set, SIGXFSZ)
        unsafe posix_spawnattr_setsigdefault(&attributes, &set)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        var environment = unsafe environment(changing: variables).map { unsafe strdup($0) } + [nil]
        defer {
            for index in unsafe arguments.indices { unsafe free(arguments[index]) }
            for index in unsafe environment.indices { unsafe free(environment[index]) }
        }
        var process: pid_t = 0
        let error = unsafe posix_spawnp(&process, words[0], nil, &attributes, &arguments, &environment)
        guard error == 0 else {
            // SAFETY: strerror's text is copied before the next call.
            let why = unsafe String(cString: strerror(error))
            throw Failure("cannot start \(named(words[0]))", why: why, remedy: remedy(error, words[0]), code: .usage)
        }
        return ChildProgram(process: process)
    }

    private static func remedy(_ error: Int32, _ word: String) -> String {
        let isThere = unsafe word.utf8.contains(UInt8(ascii: "/")) && access(word, F_OK) == 0
        return switch error {
        case ENOENT where isThere: "what its first line (#!) names is missing"
        case ENOENT: "install it, or give the path to it"
        case ENOEXEC: "it is no program; a script begins with #! and what runs it"
        // A folder of PATH that may not be searched hides that nothing is there.
        case EACCES where !word.utf8.contains(UInt8(ascii: "/")):
            "give the path to it, or leave out of PATH what may not be searched"
        default: "name a program that may be run"
        }
    }

    private static func environment(changing variables: [(name: String, value: String?)]) -> [String] {
        var entries: [String] = []
        var entry = unsafe fw_environ()
        while let text = unsafe entry?.pointee {
            let line = unsafe String(cString: text)
            let isChanged = variables.contains { line.utf8.starts(with: ($0.name + "=").utf8) }
            if !isChanged { entries.append(line) }
            unsafe entry = entry?.advanced(by: 1)
        }
        for case (let name, let value?) in variables { entries.append("\(name)=\(value)") }
        return entries
    }

    /// Takes note of those of our children that have ended.
    ///
    /// - Returns: the app's status as a shell would call it, when it is one of them; and whether no child is left, what the
    ///   app has left behind included (``fw_adopt_orphans()``).
    func reap() -> (status: Int32?, isAlone: Bool) {
        var appStatus: Int32?
        while true {
            var status: Int32 = 0
            let ended = unsafe waitpid(-1, &status, WNOHANG)
            if ended == process { appStatus = fw_exit_code(status) }
            if ended <= 0 { return (appStatus, ended < 0 && fw_errno() == ECHILD) }
        }
    }

    func send(_ signal: Int32) { _ = kill(process, signal) }

    /// Whether a terminal's signals go to both of us.
    var isInOurGroup: Bool { getpgid(process) == getpgrp() }
}
