#!/usr/bin/python3
"""Runs `fingerwave record` and `fingerwave replay` in the compositor rigs: what was touched is in the file whatever
ends the program, and what is in the file is seen again.

    record.py [--program PATH] [--kinds wlr,sway,...] [--ci] [--require-all] [--jobs N]

The kinds are all of rig.py. sway-panel has a mocked panel, which is recorded by libinput and by its own events. --ci
runs what finds most in half a minute. Pictures and recordings stay in out/record-KIND/.
"""
import argparse
import concurrent.futures
import json
import os
import shutil
import signal
import subprocess
import sys
import time

from evemu import EV_ABS, EV_SYN, SYN_REPORT, parse
from matrix import GROUND, Checks, hexadecimal, parsed, run_worker, table
from pixels import Mark, Shot
from program import CONTACT_EVENTS, Program, contact_faults, match_faults
from rig import HERE, RigError, all_kinds

CI_KINDS = "wlr", "cage", "weston", "sway-panel"
HOLD = 2500             # ms that a finger is held, in which a picture of it must come
PLACE = 300, 200
LINES = ["down 1 120 90", "frame", "sleep 60", "move 1 180.5 110", "frame", "sleep 60", "up 1", "frame", "sleep 100",
         "down 1 500 400", "frame", "sleep 30", "down 2 420 300", "frame", "sleep 80", "up 2", "up 1", "frame",
         "sleep 100", "down 3 %d %d" % PLACE, "frame", "sleep %d" % HOLD, "up 3", "frame"]
ENDED = 5               # s
NO_COMPOSITOR = 2       # its exit status when that goes away
RING = 64 << 10         # bytes
FLOOD = 1500            # moves: more than the ring holds
REACH = 60              # logical px around a finger in which its mark is looked for
RADIUS = 5, 40          # of that mark


class Recorder:
    """`fingerwave record FILE` in a rig; FILE can be read by whoever runs the checks."""

    def __init__(self, rig, program, path, *arguments, env=()):
        self.path, self.errors = path, path + ".stderr"
        for old in (path, path + ".1"):
            if os.path.exists(old):
                os.unlink(old)
        with open(self.errors, "w") as errors:
            self.process = subprocess.Popen(
                [*rig.prefix, program, "record", *arguments, path], env=dict(rig.env, HOME=rig.dir, **dict(env)),
                stdin=subprocess.DEVNULL, stdout=errors, stderr=errors)

    def text(self):
        return open(self.path).read() if os.path.exists(self.path) else ""

    def events(self):
        """Every line must be a JSON object; a line that is being written has no end yet."""
        return [json.loads(line) for line in self.text().splitlines(True) if line.endswith("\n")]

    def wait_for(self, type, number=1, seconds=20):
        end = time.monotonic() + seconds
        while sum(event["type"] == type for event in self.events()) < number:
            if time.monotonic() > end or self.process.poll() is not None:
                return False
            time.sleep(0.02)
        return True

    def end(self, number):
        """Its exit status after a signal; None when it had to be killed."""
        if number:
            self.process.send_signal(number)
        try:
            return self.process.wait(ENDED)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None

    def said(self):
        return " ".join(open(self.errors).read().split())


def out_path(rig, name):
    return os.path.join(HERE, "out", "record-" + rig.kind, name)


def report(options, path):
    """What `info` says of a recording, by types."""
    result = subprocess.run([options.program, "info", "--json", path], stdout=subprocess.PIPE, text=True, timeout=20)
    found = {}
    for line in result.stdout.splitlines():
        found.setdefault(json.loads(line)["type"], []).append(json.loads(line))
    return found


def check_window(checks, rig, options):
    """A window's touches, the program killed; they are played again and seen."""
    path = out_path(rig, "window.jsonl")
    recorder = Recorder(rig, options.program, path, "--fullscreen")
    if not checks.check("window", "it records", recorder.wait_for("ready"), recorder.said()):
        recorder.end(signal.SIGKILL)
        return
    time.sleep(0.5)             # until the window has its last size
    rig.send(*LINES)
    checks.check("window", "every touch is there", recorder.wait_for("up", 4, 5), recorder.text()[-200:])
    recorder.end(signal.SIGKILL)
    text, events = recorder.text(), recorder.events()
    checks.check("window", "killed, its last line is whole", text.endswith("\n"), text[-80:])
    checks.none("window", "the contacts are those that were made", contact_faults(events))
    checks.none("window", "they are where they were", match_faults(events, LINES))
    head = [event["type"] for event in events[:4]]
    checks.check("window", "it begins with what is known", head[:3] == ["header", "compositor", "seat"], head)
    found = report(options, path)
    checks.check("window", "info counts four contacts", found["recording"][0]["contacts"] == 4, found)
    replay(checks, rig, options, path, events)


