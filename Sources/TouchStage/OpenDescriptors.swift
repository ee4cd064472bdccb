internal import CLibc

/// The descriptors that this process, or another of the same user, has open: to find those that leak.
///
/// Numbers and counts of a whole process say little while tests run beside each other; ``count(sameFileAs:)`` asks after
/// one file, and no other test's descriptors disturb it.
public struct OpenDescriptors: Equatable, Sendable {
    /// What /proc says each descriptor refers to, such as `/memfd:pool (deleted)` or `socket:[4711]`.
    public var targets: [Int32: String]

    /// Reads /proc now. Empty where there is no /proc, or for a process of another user.
    public init(process: Int32? = nil) {
        targets = [:]
        let folder = "/proc/\(process.map(String.init) ?? "self")/fd"
        guard let directory = unsafe opendir(folder) else { return }
        let own = unsafe dirfd(directory)
        while let entry = unsafe readdir(directory) {
            // SAFETY: d_name is NUL-terminated; the entry stays until the next readdir.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            guard let number = Int32(name), process != nil || number != own else { continue }
            var link = [UInt8](repeating: 0, count: 4096)
            let length = unsafe link.withUnsafeMutableBytes { bytes in
                unsafe readlink(
                    "\(folder)/\(name)", bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count)
            }
            if length >= 0 { targets[number] = String(decoding: link[..<length], as: UTF8.self) }
        }
        unsafe closedir(directory)
    }

    /// What is open here and was not in `earlier`.
    public func opened(since earlier: OpenDescriptors) -> [Int32: String] {
        targets.filter { earlier.targets[$0.key] != $0.value }
    }

    /// How many descriptors of this process refer to the very file that `descriptor` does, itself included.
    public static func count(sameFileAs descriptor: Int32) -> Int {
        var wanted = stat()
        guard unsafe fstat(descriptor, &wanted) == 0 else { return 0 }
        return OpenDescriptors().targets.keys.count { number in
            var found = stat()
            return unsafe fstat(number, &found) == 0 && found.st_dev == wanted.st_dev && found.st_ino == wanted.st_ino
        }
    }
}
