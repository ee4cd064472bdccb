#!/usr/bin/python3
"""Runs fingerwave in every compositor rig, touches it, and checks its log and its pixels.

    matrix.py [--program PATH] [--kinds wlr,sway,...] [--require-all] [--quick] [--jobs N]

Prints a line for each check, a table, and how many passed, failed and were skipped; the exit status is 0 only when
none failed. A compositor that is not installed is skipped, or with --require-all a failure. --quick runs the full
screen checks alone. The screenshots and logs stay in out/KIND/ for a person to look at.
"""
import argparse
import collections
import concurrent.futures
import itertools
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import time

from compositors import KINDS
from pixels import Mark, Shot, blend, elsewhere
from program import Program, contact_faults, match_faults
from rig import HERE, PYTHON, RigError

GROUND = (0x60, 0x80, 0xA0)     # lighter than the default, so that the mark's dark outline shows as well
WHITE = (255, 255, 255)
ORANGE = (255, 128, 0)
RADIUS, WAVE_RADIUS, OPACITY = 15, 75, 0.6      # the program's defaults
OUTLINE = 3                     # at most, logical px
BROKEN_RING = 23                # of a cancelled contact, outline included
STYLES = "wave", "rings", "echo", "material", "dot", "trail", "crosshair"   # inspect has words on the ground
FADED = 1.5                     # s by which a wave that has ended, or a mark that was lifted, must be gone
KEY_ESC, KEY_F, BTN_LEFT = 1, 33, 0x110         # of linux/input-event-codes.h
LONG_ENOUGH = 20                # s that a slow machine may need for what is instant


def hexadecimal(color):
    return "%02x%02x%02x" % color


class Checks:
    """The checks of one rig, printed as they are made."""

    def __init__(self, kind):
        self.kind, self.results = kind, []

    def note(self, result, area, text, detail=""):
        self.results.append((result, area))
        print("%-4s %-12s %-10s %s%s" % (result, self.kind, area, text, ": " + detail if detail else ""), flush=True)

    def check(self, area, text, good, detail=""):
        self.note("ok" if good else "FAIL", area, text, "" if good else str(detail))
        return good

    def none(self, area, text, faults):
        """A check that no fault was found."""
        return self.check(area, text, not faults, "; ".join(faults[:4]))


class Stage:
    """One run of the program in a rig, with what the checks of it share."""

    def __init__(self, checks, rig, options, area, *arguments):
        self.checks, self.rig, self.area = checks, rig, area
        self.out = os.path.join(HERE, "out", rig.kind)
        self.shots = 0
        command = [options.program, "window", "--log=json", "--background", hexadecimal(GROUND), *arguments]
        self.program = Program(command, rig.env, os.path.join(self.out, area + ".stderr"))
        self.ready = None

    def check(self, text, good, detail=""):
        return self.checks.check(self.area, text, good, detail)

    def none(self, text, faults):
        return self.checks.none(self.area, text, faults)

    def wait_ready(self):
        """Until the window is there; what it said of itself, or None."""
        if self.check("window is ready", self.program.wait_for("ready", seconds=20), self.program.errors()):
            self.ready = next(e for e in self.program.events if e["type"] == "ready")
        return self.ready

    def shot(self, name, keep=True):
        path = os.path.join(self.out, "%s-%s.png" % (self.area, name))
        self.rig.shot(path)
        return Shot(path, self.rig.logical)

    def until(self, name, good, seconds):
        """Takes pictures until one is good; the last one, and whether it was good. What a picture shows is some
        milliseconds old, a compositor may be in the middle of an animation of its own, and on a busy machine a picture
        can take seconds: so there are always four."""
        end = time.monotonic() + seconds
        for tries in itertools.count(1):
            shot = self.shot(name)
            if good(shot):
                return shot, True
            if tries >= 4 and time.monotonic() > end:
                return shot, False

    def settled(self, name="before"):
        """The picture of the untouched window, once two in a row are equal."""
        last = []

        def good(shot):
            same = bool(last) and shot.equals(last[-1]) and shot.box_of(GROUND) is not None
            last.append(shot)
            return same
        shot, calm = self.until(name, good, LONG_ENOUGH)
        self.check("the untouched window is still", calm)
        return shot

    def inject(self, *lines):
        """Sends the lines with some time between them, so that no compositor folds motions into one."""
        self.rig.send(*(line for one in lines for line in (one, "sleep 15") if line))

    def finish(self):
        """SIGTERM must end it at once and well."""
        self.program.process.send_signal(signal.SIGTERM)
        status, took = self.program.end(5)
        self.check("SIGTERM ends it with status 0", status == 0, "status %s; %s" % (status, self.program.errors()))
        self.check("within a second", took < 1, "%.1f s" % took)
        self.none("every line of the log is JSON", self.program.bad_lines)
        self.none("every contact begins and ends once", contact_faults(self.program.events))


