// libyaml: reads recordings of libinput record.
#include <yaml.h>
