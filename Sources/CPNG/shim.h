// libpng, by its simplified interface: the other one jumps out of functions with longjmp, which Swift must not cross.
#include <png.h>
#include <stddef.h>
#include <string.h>

// The name of 0xAARRGGBB in the machine's order, straight alpha.
static inline png_uint_32 fw_png_argb32(void) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return PNG_FORMAT_BGRA;
#else
    return PNG_FORMAT_ARGB;
#endif
}

static inline void fw_png_init(png_image *image) {
    memset(image, 0, sizeof *image);
    image->version = PNG_IMAGE_VERSION;
}

// The message is an array within the struct, which Swift would import as a tuple.
static inline const char *fw_png_message(const png_image *image) { return image->message; }

// Bytes that the file of an image can have at most.
static inline png_alloc_size_t fw_png_size_limit(const png_image *image) { return PNG_IMAGE_PNG_SIZE_MAX(*image); }