def taps(events):
    return [e for e in events if e["type"] == "gesture" and e.get("gesture") == "tap"]


def check_log(stage, start, lines, expected_taps, offset=(0, 0)):
    """The log since `start` against what was injected."""
    terminal = "cancel" if "cancel" in lines else "up"
    number = sum(line.split()[0] == terminal for line in lines)
    stage.program.wait_for(terminal, number, start, LONG_ENOUGH)
    if expected_taps:
        stage.program.wait_for("gesture", expected_taps, start, LONG_ENOUGH)
    events = stage.program.since(start)
    stage.none("log has what was injected, in order, with its ids and places", match_faults(events, lines, offset))
    found = taps(events)
    stage.check("%d taps" % expected_taps if expected_taps != 1 else "one tap", len(found) == expected_taps, found)
    return events, found


def hold_and_lift(stage, before, fingers, name):
    """Puts fingers (id: (x, y)) down and moves each into place, looks at the marks while they are held, lifts."""
    start = len(stage.program.events)
    first = ["down %d %g %g" % (id, x - 40, y - 30) for id, (x, y) in fingers.items()] + ["frame"]
    moves = [line for step in (30, 15, 0) for id, (x, y) in fingers.items()
             for line in ("move %d %g %g" % (id, x - step, y - step), "frame")]
    lifts = [line for id in fingers for line in ("up %d" % id, "frame")]
    stage.inject(*first, *moves)
    marks = []

    def good(shot):
        marks[:] = [Mark(before, shot, place, RADIUS + 25) for place in fingers.values()]
        return not any(m.faults((RADIUS - 1, RADIUS + OUTLINE + 1), blend(WHITE, GROUND, OPACITY)) for m in marks)
    shot, _ = stage.until(name, good, 3)
    for mark in marks:
        stage.none("%s: contact mark at %g,%g" % (name, *mark.place),
                   mark.faults((RADIUS - 1, RADIUS + OUTLINE + 1), blend(WHITE, GROUND, OPACITY)))
    stage.check("%s: nothing is drawn elsewhere" % name, elsewhere(before, shot, marks) is None,
                elsewhere(before, shot, marks))
    stage.inject(*lifts)
    events, _ = check_log(stage, start, first + moves + lifts, 0)
    return events, marks


def check_clean(stage, before, name, seconds=FADED):
    shot, clean = stage.until(name, lambda shot: shot.equals(before), seconds)
    stage.check("%s: every pixel is as before" % name, clean, "changed in %s" % (elsewhere(before, shot, []),))


def tap_lines(id, x, y):
    return ["down %d %g %g" % (id, x, y), "frame", "sleep 60", "up %d" % id, "frame"]


