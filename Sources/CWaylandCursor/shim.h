// libwayland-cursor: cursor themes for compositors without cursor-shape-v1.
#include <wayland-cursor.h>
