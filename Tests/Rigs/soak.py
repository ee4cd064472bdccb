#!/usr/bin/python3
"""Scrolls chromium by touch, and looks at what `fingerwave run` costs meanwhile.

    soak.py [--program PATH] [--seconds N] [--limit PERCENT] [--waypipe | --relay]

On weston's kiosk shell, a finger swipes up and down a long page, 115 moves a second. Prints every ten seconds (of a long
run: every minute) the processor time of fingerwave in percent of a core, its memory and its open files, and fails when
either of the last two grew, or when the first is above the limit. `--seconds 600` is the soak, 10 the measurement. What
standing between costs on this machine at least, `--relay` shows: some machines take twice as much at times.
"""
import argparse
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

from apps import APPS, PAGES
from compositors import WestonKiosk
from pixels import Shot
from program import Program
from rig import HERE, RigError

BENCH = os.path.join(HERE, "../../.build/release/fingerwave-bench")
STEPS, PAUSE = 46, 1000 / 115       # of a swipe; ms between moves


class Sample:
    """What processes have used, all together."""

    def __init__(self, pids):
        self.time = time.monotonic()
        self.processor = self.resident = self.files = 0
        for pid in pids:
            # In ns: the clock ticks of /proc/PID/stat are a tenth of a percent each in ten seconds.
            for task in os.listdir("/proc/%d/task" % pid):
                with open("/proc/%d/task/%s/schedstat" % (pid, task)) as f:
                    self.processor += int(f.read().split()[0]) / 1e9
            with open("/proc/%d/smaps_rollup" % pid) as f:
                sizes = {words[0]: int(words[1]) for words in (line.split() for line in f) if len(words) == 3}
            self.resident += sizes["Rss:"]
            self.files += len(os.listdir("/proc/%d/fd" % pid))

    def percent_since(self, other):
        return 100 * (self.processor - other.processor) / (self.time - other.time)


class Finger:
    """Sends on one connection to the rig, since one for each line would not be quick enough."""

    def __init__(self, rig):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(rig.socket)
        self.stream = self.socket.makefile("rw")
        self.moves = 0

    def send(self, *lines):
        """The lines together, as the events of one report of a touchscreen are."""
        self.stream.write("".join(line + "\n" for line in lines))
        self.stream.flush()
        for line in lines:
            if self.stream.readline().strip() != "ok":
                raise RigError("the rig does not take %s" % line)

    def swipe(self, up):
        first, last = (560, 160) if up else (160, 560)
        self.send("down 1 480 %d" % first, "frame")
        begin = time.monotonic()
        for step in range(1, STEPS):
            time.sleep(max(0, begin + step * PAUSE / 1000 - time.monotonic()))
            self.send("move 1 480 %g" % (first + (last - first) * step / STEPS), "frame")
            self.moves += 1
        self.send("up 1", "frame")


def soak(rig, options):
    folder = os.path.join(rig.dir, "soak")
    os.makedirs(folder)
    out = os.path.join(HERE, "out")
    os.makedirs(out, exist_ok=True)
    app = APPS["chromium"]
    words = [w.format(dir=folder, page=PAGES).replace("plain.html", "long.html") for w in app.command]
    env = dict(rig.env, HOME=folder)
    wrapper = [options.program, "run", *options.options.split(), "--"]
    if options.waypipe:
        common = ["waypipe", "--no-gpu", "--socket", rig.dir + "/waypipe"]
        client = subprocess.Popen(common + ["client"], env=env, stdin=subprocess.DEVNULL)
        time.sleep(1)
        wrapper = common + ["server", "--"]
    if options.relay:
        wrapper = [BENCH, "--relay"]
    program = Program(wrapper + words, env, os.path.join(out, "soak.stderr"))
    finger = Finger(rig)
    picture = os.path.join(out, "soak.png")
    end = time.monotonic() + 60

    def seen():
        rig.shot(picture)
        return Shot(picture, rig.logical)
    time.sleep(3)
    before = seen()
    while True:
        finger.swipe(True)
        time.sleep(2)       # no wave is left, so what has changed is the page
        if not seen().equals(before):
            break
        if time.monotonic() > end or program.process.poll() is not None:
            print("FAIL the page is not scrolled by touch: %s" % program.errors()[-500:])
            return 1
    for n in range(6):      # the first pages are drawn, all kinds of memory have been used
        finger.swipe(n % 3 != 2)
    seen()
    pid, n, finger.moves = program.process.pid, 0, 0
    pids = [pid]
    if options.waypipe:
        pids = [int(p) for p in subprocess.run(["pgrep", "-x", "waypipe"], capture_output=True, text=True).stdout.split()]
    if options.perf:
        subprocess.Popen(["perf", "record", "-q", "-g", "-o", options.perf, "-p", str(pid), "sleep", "9"])
    first = last = Sample(pids)
    half = None
    interval = 60 if options.seconds >= 300 else 10
    while last.time - first.time < options.seconds:
        finger.swipe(n % 3 != 2)
        n += 1
        if time.monotonic() - last.time >= min(interval, options.seconds - (last.time - first.time)):
            now = Sample(pids)
            print("%5.0f s: %.2f %% of a core, RSS %d KB, %d files" % (
                now.time - first.time, now.percent_since(last), now.resident, now.files), flush=True)
            last = now
            if half is None and last.time - first.time >= options.seconds / 2:
                half = last
    program.process.send_signal(signal.SIGTERM)
    program.end(10)
    if options.waypipe:
        client.terminate()
        client.wait()
    percent = last.percent_since(first)
    print("%.2f %% of a core over %.0f s, %.0f moves in a second" % (
        percent, last.time - first.time, finger.moves / (last.time - first.time)))
    faults = []
    if percent > options.limit:
        faults.append("more than %g %% of a core" % options.limit)
    if options.seconds >= 60:
        if last.resident > half.resident * 1.03 + 64:
            faults.append("memory grew in the second half from %d to %d KB" % (half.resident, last.resident))
        if last.files > first.files:
            faults.append("open files grew from %d to %d" % (first.files, last.files))
    for fault in faults:
        print("FAIL " + fault)
    return 1 if faults else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(HERE, "../../.build/release/fingerwave"))
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--limit", type=float, default=1.5)
    parser.add_argument("--options", default="", help="of fingerwave run")
    parser.add_argument("--waypipe", action="store_true", help="waypipe's cost instead, all its processes together")
    parser.add_argument("--relay", action="store_true",
                        help="the cost of fingerwave-bench's relay instead, which only copies (release build)")
    parser.add_argument("--perf", help="where perf's record of the first nine seconds goes")
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    if not shutil.which("chromium"):
        return "soak.py: chromium is not installed"
    for sig in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(sig, lambda number, _: sys.exit(128 + number))
    try:
        with WestonKiosk() as rig:
            return soak(rig, options)
    except RigError as error:
        return "soak.py: %s" % error


if __name__ == "__main__":
    sys.exit(main())
