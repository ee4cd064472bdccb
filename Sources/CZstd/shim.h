// libzstd: unpacks recordings that zstd packed.
#include <zstd.h>
