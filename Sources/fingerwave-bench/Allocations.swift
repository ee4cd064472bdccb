internal import CBench
internal import Glibc

/// What this thread asks of the heap.
enum Allocations {
    static var count: UInt64 {
        // SAFETY: one number of this thread, which lives as long as the thread.
        unsafe fw_bench_allocations().pointee
    }

    /// Whether the counting functions have taken the place of libc's, for Swift's runtime as for C libraries. Naming
    /// them here is what links them.
    static let areCounted: Bool = {
        var block = unsafe fw_bench_malloc(16)
        unsafe free(block)
        if unsafe fw_bench_memalign(&block, 16, 16) == 0 { unsafe free(block) }
        unsafe free(fw_bench_realloc(fw_bench_calloc(1, 16), 64))
        let before = count
        // Of Swift's runtime, and of libc itself; compilers leave out a strdup that nobody uses.
        unsafe UnsafeMutableRawPointer.allocate(byteCount: 24, alignment: 8).deallocate()
        let afterOne = count
        unsafe free(realpath("/", nil))
        return afterOne > before && count > afterOne
    }()
}
