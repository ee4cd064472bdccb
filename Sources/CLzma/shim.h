// liblzma: unpacks recordings that xz packed.
#ifndef FW_LZMA_SHIM_H
#define FW_LZMA_SHIM_H
#include <lzma.h>

// LZMA_CONCATENATED is no constant that Swift sees: one stream may follow another.
static inline lzma_ret fw_lzma_begin(lzma_stream *stream, uint64_t most_memory) {
    return lzma_stream_decoder(stream, most_memory, LZMA_CONCATENATED);
}
#endif