def replay(checks, rig, options, path, events):
    ground = hexadecimal(GROUND)
    command = [*rig.prefix, options.program, "replay", "--fullscreen", "--exit-at-end", "--log=json", "--background",
               ground, path]
    program = Program(command, dict(rig.env, HOME=rig.dir), out_path(rig, "replay.stderr"))
    program.wait_for("ready", seconds=20)
    before = out_path(rig, "before.png")
    time.sleep(0.2)
    rig.shot(before)
    # The held finger is the last that comes down.
    good = program.wait_for("down", 4, seconds=15)
    shown = Mark(Shot(before, rig.logical), Shot(before, rig.logical), PLACE, REACH)
    end = time.monotonic() + HOLD / 1000
    while good and shown.faults(RADIUS) and time.monotonic() < end:
        time.sleep(0.1)
        rig.shot(out_path(rig, "held.png"))
        shown = Mark(Shot(before, rig.logical), Shot(out_path(rig, "held.png"), rig.logical), PLACE, REACH)
    checks.none("replay", "the held finger's mark is seen", shown.faults(RADIUS))
    status, _ = program.end(HOLD / 1000 + ENDED)
    checks.check("replay", "it ends with the last wave, status 0", status == 0, "%s; %s" % (status, program.errors()))
    touches = [{key: event[key] for key in ("type", "id", "x", "y", "time") if key in event}
               for event in events if event["type"] in (*CONTACT_EVENTS, "frame")]
    again = [{key: event[key] for key in ("type", "id", "x", "y", "time") if key in event}
             for event in program.events if event["type"] in (*CONTACT_EVENTS, "frame")]
    checks.check("replay", "its log is what was recorded", touches == again, again[:3])


def check_killed(checks, rig, options):
    """The compositor is killed while a finger is down."""
    recorder = Recorder(rig, options.program, out_path(rig, "killed.jsonl"), "--fullscreen")
    if not checks.check("killed", "it records", recorder.wait_for("ready"), recorder.said()):
        recorder.end(signal.SIGKILL)
        return
    time.sleep(0.5)
    rig.send("down 1 120 90", "frame", "sleep 50", "move 1 180 110", "frame")
    recorder.wait_for("motion", 1, 5)
    os.kill(rig.compositor_pid(), signal.SIGKILL)
    status = recorder.end(None)
    checks.check("killed", "it ends with status %d" % NO_COMPOSITOR, status == NO_COMPOSITOR,
                 "%s; %s" % (status, recorder.said()))
    types = [event["type"] for event in recorder.events()]
    checks.check("killed", "the file has all that came", recorder.text().endswith("\n") and "motion" in types, types)


def check_ring(checks, rig, options):
    """A ring's two files stay within its bound, and each can be read by itself."""
    recorder = Recorder(rig, options.program, out_path(rig, "ring.jsonl"), "--fullscreen", "--ring", "64KiB")
    if not checks.check("ring", "it records", recorder.wait_for("ready"), recorder.said()):
        recorder.end(signal.SIGKILL)
        return
    time.sleep(0.5)
    rig.send("down 1 100 100", "frame")
    largest = 0
    for start in range(0, FLOOD, 10):
        for step in range(start, start + 10):
            rig.send("move 1 %d %d" % (100 + step % 400, 100 + step % 300), "frame")
        largest = max(largest, sum(os.path.getsize(p) for p in (recorder.path, recorder.path + ".1")
                                   if os.path.exists(p)))
    rig.send("frame", "sleep 200")
    status = recorder.end(signal.SIGTERM)
    checks.check("ring", "it ends with status 0", status == 0, "%s; %s" % (status, recorder.said()))
    checks.check("ring", "the files stay within the bound", RING / 2 < largest <= RING, largest)
    for path in (recorder.path, recorder.path + ".1"):
        found = report(options, path)
        odd = [oddity["what"] for oddity in found.get("oddity", [])]
        # The finger is down at the end of the first one.
        good = found["recording"][0]["contacts"] == 1 and all(what.endswith("has no end") for what in odd)
        checks.check("ring", "%s can be read by itself" % os.path.basename(path), good, found)


