// pixman, with the function-like macros that Swift cannot import as functions.
#include <pixman.h>

static inline pixman_fixed_t fw_pixman_double_to_fixed(double value) { return pixman_double_to_fixed(value); }
