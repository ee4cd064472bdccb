// zlib: unpacks recordings that gzip packed.
#ifndef FW_ZLIB_SHIM_H
#define FW_ZLIB_SHIM_H
#define ZLIB_CONST
#include <zlib.h>

// inflateInit2 is a macro. 16 above the largest window: gzip's header and trailer, and no other's.
static inline int fw_inflate_begin(z_stream *stream) { return inflateInit2(stream, 16 + MAX_WBITS); }
#endif