def check_tap_gesture(stage, found, fingers, place, duration=(40, 400)):
    if len(found) != 1:
        return
    tap, faults = found[0], []
    if tap.get("phase") != "ended" or tap.get("count") != 1 or tap.get("fingers") != fingers:
        faults.append("phase, count, fingers are %s" % [tap.get(k) for k in ("phase", "count", "fingers")])
    if not duration[0] <= tap.get("duration", -1) <= duration[1]:
        faults.append("duration %s" % tap.get("duration"))
    if abs(tap.get("x", -9) - place[0]) > 1 or abs(tap.get("y", -9) - place[1]) > 1:
        faults.append("at %s,%s instead of %g,%g" % (tap.get("x"), tap.get("y"), *place))
    stage.none("the tap says where, how long, how many fingers", faults)


def tap_and_watch(stage, before, place, duration, offset=(0, 0), color=WHITE):
    """A tap: the gesture, the wave that outgrows the mark, and the clean ground after it."""
    start = len(stage.program.events)
    lines = tap_lines(5, *place)
    stage.inject(*lines)
    began = time.monotonic()
    wave = []

    def outgrown(shot):
        wave.append(Mark(before, shot, place, WAVE_RADIUS + OUTLINE + 5))
        return wave[-1].radius > RADIUS + OUTLINE + 5
    stage.until("wave", outgrown, duration)
    _, found = check_log(stage, start, lines, 1, offset)
    check_tap_gesture(stage, found, 1, (place[0] - offset[0], place[1] - offset[1]))
    stage.none("the wave is larger than the mark, and around the finger",
               wave[-1].faults((RADIUS + OUTLINE + 5, WAVE_RADIUS + OUTLINE + 1)))
    if wave[-1].found and wave[-1].radius < 0.8 * WAVE_RADIUS:
        seen = wave[-1].shot.color(*place)
        lighter = [(s - g) * (c - g) >= 0 for s, c, g in zip(seen, color, GROUND)]
        stage.check("the wave is of its colour", all(lighter) and seen != GROUND, seen)
    check_clean(stage, before, "after-wave", duration - (time.monotonic() - began) + FADED)


def check_size(stage):
    """What the program says of a full-screen window. That it fills the screen is seen in the picture."""
    if not stage.rig.size_comes_late:
        told = stage.ready["width"], stage.ready["height"]
        stage.check("it says that it has the screen's size", told == stage.rig.logical, told)


def check_idle(stage):
    """With nothing to draw and nobody touching, the program sleeps: not one wake-up, by the kernel's count."""
    counts = []
    for _ in range(3):          # a late wl_buffer.release may still be on its way the first time
        before = stage.program.switches()
        time.sleep(2)
        counts.append(stage.program.switches() - before)
        if counts[-1] == 0:
            break
    stage.check("it sleeps when nothing happens", counts[-1] == 0, "wake-ups in 2 s, tried 3 times: %s" % counts)


def check_fullscreen(checks, rig, options):
    """Two fingers, a drag, a tap, a tap of two fingers, a cancel, with a window that fills the screen."""
    stage = Stage(checks, rig, options, "fullscreen", "--fullscreen", "--duration", "3", "--exit-after", "120")
    if not stage.wait_ready():
        return
    w, h = rig.logical
    check_size(stage)
    before = stage.settled()
    stage.check("the ground has the colour asked for", before.box_of(GROUND) == (0, 0, w, h), before.box_of(GROUND))

    events, marks = hold_and_lift(stage, before, {1: (200, 160), 2: (620.5, 480.5)}, "two-fingers")
    if rig.sends_frames:
        stage.check("frames are logged", sum(e["type"] == "frame" for e in events) > 2)
    if marks[0].found:
        stage.check("the mark has a dark outline", marks[0].shot.darker_than(GROUND, marks[0].box) > 20)
    check_clean(stage, before, "after-two-fingers")
    hold_and_lift(stage, before, {3: (480, 360)}, "drag")
    check_clean(stage, before, "after-drag")
    tap_and_watch(stage, before, (300, 400), 3)
    check_idle(stage)
    if options.quick:
        return stage.finish()

    start = len(stage.program.events)
    lines = ["down 6 300 300", "down 7 400 340", "frame", "sleep 60", "up 6", "frame", "up 7", "frame"]
    stage.inject(*lines)
    _, found = check_log(stage, start, lines, 1)
    check_tap_gesture(stage, found, 2, (350, 320))
    check_clean(stage, before, "after-two-finger-tap", 3 + FADED)

    if rig.sends_cancel:
        start = len(stage.program.events)
        stage.inject("down 8 300 300", "frame", "down 9 600 200", "frame", "cancel")
        sizes = []

        def clean(shot):
            sizes.extend(Mark(before, shot, place, 100).radius for place in ((300, 300), (600, 200)))
            return shot.equals(before)
        _, good = stage.until("after-cancel", clean, FADED)
        stage.check("a cancelled contact fades", good)
        stage.check("and is no more than a ring around the mark", max(sizes) <= BROKEN_RING, sizes)
        check_log(stage, start, ["down 8 300 300", "down 9 600 200", "cancel"], 0)
        start = len(stage.program.events)
        lines = tap_lines(8, 500, 300)
        stage.inject(*lines)
        check_log(stage, start, lines, 1)       # the id is free again
    stage.finish()


