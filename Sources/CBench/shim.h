// What the benchmarks compare with: a client written in C as libwayland's own headers and tutorials have it, plain
// loops over pixels, and a relay; and a count of allocations. Only for fingerwave-bench.
#include "allocations.h"
#include "client.h"
#include "pixels.h"
#include "relay.h"
