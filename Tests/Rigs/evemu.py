"""evemu's text format: what an input device is, and events of it as they were recorded.

    N: name    I: bus vendor product version    P: property bits    B: type code bits
    A: axis min max fuzz flat [resolution]
    E: seconds.microseconds type code value

Numbers but the axes' and the values are hexadecimal, bits come eight bytes a line, and a `#` begins a comment.
"""
import dataclasses
import re
import typing

# Of linux/input-event-codes.h.
EV_SYN, EV_KEY, EV_ABS = 0, 1, 3
SYN_REPORT, SYN_DROPPED = 0, 3
BTN_TOUCH = 0x14A
ABS_X, ABS_Y = 0, 1
ABS_MT_SLOT, ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_TRACKING_ID = 0x2F, 0x35, 0x36, 0x39
ABS_MT_FIRST, ABS_MT_LAST = 0x30, 0x3F      # what each slot has a value of its own of
INPUT_PROP_DIRECT = 1
BUS_I2C = 0x18

EVENT_LINE = re.compile(r"E:\s*(\d+)\.(\d+)\s+([0-9a-fA-F]+)\s+([0-9a-fA-F]+)\s+(-?\d+)")


class Axis(typing.NamedTuple):
    """`resolution` is in units per millimetre, 0 when it is unknown."""
    minimum: int
    maximum: int
    fuzz: int = 0
    flat: int = 0
    resolution: int = 0


class Event(typing.NamedTuple):
    time: int       # us
    type: int
    code: int
    value: int


@dataclasses.dataclass
class Description:
    name: str = ""
    ids: tuple = (0, 0, 0, 0)       # bus, vendor, product, version
    properties: bytes = b""
    codes: dict = dataclasses.field(default_factory=dict)      # type: bits of its codes
    axes: dict = dataclasses.field(default_factory=dict)       # code: Axis

    def bits(self, type, size):
        """The type's codes as the kernel gives them, cut or filled to `size` bytes."""
        return self.codes.get(type, b"")[:size].ljust(size, b"\0")

    def types(self):
        """The bits of the types that have a code: a recording's own are often wrong."""
        return sum(1 << type for type, bits in self.codes.items() if type == EV_SYN or any(bits)) | 1

    def slots(self):
        return self.axes[ABS_MT_SLOT].maximum + 1 if ABS_MT_SLOT in self.axes else 0


def bits_of(codes):
    """Code numbers as bits."""
    number = sum(1 << code for code in codes)
    return number.to_bytes(number.bit_length() // 8 + 1, "little")


def touchscreen(width, height, millimetres=(0, 0), slots=10, name="Synthetic touchscreen"):
    """A panel that reports places from 0 to width-1 and height-1, with `slots` fingers (multi-touch protocol B)."""
    def axis(units, mm):
        return Axis(0, units - 1, resolution=round(units / mm) if mm else 0)
    x, y = axis(width, millimetres[0]), axis(height, millimetres[1])
    axes = {ABS_X: x, ABS_Y: y, ABS_MT_SLOT: Axis(0, slots - 1), ABS_MT_POSITION_X: x, ABS_MT_POSITION_Y: y,
            ABS_MT_TRACKING_ID: Axis(0, 0xFFFF)}
    return Description(name, (BUS_I2C, 0x1234, 1, 1), bits_of([INPUT_PROP_DIRECT]),
                       {EV_SYN: bits_of([SYN_REPORT]), EV_KEY: bits_of([BTN_TOUCH]), EV_ABS: bits_of(axes)}, axes)


def parse(text):
    """The description that the text has, or None, and its events."""
    described, device, events = False, Description(), []
    for line in text.splitlines():
        if match := EVENT_LINE.match(line):
            seconds, fraction, type, code, value = match.groups()
            events.append(Event(int(seconds) * 1000000 + int(fraction[:6].ljust(6, "0")), int(type, 16), int(code, 16),
                                int(value)))
            continue
        tag, _, rest = line.partition(":")
        words = rest.split("#")[0].split()
        if tag == "N":
            described, device.name = True, rest.strip()
        elif tag == "I" and len(words) >= 4:
            device.ids = tuple(int(word, 16) for word in words[:4])
        elif tag == "P":
            device.properties += bytes(int(word, 16) for word in words)
        elif tag == "B":
            type = int(words[0], 16)
            device.codes[type] = device.codes.get(type, b"") + bytes(int(word, 16) for word in words[1:])
        elif tag == "A":
            device.axes[int(words[0], 16)] = Axis(*(int(word) for word in words[1:6]))
    return device if described else None, events


def render(device, events=()):
    """The text of a recording."""
    def rows(tag, bits):
        bits = bits.ljust(-(-len(bits) // 8) * 8, b"\0")
        return ["%s %s" % (tag, bits[at:at + 8].hex(" ")) for at in range(0, len(bits), 8)]
    lines = ["# EVEMU 1.3", "N: " + device.name, "I: %04x %04x %04x %04x" % device.ids, *rows("P:", device.properties)]
    for type, bits in sorted(device.codes.items()):
        lines += rows("B: %02x" % type, bits)
    lines += ["A: %02x %d %d %d %d %d" % (code, *axis) for code, axis in sorted(device.axes.items())]
    lines += ["E: %d.%06d %04x %04x %04d" % (event.time // 1000000, event.time % 1000000, *event[1:])
              for event in events]
    return "\n".join(lines) + "\n"
