// The bounds of drawing: touching each pixel of a shape once, with nothing to compute.
#include <stdint.h>
#include <string.h>

/// Pixels side by side: the first one's place in the picture, and how many.
struct fw_bench_span {
    int32_t first, count;
};

/// Sets all bytes of the pixels.
static inline void fw_bench_set(uint32_t *pixels, const struct fw_bench_span *spans, int32_t count, int value) {
    for (int32_t i = 0; i < count; i++) memset(pixels + spans[i].first, value, (size_t)spans[i].count * 4);
}

/// Reads, changes and writes the pixels.
static inline void fw_bench_change(
    uint32_t *pixels, const struct fw_bench_span *spans, int32_t count, uint32_t mask) {
    for (int32_t i = 0; i < count; i++) {
        uint32_t *first = pixels + spans[i].first;
        // Read once: for all the compiler knows a pixel could be a count, which would keep it from wide registers.
        int32_t length = spans[i].count;
        for (int32_t j = 0; j < length; j++) first[j] ^= mask;
    }
}
