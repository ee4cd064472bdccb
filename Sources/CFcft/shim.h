// fcft: fonts by fontconfig's names, and their glyphs as pixman images.
#include <fcft/fcft.h>
