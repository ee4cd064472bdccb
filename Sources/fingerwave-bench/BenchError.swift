internal import CBench
internal import Glibc

/// Why a benchmark does not run, ready to print.
struct BenchError: Error {
    var text: String

    init(_ text: String) { self.text = text }

    /// For a system call that has just failed.
    static func system(_ what: String) -> BenchError {
        let number = errno
        // SAFETY: the string is copied before the next call.
        return unsafe BenchError("\(what): \(String(cString: strerror(number)))")
    }
}