def check_window(checks, rig, options):
    """A window of its own size, another colour, the default duration."""
    stage = Stage(checks, rig, options, "window", "--size", "400x300", "--color", hexadecimal(ORANGE),
                  "--exit-after", "60")
    if not stage.wait_ready():
        return
    before = stage.settled()
    box = before.box_of(GROUND)
    if not stage.check("the window is on the screen", box is not None):
        return
    size = box[2] - box[0], box[3] - box[1]
    told = stage.ready["width"], stage.ready["height"]
    if rig.windows_float:
        stage.check("it has the size asked for", size == (400, 300) == told, "%s, said to be %s" % (size, told))
    place = round((box[0] + box[2]) / 2), round((box[1] + box[3]) / 2)
    tap_and_watch(stage, before, place, 1, offset=box[:2], color=ORANGE)
    stage.finish()


def check_styles(checks, rig, options):
    """Each style shows a drag and a tap, and leaves the ground as it was."""
    for style in STYLES:
        stage = Stage(checks, rig, options, "style-" + style, "--fullscreen", "--style", style, "--color", "finger",
                      "--exit-after", "60")
        if not stage.wait_ready():
            continue
        before = stage.settled()
        stage.inject("down 1 200 160", "frame", *(line for step in range(1, 8) for line in (
            "move 1 %d %d" % (200 + 25 * step, 160 + 10 * step), "frame")))
        seen, good = stage.until("drag", lambda shot: elsewhere(before, shot, []) is not None, 3)
        stage.check("a drag is seen", good)
        if style == "crosshair":
            lines = elsewhere(before, seen, [])
            stage.check("its lines go from edge to edge", lines[:2] == (0, 0) and lines[2:] == rig.logical, lines)
        stage.inject("up 1", "frame", *tap_lines(2, 480, 360))
        check_clean(stage, before, "after", 2 + FADED)
        stage.finish()


def check_end(checks, rig, options):
    """Its end by itself."""
    seconds = 2
    stage = Stage(checks, rig, options, "end", "--exit-after", str(seconds))
    if not stage.wait_ready():
        return
    status, _ = stage.program.end(seconds + 5)
    took = time.monotonic() - stage.program.started
    stage.check("--exit-after ends it with status 0", status == 0, "status %s; %s" % (status, stage.program.errors()))
    stage.check("in time", seconds - 0.1 < took < seconds + 2, "%.1f s" % took)


