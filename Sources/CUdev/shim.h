// libudev: what the system knows of its devices, and their coming and going.
#include <libudev.h>
