// libwebp and libwebpmux: animated pictures.
#include <webp/encode.h>
#include <webp/mux.h>