def check_outputs(checks, options, rig, area, live):
    """Marks and places on a scaled or rotated output; `live`: which then changes under the window."""
    stage = Stage(checks, rig, options, area, "--fullscreen", "--exit-after", "120")
    if not stage.wait_ready():
        return
    if live:
        stage.settled()
        rig.set_output(*live)
    else:
        check_size(stage)
        # Without fractional scale a client learns of its output's scale by entering it, after its first frame.
        scales = (rig.scale,) if rig.fractional else (1, math.ceil(rig.scale))
        stage.check("its scale is %s" % " or ".join("%g" % scale for scale in scales),
                    any(abs(stage.ready["scale"] - scale) < 0.01 for scale in scales), stage.ready)
    w, h = rig.logical
    before, full = stage.until(
        "before", lambda s: s.same_shape() and s.box_of(GROUND) == (0, 0, s.image.width / s.scale,
                                                                    s.image.height / s.scale), LONG_ENOUGH)
    stage.check("the ground fills the picture", full, before.box_of(GROUND))
    before = stage.settled()
    # Far enough from each other to be two hands on the smallest screen too: one hand's would have a caliper between them.
    fingers = {1: (round(w * 0.12) + 0.5, round(h * 0.12)), 2: (round(w * 0.88), round(h * 0.88))}
    _, marks = hold_and_lift(stage, before, fingers, "two-fingers")
    if rig.scale == 2 and marks[0].found:
        stage.check("it draws in the output's pixels", not marks[0].shot.doubled(marks[0].box))
    check_clean(stage, before, "after-two-fingers")
    stage.finish()


def check_unplugged(checks, rig, options):
    """The touchscreen is unplugged under a finger, and comes back."""
    stage = Stage(checks, rig, options, "unplug", "--fullscreen", "--exit-after", "60")
    if not stage.wait_ready():
        return
    before = stage.settled()
    stage.inject("down 1 300 300", "frame")
    stage.check("the finger is seen", stage.program.wait_for("down"))
    stage.until("held", lambda shot: not shot.equals(before), 3)
    stage.rig.send("touch off")
    check_clean(stage, before, "unplugged")
    stage.rig.send("touch on")
    stage.settled("plugged-again")
    start = len(stage.program.events)
    lines = tap_lines(1, 400, 200)
    stage.inject(*lines)
    check_log(stage, start, lines, 1)
    check_clean(stage, before, "after-wave", 1 + FADED)
    stage.program.process.send_signal(signal.SIGINT)
    status, _ = stage.program.end(5)
    stage.check("SIGINT ends it with status 0", status == 0, "status %s; %s" % (status, stage.program.errors()))


def check_keys(checks, rig, options):
    stage = Stage(checks, rig, options, "keys", "--size", "400x300", "--exit-after", "60")
    if not stage.wait_ready():
        return
    stage.settled()
    w, h = rig.logical
    rig.send("key %d 1" % KEY_F, "key %d 0" % KEY_F)
    shot, full = stage.until("f", lambda s: s.box_of(GROUND) == (0, 0, w, h), 5)
    stage.check("f fills the screen", full, shot.box_of(GROUND))
    rig.send("key %d 1" % KEY_ESC, "key %d 0" % KEY_ESC)
    status, took = stage.program.end(5)
    stage.check("Esc ends it with status 0", status == 0 and took < 2, "status %s after %.1f s" % (status, took))


def check_pointer(checks, rig, options):
    """A click stands in for a tap."""
    stage = Stage(checks, rig, options, "pointer", "--fullscreen", "--exit-after", "60")
    if not stage.wait_ready():
        return
    before = stage.settled()
    stage.inject("pointer 300 300", "button %d 1" % BTN_LEFT, "sleep 60", "button %d 0" % BTN_LEFT)
    stage.program.wait_for("gesture")
    found = taps(stage.program.since(0))
    stage.check("one tap", len(found) == 1, found)
    check_tap_gesture(stage, found, 1, (300, 300))
    check_clean(stage, before, "after-wave", 1 + FADED)
    stage.finish()


