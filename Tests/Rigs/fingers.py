#!/usr/bin/python3
"""What the driver of a touch panel reports of fingers (multi-touch protocol B), and recordings made of it.

    fingers.py WxH [--mm WxH] [--slots N] LINE... > FILE     a recording in evemu's format

Lines are those of rigsend: down ID X Y, move ID X Y, up ID, frame, sleep MS; but X and Y are parts of the panel, 0 to
1.
"""
import argparse
import sys

from evemu import (ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_SLOT, ABS_MT_TRACKING_ID, ABS_X, ABS_Y, BTN_TOUCH,
                   EV_ABS, EV_KEY, EV_SYN, SYN_REPORT, Event, render, touchscreen)


class Fingers:
    """Fingers by ids of the caller's; each gets the lowest free slot and the next tracking id. Events are (type, code,
    value), gathered until frame(). Like drivers do, it also reports the finger that is down for longest as the only
    one, for readers that know no others."""

    def __init__(self, device):
        self.device, self.slots, self.events = device, {}, []
        self.current, self.tracking = 0, 0
        self.places = {}        # slot: (x, y), oldest finger first
        self.told = None        # (x, y) of the only finger

    def units(self, u, v):
        """A part of the panel in the panel's units; libinput takes each unit for its lower edge."""
        def one(part, axis):
            return min(axis.minimum + round(part * (axis.maximum - axis.minimum + 1)), axis.maximum)
        return one(u, self.device.axes[ABS_MT_POSITION_X]), one(v, self.device.axes[ABS_MT_POSITION_Y])

    def in_slot(self, slot, *values):
        if slot != self.current:
            self.events.append((EV_ABS, ABS_MT_SLOT, slot))
            self.current = slot
        self.events += [(EV_ABS, code, value) for code, value in values]

    def down(self, id, u, v):
        slot = min(set(range(self.device.slots())) - set(self.slots.values()))
        self.slots[id] = slot
        self.places[slot] = self.units(u, v)
        self.in_slot(slot, (ABS_MT_TRACKING_ID, self.tracking), (ABS_MT_POSITION_X, self.places[slot][0]),
                     (ABS_MT_POSITION_Y, self.places[slot][1]))
        self.tracking = (self.tracking + 1) % 0x10000

    def move(self, id, u, v):
        slot, new = self.slots[id], self.units(u, v)
        old, self.places[slot] = self.places[slot], new
        self.in_slot(slot, *((code, value) for code, value, was in zip((ABS_MT_POSITION_X, ABS_MT_POSITION_Y), new, old)
                             if value != was))

    def up(self, id):
        slot = self.slots.pop(id)
        del self.places[slot]
        self.in_slot(slot, (ABS_MT_TRACKING_ID, -1))

    def frame(self):
        """The events since the last frame, with what ends them."""
        only = next(iter(self.places.values()), None)
        if (only is None) != (self.told is None):
            self.events.append((EV_KEY, BTN_TOUCH, int(only is not None)))
        if only is not None:
            was = self.told or (None, None)
            self.events += [(EV_ABS, code, value) for code, value, old in zip((ABS_X, ABS_Y), only, was)
                            if value != old]
        self.told = only
        events, self.events = self.events + [(EV_SYN, SYN_REPORT, 0)], []
        return events

    def take(self, line):
        """down, move or up as a line of text; whether it was one."""
        word, *rest = line.split()
        if word not in ("down", "move", "up"):
            return False
        getattr(self, word)(rest[0], *(float(part) for part in rest[1:]))
        return True


def record(device, lines):
    """The events of a recording of the lines, its first one at 0 us."""
    fingers, time, events = Fingers(device), 0, []
    for line in lines:
        if line.startswith("sleep"):
            time += round(float(line.split()[1]) * 1000)
        elif line == "frame":
            events += [Event(time, *event) for event in fingers.frame()]
        elif not fingers.take(line):
            raise ValueError("%s?" % line)
    return events


def size(text):
    """WxH"""
    width, height = text.split("x")
    return int(width), int(height)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("size", type=size)
    parser.add_argument("--mm", type=size, default=(0, 0))
    parser.add_argument("--slots", type=int, default=10)
    parser.add_argument("lines", nargs="+", metavar="LINE")
    options = parser.parse_args()
    device = touchscreen(*options.size, options.mm, options.slots)
    sys.stdout.write(render(device, record(device, options.lines)))


if __name__ == "__main__":
    main()
