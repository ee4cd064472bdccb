import Foundation

/// How many descriptors this process may have. Sets the limit to `count`, or to what it was.
enum DescriptorLimit {
    static func read() -> UInt {
        var limit = rlimit()
        precondition(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        return UInt(limit.rlim_cur)
    }

    static func set(_ count: UInt) {
        var limit = rlimit()
        precondition(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        limit.rlim_cur = rlim_t(count)
        precondition(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
    }
}
