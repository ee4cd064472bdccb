// pixman, with the function-like macros that Swift cannot import as functions.
#include <pixman.h>
#include <stdlib.h>

static inline pixman_fixed_t fw_pixman_double_to_fixed(double value) { return pixman_double_to_fixed(value); }

/// Makes what is drawn from the image a mean of its pixels where it is reduced, `scale` of them for one.
static inline void fw_pixman_set_scaling_filter(pixman_image_t *image, double scale) {
    pixman_fixed_t step = pixman_double_to_fixed(scale > 1 ? scale : 1);
    int count = 0;
    pixman_fixed_t *values = pixman_filter_create_separable_convolution(
        &count, step, step, PIXMAN_KERNEL_LINEAR, PIXMAN_KERNEL_LINEAR, PIXMAN_KERNEL_BOX, PIXMAN_KERNEL_BOX, 4, 4);
    if (values) pixman_image_set_filter(image, PIXMAN_FILTER_SEPARABLE_CONVOLUTION, values, count);
    free(values);
}
