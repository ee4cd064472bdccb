// libwayland-server: the core API only. The protocol header is generated C and never used here.
#include <wayland-util.h>
#include <wayland-server-core.h>