def check_hotplug(checks, rig, options):
    """The window covers the second output, which goes away under a finger."""
    first = rig.logical
    rig.send("output add 800 600")
    stage = Stage(checks, rig, options, "hotplug", "--output", "HEADLESS-2", "--exit-after", "60")
    if not stage.wait_ready():
        return
    told = stage.ready["width"], stage.ready["height"]
    stage.check("it has the size of the output that was named", told == (800, 600), told)
    stage.shot("before")        # the compositor has the window when it has answered this
    lines = tap_lines(1, first[0] + 100, 90)
    stage.inject(*lines)
    check_log(stage, 0, lines, 1, offset=(first[0], 0))
    start = len(stage.program.events)
    stage.inject("down 2 %d 300" % (first[0] + 300), "frame")
    stage.check("a finger is seen there", stage.program.wait_for("down", since=start))
    rig.send("output remove")
    shot, full = stage.until("moved", lambda s: s.box_of(GROUND) == (0, 0, *first), 5)
    stage.check("without that output the window covers the other", full, shot.box_of(GROUND))
    stage.inject("up 2", "frame")
    start = len(stage.program.events)
    lines = tap_lines(3, 500, 500)
    stage.inject(*lines)
    check_log(stage, start, lines, 1)
    stage.program.process.send_signal(signal.SIGTERM)
    status, _ = stage.program.end(5)
    stage.check("SIGTERM ends it with status 0", status == 0, "status %s; %s" % (status, stage.program.errors()))


def check_deaf_stdout(checks, rig, options):
    """Nobody reads the log: the window goes on, whether its reader is gone or only never reads."""
    for closed in (True, False):
        area = "closed" if closed else "full"
        stage = Stage(checks, rig, options, area, "--fullscreen", "--exit-after", "60")
        if not stage.wait_ready():
            continue
        before = stage.settled()
        stage.program.stop_reading(closed)
        rig.send("down 1 100 100", "frame")
        if not closed:          # some 300 KB of log, more than any pipe holds
            rig.send(*(line for i in range(3000) for line in ("move 1 %d 100" % (100 + i % 500), "frame")))
        rig.send("up 1", "frame")
        rig.send("down 2 300 300", "frame")
        shot, seen = stage.until("held", lambda s: Mark(before, s, (300, 300), 30).found, 5)
        stage.check("a finger is still shown", seen)
        rig.send("up 2", "frame")
        stage.program.process.send_signal(signal.SIGTERM)
        status, took = stage.program.end(5)
        stage.check("SIGTERM still ends it with status 0", status == 0 and took < 2,
                    "status %s after %.1f s" % (status, took))


