"""What a screenshot shows: marks and waves as the pixels that differ from the picture of the untouched window."""
from PIL import Image, ImageChops

NOISE = 3       # a channel may differ by so much and still be the ground (a GPU's rounding)


class Shot:
    """A screenshot; places and lengths are logical, whatever the resolution of the picture."""

    def __init__(self, path, logical):
        with Image.open(path) as image:
            self.image = image.convert("RGB")
        self.path, self.logical = path, logical
        self.scale = self.image.width / logical[0]

    def same_shape(self):
        """Whether the picture has the shape of the logical screen (a rotated one would not)."""
        return abs(self.image.height / self.scale - self.logical[1]) <= 1

    def color(self, x, y):
        return self.image.getpixel((int(x * self.scale), int(y * self.scale)))

    def differences(self, other, noise=0):
        """A mask of the pixels that differ by more than `noise` in some channel."""
        r, g, b = ImageChops.difference(self.image, other.image).split()
        return ImageChops.lighter(ImageChops.lighter(r, g), b).point(lambda v: 255 if v > noise else 0)

    def equals(self, other):
        return self.image.size == other.image.size and self.differences(other).getbbox() is None

    def box_of(self, color, noise=NOISE):
        """The logical bounding box of the pixels of that colour, or None."""
        flat = Image.new("RGB", self.image.size, color)
        r, g, b = ImageChops.difference(self.image, flat).split()
        box = ImageChops.lighter(ImageChops.lighter(r, g), b).point(lambda v: 255 if v <= noise else 0).getbbox()
        return box and tuple(n / self.scale for n in box)

    def darker_than(self, color, box):
        """How many pixels within the logical box are darker than the colour in every channel."""
        crop = self.image.crop(tuple(int(n * self.scale) for n in box))
        masks = [channel.point(lambda v, c=c: 255 if v < c - 8 else 0) for channel, c in zip(crop.split(), color)]
        both = ImageChops.darker(ImageChops.darker(masks[0], masks[1]), masks[2])
        return both.histogram()[255]

    def doubled(self, box):
        """Whether the logical box, on an output of scale 2, holds nothing but squares of four equal pixels."""
        crop = self.image.crop(tuple(int(n) * 2 for n in box))
        halved = crop.resize((crop.width // 2, crop.height // 2), Image.NEAREST)
        return ImageChops.difference(crop, halved.resize(crop.size, Image.NEAREST)).getbbox() is None


class Mark:
    """The changed pixels around a place: the contact mark of a finger, or the wave of a tap."""

    def __init__(self, before, after, place, reach):
        self.place, self.shot = place, after
        s = after.scale
        box = tuple(int(round(n * s)) for n in (place[0] - reach, place[1] - reach, place[0] + reach,
                                                place[1] + reach))
        found = after.differences(before, NOISE).crop(box).getbbox()
        self.found = found is not None
        self.box = found and tuple((n + box[i % 2]) / s for i, n in enumerate(found))

    @property
    def centre(self):
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2

    @property
    def radius(self):
        """Outline included; 0 when nothing has changed."""
        return max(self.box[2] - self.box[0], self.box[3] - self.box[1]) / 2 if self.found else 0

    def faults(self, radius, color=None, slack=1.5):
        """What is wrong with it as a circle of that radius (a range) at its place, its centre of that colour."""
        if not self.found:
            return ["nothing to be seen at %g,%g" % self.place]
        faults = []
        x, y = self.centre
        if abs(x - self.place[0]) > slack or abs(y - self.place[1]) > slack:
            faults.append("centre at %.1f,%.1f instead of %g,%g" % (x, y, *self.place))
        w, h = self.box[2] - self.box[0], self.box[3] - self.box[1]
        if abs(w - h) > 2 * slack:
            faults.append("%.1f wide and %.1f high" % (w, h))
        if not radius[0] <= self.radius <= radius[1]:
            faults.append("radius %.1f, not %g to %g" % (self.radius, *radius))
        if color:
            seen = self.shot.color(*self.place)
            if any(abs(a - b) > 12 for a, b in zip(seen, color)):
                faults.append("colour %s at the finger, not %s" % (seen, tuple(color)))
        return faults


def elsewhere(before, after, marks):
    """The logical box of what has changed outside of the marks, or None."""
    mask = after.differences(before, NOISE)
    for mark in marks:
        if mark.found:
            mask.paste(0, tuple(int(round(n * after.scale)) for n in mark.box))
    box = mask.getbbox()
    return box and tuple(n / after.scale for n in box)


def blend(color, ground, opacity):
    return tuple(round(g + (c - g) * opacity) for c, g in zip(color, ground))
