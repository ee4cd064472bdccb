internal import CLibc

/// The terminal that the program was started from, if any.
///
/// SIGHUP means both that it is gone and, by the custom of daemons, that the configuration is to be read again. A
/// descriptor of a terminal that was hung up is no terminal any more.
struct Terminal {
    private let descriptors = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].filter { isatty($0) == 1 }

    var isGone: Bool { descriptors.contains { isatty($0) == 0 } }
}