def check_control(checks, rig, options):
    """Told things while it runs: by its socket, by signals, by a configuration that is read again."""
    config = os.path.join(rig.env["XDG_RUNTIME_DIR"], "check.ini")
    about = subprocess.run([options.program, "--version"], capture_output=True, text=True).stdout
    reads_files = "configuration files: yes" in about

    def write_config(text):
        with open(config, "w") as f:
            f.write(text)
        os.chmod(config, 0o644)

    write_config("duration = 3\n")
    stage = Stage(checks, rig, options, "control", "--fullscreen", "--name", "rig", "--exit-after", "120",
                  *(("--config", config) if reads_files else ("--duration", "3")))
    if not stage.wait_ready():
        return
    before = stage.settled()
    x, y = rig.logical[0] / 2, rig.logical[1] / 2

    def ctl(*words):
        done = subprocess.run([options.program, "ctl", "--name", "rig", *words], env=rig.env, capture_output=True,
                              text=True, timeout=20)
        return done.returncode, done.stdout, done.stderr.strip()

    def tap_shows():
        """Taps, and whether the picture changes; the tap must be logged either way."""
        start = len(stage.program.events)
        stage.inject(*tap_lines(5, x, y))
        _, changed = stage.until("tap", lambda shot: not shot.equals(before), 1.5)
        stage.check("the tap is logged", stage.program.wait_for("gesture", 1, start, LONG_ENOUGH))
        return changed

    status, text, error = ctl("--json", "status")
    lines = [json.loads(line) for line in text.splitlines()]
    stage.check("ctl status answers", status == 0 and [l["type"] for l in lines[:1]] == ["status"], error)
    if lines:
        stage.check("it tells the process and the window", lines[0]["pid"] == stage.program.process.pid
                    and lines[0]["width"] == stage.program.last_size()[0], lines[0])
    socket = os.path.join(rig.env["XDG_RUNTIME_DIR"], "fingerwave-rig.socket")
    stage.check("its socket is its user's alone", os.stat(socket).st_mode & 0o777 == 0o600,
                oct(os.stat(socket).st_mode))
    second = subprocess.run([options.program, "--name", "rig"], env=rig.env, capture_output=True, text=True, timeout=20)
    stage.check("a second one of its name is refused", second.returncode == 1 and "--name" in second.stderr,
                second.stderr)

    stage.check("ctl pause", ctl("pause")[0] == 0)
    stage.check("paused, a tap shows nothing", not tap_shows())
    stage.program.process.send_signal(signal.SIGUSR1)
    time.sleep(0.2)
    stage.check("after SIGUSR1 it shows", tap_shows())
    stage.check("ctl clear", ctl("clear")[0] == 0)
    check_clean(stage, before, "cleared")
    check_idle(stage)

    if reads_files:
        write_config("background = FF8000\nsize = 100x100\n[x\n")
        stage.program.process.send_signal(signal.SIGHUP)
        time.sleep(0.3)
        stage.check("a wrong configuration is told with its line", "check.ini:3: " in stage.program.errors(),
                    stage.program.errors())
        check_clean(stage, before, "kept")
        # --background is on the command line, which wins over the file.
        write_config("color = %s\nradius = 200\nsize = 100x100\n" % hexadecimal(ORANGE))
        stage.program.process.send_signal(signal.SIGHUP)
        time.sleep(0.3)
        stage.check("what needs a restart is named", "size stays as it is" in stage.program.errors(),
                    stage.program.errors())
        stage.inject("down 6 %g %g" % (x, y), "frame")
        large = []

        def grown(shot):
            large.append(Mark(before, shot, (x, y), 60))
            return large[-1].radius > 35        # a fifth of 200
        stage.check("SIGHUP brings the new look", stage.until("reloaded", grown, 3)[1], large[-1].radius)
        stage.inject("up 6", "frame")

    status, _, error = ctl("quit")
    ended, took = stage.program.end(5)
    stage.check("ctl quit ends it with status 0", (status, ended) == (0, 0) and took < 2,
                "%s %s %s" % (status, ended, error))
    stage.check("and its socket is gone", not os.path.exists(socket))
    stage.check("then nobody answers", ctl("status")[0] == 2)


def check_compositor_dies(checks, rig, options):
    stage = Stage(checks, rig, options, "crash", "--fullscreen", "--exit-after", "60")
    if not stage.wait_ready():
        return
    os.kill(rig.compositor_pid(), signal.SIGKILL)
    status, took = stage.program.end(5)
    message = stage.program.errors()
    stage.check("a compositor that dies: status 2", status == 2, "status %s" % status)
    stage.check("within two seconds", took < 2, "%.1f s" % took)
    stage.check("and a message", message.startswith("fingerwave: ") and "\n" not in message, message)


def output_runs(rig):
    """(area, scale, transform, live change or None) for each output that the kind can have."""
    if rig.kind in ("weston", "weston-kiosk"):
        return [("scale2", 2, 0, None), ("rotated", 1, 90, None)]
    if rig.kind == "mutter":
        return [("scale2", 2, 0, None), ("rotated", 1, 90, None), ("live", 1, 0, (2, 90))]
    if rig.changes_output:
        return [("scale2", 2, 0, None), ("scale1.5", 1.5, 0, None), ("rotated", 1, 90, None),
                ("both", 1.5, 270, None), ("live", 1, 0, (2, 90))]
    return []


