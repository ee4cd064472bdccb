#!/usr/bin/python3
"""What `fingerwave overlay` costs while one finger moves, beside what the compositor costs by itself.

    cost.py [--program PATH] [--kind sway-panel] [--seconds N] [--limit PERCENT] [--mode WxH]

Above an app on an output of 1920x1080, a finger moves in circles at 120 reports a second. Four stretches of time, each with
the processor time of the overlay and of the compositor in percent of a core: nothing moves and there is no overlay; the
finger moves without one; the overlay is there and nothing moves; the finger moves below it. Fails when the overlay takes
more than the limit in the last one, or anything in the third. On sway-panel both read one mocked panel by libinput; on the
other kinds the overlay is told of the same finger by lines on its standard input, which it has to take apart.
"""
import argparse
import json
import math
import os
import signal
import subprocess
import sys
import time

from compositors import KINDS
from panelrigs import PANEL_KINDS
from program import Program
from rig import HERE, RigError
from soak import Finger, Sample

RATE = 120                  # reports in a second
APP = "weston-simple-touch"


class Circles:
    """One finger for the compositor, and for the overlay when there is one."""

    def __init__(self, rig):
        self.finger, self.size, self.reads_panel = Finger(rig), rig.logical, rig.kind in PANEL_KINDS
        self.overlay = None

    def tell(self, **event):
        """The overlay, in one piece, as `fingerwave events` writes what came together."""
        if self.overlay and not self.reads_panel:
            event.update(seat="seat0", id=1, time=time.monotonic_ns() // 1000000 % 2**32)
            self.overlay.stdin.write((json.dumps(event) + '\n{"type":"frame","seat":"seat0"}\n').encode())
            self.overlay.stdin.flush()

    def report(self, type, place):
        x, y = place
        word = {"motion": "move"}.get(type, type)
        if self.reads_panel:
            self.finger.send("%s 0 1 %g %g" % (word, x / self.size[0], y / self.size[1]), "frame 0")
        else:
            self.finger.send("%s 1 %g %g" % (word, x, y), "frame")
        self.tell(type=type, x=x, y=y)

    def move(self, seconds):
        """How many reports it were."""
        width, height = self.size
        begin, count = time.monotonic(), 0
        while True:
            angle = count / RATE * 2
            place = width / 2 + height / 4 * math.cos(angle), height / 2 + height / 4 * math.sin(angle)
            self.report("motion" if count else "down", place)
            count += 1
            if count / RATE >= seconds:
                break
            time.sleep(max(0, begin + count / RATE - time.monotonic()))
        self.finger.send(*(("up 0 1", "frame 0") if self.reads_panel else ("up 1", "frame")))
        self.tell(type="up")
        return count


def stretch(name, seconds, compositor, overlay, circles):
    """Prints a line; the overlay's percent of a core."""
    pids = [pid for pid in (compositor, overlay) if pid]
    before = {pid: Sample([pid]) for pid in pids}
    count = circles.move(seconds) if "finger" in name else time.sleep(seconds)
    after = {pid: Sample([pid]) for pid in pids}
    percent = {pid: after[pid].percent_since(before[pid]) for pid in pids}
    took = after[compositor].time - before[compositor].time
    print("%-28s %6.0f/s  %8s  %8.2f %%  %9s" % (
        name, (count or 0) / took, "%.2f %%" % percent[overlay] if overlay else "-", percent[compositor],
        "%d KB" % after[overlay].resident if overlay else "-"), flush=True)
    return percent.get(overlay, 0)


def measure(rig, options):
    env = dict(rig.env, HOME=rig.dir, **(rig.panel_env if rig.kind in PANEL_KINDS else {}))
    app = subprocess.Popen([*rig.prefix, APP], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
    time.sleep(2)
    circles = Circles(rig)
    compositor = rig.processes[1 if circles.reads_panel else 0].pid     # after the panel's own
    print("%-28s %8s  %8s  %10s  %9s" % (rig.kind, "reports", "overlay", "compositor", "RSS"))
    stretch("still, no overlay", options.seconds, compositor, None, circles)
    stretch("a finger, no overlay", options.seconds, compositor, None, circles)
    source = "libinput" if circles.reads_panel else "-"
    program = Program([*rig.prefix, options.program, "overlay", "--source", source], env,
                      os.path.join(HERE, "out", "cost.stderr"), subprocess.PIPE)
    time.sleep(2)
    idle = stretch("still, overlay", options.seconds, compositor, program.process.pid, circles)
    circles.overlay = program.process
    busy = stretch("a finger, overlay", options.seconds, compositor, program.process.pid, circles)
    program.process.send_signal(signal.SIGTERM)
    program.end(5)
    app.kill()
    app.wait()
    faults = []
    if idle > 0:
        faults.append("it works while nothing moves")
    if busy > options.limit:
        faults.append("more than %g %% of a core" % options.limit)
    for fault in faults:
        print("FAIL " + fault)
    return 1 if faults else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(HERE, "../../.build/release/fingerwave"))
    parser.add_argument("--kind", default="sway-panel", choices=["sway-panel", "wlr", "sway", "phoc", "kwin"])
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--limit", type=float, default=2)
    parser.add_argument("--mode", default="1920x1080")
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    os.makedirs(os.path.join(HERE, "out"), exist_ok=True)
    for sig in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(sig, lambda number, _: sys.exit(128 + number))
    try:
        with {**KINDS, **PANEL_KINDS}[options.kind](tuple(int(n) for n in options.mode.split("x"))) as rig:
            return measure(rig, options)
    except RigError as error:
        return "cost.py: %s" % error


if __name__ == "__main__":
    sys.exit(main())