def check_panel(checks, rig, options):
    """libinput's touches and the kernel's events of a panel, without any compositor of its own."""
    env = {**rig.panel_env, "WAYLAND_DISPLAY": "none"}
    recorder = Recorder(rig, options.program, out_path(rig, "panel.jsonl"), "--source", "libinput", env=env)
    checks.check("panel", "it records", recorder.wait_for("evdev-device"), recorder.said())
    rig.send("openers 0 3", "down 0 a 0.25 0.5", "frame 0", "sleep 30", "down 0 b 0.75 0.125", "frame 0", "sleep 40",
             "move 0 a 0.3 0.5", "frame 0", "up 0 a", "up 0 b", "frame 0", "sleep 200")
    status = recorder.end(signal.SIGINT)
    checks.check("panel", "it ends with status 0", status == 0, "%s; %s" % (status, recorder.said()))
    events = recorder.events()
    downs = [(event["u"], event["v"]) for event in events if event["type"] == "down"]
    checks.check("panel", "libinput's touches are there", downs == [(0.25, 0.5), (0.75, 0.125)], downs)
    raw = [tuple(one) for event in events if event["type"] == "evdev" for one in event["events"]]
    path = out_path(rig, "panel.events")
    subprocess.run([options.program, "convert", recorder.path, path], timeout=20)
    device, converted = parse(open(path).read())
    checks.check("panel", "convert hands on the kernel's events", [event[1:] for event in converted] == raw
                 and sum(event[:2] == (EV_SYN, SYN_REPORT) for event in raw) == 4, raw)
    checks.check("panel", "and the device's description", device and device.axes[0x35][:2] == (0, 4095), device)
    places = [event[2] for event in raw if event[:2] == (EV_ABS, 0x35)]
    checks.check("panel", "they are in the device's own units", places == [1024, 3072, 1229], places)


def checks_of(kind, options):
    if kind == "sway-panel":
        return [("panel", check_panel)]
    if kind.endswith(("-panel", "-panels")):
        return []
    found = [("window", check_window), ("killed", check_killed)]
    if kind == "wlr" or not options.ci:
        found.insert(1, ("ring", check_ring))
    return found


def run_kind(kind, options):
    """All checks of one rig."""
    checks, rig = Checks(kind), all_kinds()[kind]
    if lacking := rig.lacks():
        checks.note("FAIL" if options.require_all else "skip", "-", "not run", "lacks " + ", ".join(lacking))
        return
    out = os.path.join(HERE, "out", "record-" + kind)
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    os.chmod(out, 0o777)        # the rig's programs may belong to nobody
    for area, check in checks_of(kind, options):
        try:
            with rig((960, 720)) as running:
                check(checks, running, options)
        except (RigError, OSError, subprocess.SubprocessError, ValueError, KeyError) as error:
            checks.note("FAIL", area, "the rig works", " ".join(str(error).split())[-400:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(HERE, "../../.build/release/fingerwave"))
    parser.add_argument("--kinds")
    parser.add_argument("--ci", action="store_true")
    parser.add_argument("--require-all", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    options = parsed(parser)
    if options.worker:
        return run_kind(options.worker, options) or 0
    wanted = options.kinds.split(",") if options.kinds else CI_KINDS if options.ci else list(all_kinds())
    if unknown := [kind for kind in wanted if kind not in all_kinds()]:
        parser.error("no rig named %s: there are %s" % (", ".join(unknown), ", ".join(all_kinds())))
    kinds = [kind for kind in wanted if checks_of(kind, options)]
    ci = ["--ci"] * options.ci
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = dict(zip(kinds, pool.map(lambda kind: run_worker("record.py", kind, options, *ci), kinds)))
    return table(results)


if __name__ == "__main__":
    sys.exit(main())