def run_kind(kind, options):
    """All checks of one rig; what came of them."""
    checks, rig = Checks(kind), KINDS[kind]
    if lacking := rig.lacks():
        checks.note("FAIL" if options.require_all else "skip", "-", "not run", "lacks " + ", ".join(lacking))
        return checks.results
    shutil.rmtree(os.path.join(HERE, "out", kind), ignore_errors=True)
    os.makedirs(os.path.join(HERE, "out", kind))

    def guarded(area, scale, transform, *runs):
        running = None
        try:
            # mutter's scale 2 wants room; the others are quicker with less.
            size = (1600, 1200) if kind == "mutter" and area in ("scale2", "live") else (960, 720)
            running = rig(size, scale, transform)
            for run in runs:
                run(checks, running)
        except (RigError, OSError, subprocess.SubprocessError) as error:
            checks.note("FAIL", area, "the rig works", str(error))
        finally:
            if running:
                with open(os.path.join(HERE, "out", kind, area + ".compositor"), "w") as f:
                    f.write(running.log_text())
                running.stop()

    def full(checks, running):
        check_fullscreen(checks, running, options)

    def window(checks, running):
        check_window(checks, running, options)

    def control(checks, running):
        check_control(checks, running, options)

    def crash(checks, running):
        check_compositor_dies(checks, running, options)

    more = [lambda checks, running, check=check: check(checks, running, options) for can, check in (
        (rig.unplugs, check_unplugged), (rig.has_keys, check_keys), (rig.has_pointer, check_pointer),
        (kind in ("wlr", "weston-kiosk"), check_styles), (kind == "wlr", check_end), (kind == "wlr", check_hotplug),
        (kind == "wlr", check_deaf_stdout)) if can]

    if options.quick:
        guarded("fullscreen", 1, 0, full)
        return checks.results
    guarded("fullscreen", 1, 0, full, window, *more, control, crash)
    for area, scale, transform, live in output_runs(rig):
        guarded(area, scale, transform,
                lambda checks, running: check_outputs(checks, options, running, area, live))
    return checks.results


def run_worker(script, kind, options, *arguments):
    """The checks of one rig in a process of its own, since a rig makes its process the parent of all its orphans."""
    command = [PYTHON, os.path.join(HERE, script), "--program", options.program, "--worker", kind, *arguments]
    command += ["--require-all"] * options.require_all
    results = []
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
    for line in process.stdout:
        print(line, end="", flush=True)
        words = line.split(None, 3)
        if len(words) > 2 and words[0] in ("ok", "FAIL", "skip") and words[1] == kind:
            results.append((words[0], words[2]))
    if process.wait():
        print("FAIL %-12s %-10s the checks ran to their end: status %d" % (kind, "-", process.returncode), flush=True)
        results.append(("FAIL", "-"))
    return results


def parsed(parser):
    """The options, with the program's whole path; a signal that ends the script ends its rigs as well."""
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    if not os.access(options.program, os.X_OK):
        parser.error("%s is not there: build it, or say where with --program" % options.program)
    for sig in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(sig, lambda number, _: sys.exit(128 + number))
    return options


def table(results):
    areas = list(dict.fromkeys(area for rows in results.values() for _, area in rows))
    print("\n%-13s" % "" + "".join("%12s" % area for area in areas))
    for kind, rows in results.items():
        cells = []
        for area in areas:
            count = collections.Counter(result for result, a in rows if a == area)
            cells.append("%d FAILED" % count["FAIL"] if count["FAIL"] else
                         "%d ok" % count["ok"] if count["ok"] else "skipped" if count["skip"] else "")
        print("%-13s" % kind + "".join("%12s" % cell for cell in cells))
    total = collections.Counter(result for rows in results.values() for result, _ in rows)
    print("\n%d passed, %d failed, %d skipped" % (total["ok"], total["FAIL"], total["skip"]))
    return 1 if total["FAIL"] or not total else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(HERE, "../../.build/release/fingerwave"))
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--require-all", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    options = parsed(parser)
    if options.worker:
        run_kind(options.worker, options)
        return 0
    kinds = options.kinds.split(",")
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        parser.error("no such kind: " + ", ".join(unknown))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = dict(zip(kinds, pool.map(
            lambda kind: run_worker("matrix.py", kind, options, *["--quick"] * options.quick), kinds)))
    return table(results)


if __name__ == "__main__":
    sys.exit(main())
