// libinih: reads lines of ini files.
#include <ini.h>
