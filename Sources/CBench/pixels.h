// The bounds of drawing: touching each pixel of a disc once, with nothing to compute.
#include <math.h>
#include <stdint.h>
#include <string.h>

/// The pixels of row `y` whose centres lie in the disc: from `*left`, as many as returned.
static inline int fw_bench_span(double x, double y, double radius, int row, int *left) {
    double above = row + 0.5 - y;
    double square = radius * radius - above * above;
    if (square <= 0) return 0;
    double half = sqrt(square);
    *left = (int)ceil(x - half - 0.5);
    return (int)ceil(x + half - 0.5) - *left;
}

/// Sets all bytes of the disc's pixels, row by row.
static inline void fw_bench_set(uint32_t *pixels, int stride, double x, double y, double radius, int value) {
    for (int row = (int)(y - radius), left = 0; row <= (int)(y + radius); row++) {
        int count = fw_bench_span(x, y, radius, row, &left);
        if (count > 0) memset(pixels + (long)row * stride + left, value, (unsigned long)count * 4);
    }
}

/// Reads, changes and writes the disc's pixels.
static inline void fw_bench_change(uint32_t *pixels, int stride, double x, double y, double radius, uint32_t mask) {
    for (int row = (int)(y - radius), left = 0; row <= (int)(y + radius); row++) {
        int count = fw_bench_span(x, y, radius, row, &left);
        uint32_t *first = pixels + (long)row * stride + left;
        for (int i = 0; i < count; i++) first[i] ^= mask;
    }
}
