// Counts what this thread asks of the heap, in place of glibc's own entry points: those named below are what Swift's
// runtime and libwayland call. Definitions in the program come before libc's, and libc's stay reachable by other names.
#include <errno.h>
#include <stddef.h>
#include <stdint.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

// Weak, so that every object file that Swift emits it into shares one counter.
__attribute__((weak)) uint64_t *fw_bench_allocations(void) {
    static _Thread_local uint64_t count;
    return &count;
}

__attribute__((weak)) void *fw_bench_malloc(size_t size) __asm__("malloc");
__attribute__((weak)) void *fw_bench_malloc(size_t size) {
    ++*fw_bench_allocations();
    return __libc_malloc(size);
}

__attribute__((weak)) void *fw_bench_calloc(size_t count, size_t size) __asm__("calloc");
__attribute__((weak)) void *fw_bench_calloc(size_t count, size_t size) {
    ++*fw_bench_allocations();
    return __libc_calloc(count, size);
}

__attribute__((weak)) void *fw_bench_realloc(void *block, size_t size) __asm__("realloc");
__attribute__((weak)) void *fw_bench_realloc(void *block, size_t size) {
    ++*fw_bench_allocations();
    return __libc_realloc(block, size);
}

__attribute__((weak)) int fw_bench_memalign(void **block, size_t alignment, size_t size) __asm__("posix_memalign");
__attribute__((weak)) int fw_bench_memalign(void **block, size_t alignment, size_t size) {
    ++*fw_bench_allocations();
    void *allocated = __libc_memalign(alignment, size);
    if (!allocated) return ENOMEM;
    *block = allocated;
    return 0;
}
