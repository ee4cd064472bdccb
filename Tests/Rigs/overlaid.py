"""`fingerwave overlay` above an app in a rig: what the app gets, what is to be seen, what the overlay asks for."""
import json
import os
import shutil
import signal
import subprocess
import time

import layers
from apps import MAGENTA, MARK_RADIUS, OUTLINE, TAPS_ALONE, WAVE_RADIUS, WEAK, Trace, mark_faults
from matrix import LONG_ENOUGH
from pixels import NOISE, Shot
from program import Program
from rig import HERE

APP = "weston-simple-touch"
APP_SIZE = 600, 500         # logical px; it takes no other
DURATION = 2.5              # s of a wave, in which a picture of it must come
TAP = 60                    # ms
QUIET = 10                  # s in which nothing must happen
LOOK = ("--color", MAGENTA, "--opacity", "1", "--duration", str(DURATION), *TAPS_ALONE)


def environment(rig, **more):
    """A client's, with a home that whoever runs it may read."""
    return dict(rig.env, HOME=rig.dir, **more)


def stamp():
    """ms, as touches have them."""
    return time.monotonic_ns() // 1000000 % 2**32


class Below:
    """The app that must get every touch. It draws where it is touched, in colours of its own that stay."""

    def __init__(self, rig, path, env=()):
        self.path = path
        with open(path, "w") as log:
            self.process = subprocess.Popen([*rig.prefix, APP], env=environment(rig, WAYLAND_DEBUG="1", **dict(env)),
                                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log)

    def touches(self):
        return layers.touches(layers.read(self.path))

    def wait_for(self, type, number, since=0, seconds=5):
        """Until it got that many touches of the type; what it got since."""
        end = time.monotonic() + seconds
        while True:
            found = self.touches()[since:]
            if sum(touch.type == type for touch in found) >= number or time.monotonic() > end:
                return found
            time.sleep(0.02)

    def end(self):
        self.process.kill()
        self.process.wait()


class Overlay(Program):
    """The program, its protocol log on its standard error, told of touches on its standard input."""

    def __init__(self, rig, program, path, *arguments, env=(), source="-", stdin=subprocess.PIPE):
        command = [*rig.prefix, program, "overlay", "--source", source, "--log=json", *LOOK, *arguments]
        super().__init__(command, environment(rig, WAYLAND_DEBUG="1", **dict(env)), path,
                         stdin if source == "-" else subprocess.DEVNULL)

    def tell(self, *events):
        for event in events:
            line = {"seat": "seat0", **event}
            if event["type"] not in ("frame", "cancel"):
                line.setdefault("time", stamp())
            self.process.stdin.write((json.dumps(line) + "\n").encode())
        self.process.stdin.flush()

    def layers(self):
        return layers.LayerLog(layers.read(self.error_path))

    def messages(self):
        """What it says to people."""
        return [line for line in self.errors().splitlines() if line.startswith("fingerwave: ")]

    def wait_ready(self):
        """Until it knows the outputs, and has nothing more to say to the compositor."""
        end = time.monotonic() + LONG_ENOUGH
        while "zwlr_layer_shell_v1" not in self.errors() and time.monotonic() < end and self.process.poll() is None:
            time.sleep(0.05)
        layers.wait_quiet(self.error_path)
        return self.process.poll() is None

    def wait_mapped(self, mapped):
        """Until it has something on the screen, or nothing; the surfaces that have."""
        end = time.monotonic() + DURATION + 3
        while True:
            found = self.layers().mapped
            if bool(found) == mapped or time.monotonic() > end:
                return found
            time.sleep(0.05)


def down(id, x, y, output=None):
    event = {"type": "down", "id": id, "x": x, "y": y}
    return dict(event, output=output) if output else event


def up(id):
    return {"type": "up", "id": id}


FRAME = {"type": "frame"}


def wave_faults(before, shot, place):
    return Trace(before, shot, WEAK).faults(place, (MARK_RADIUS + OUTLINE + 5, WAVE_RADIUS + OUTLINE + 1))


class Stage:
    """One rig with the app and the overlay, and the checks' names."""

    def __init__(self, checks, rig, options, area):
        self.checks, self.rig, self.area = checks, rig, area
        self.out = os.path.join(HERE, "out", "overlay-" + rig.kind)
        self.program = shutil.copy(options.program, os.path.join(rig.dir, "fingerwave"))
        self.below = self.overlay = self.app_colour = None
        self.runs = 0

    def check(self, text, good, detail=""):
        return self.checks.check(self.area, text, good, detail)

    def none(self, text, faults):
        return self.checks.none(self.area, text, faults)

    def path(self, name):
        return os.path.join(self.out, "%s-%s" % (self.area, name))

    def shot(self, name, output=None, logical=None):
        """A picture of the first output, or of another one whose logical size is told."""
        path = self.path(name + ".png")
        if output:
            self.rig.take_shot_of(output, path)
            return Shot(path, logical)
        self.rig.shot(path)
        shot = Shot(path, self.rig.logical)
        if not shot.same_shape():       # of outputs beside each other; all of them have scale 1 then
            shot.image = shot.image.crop((0, 0, *self.rig.logical))
            shot.scale = 1
        return shot

    def until(self, name, good, seconds, **which):
        """Takes pictures until one is good, four at least; the last one, and whether it was."""
        end, tries = time.monotonic() + seconds, 0
        while True:
            shot, tries = self.shot(name, **which), tries + 1
            if good(shot):
                return shot, True
            if tries >= 4 and time.monotonic() > end:
                return shot, False

    def still(self, name="before", seconds=LONG_ENOUGH, **which):
        """A picture that is like the one before it."""
        last = []

        def good(shot):
            same = bool(last) and shot.equals(last[-1])
            last.append(shot)
            return same
        return self.until(name, good, seconds, **which)[0]

    def start_below(self):
        """The app's window, and with what colour it begins."""
        empty = self.still("empty")
        self.below = Below(self.rig, self.path("below.log"))
        shot, shown = self.until("window", lambda s: not s.equals(empty), LONG_ENOUGH)
        self.still("window")
        shot = self.shot("window")
        box = shot.differences(empty, NOISE).getbbox()
        if not self.check("the app's window comes", shown and box, layers.read(self.below.path)[-300:]):
            return False
        self.app_colour = shot.image.getpixel(((box[0] + box[2]) // 2, (box[1] + box[3]) // 2))
        return True

    def start_overlay(self, *arguments, **more):
        self.runs += 1
        self.overlay = Overlay(self.rig, self.program, self.path("overlay-%d.log" % self.runs), *arguments, **more)
        return self.check("the overlay starts", self.overlay.wait_ready(), self.overlay.messages())

    def window(self, name):
        """Where the app's window is, once nothing moves; the logical box."""
        box = []

        def good(shot):
            box[:] = shot.box_of(self.app_colour) or []
            return box
        self.until(name, good, LONG_ENOUGH)
        self.still(name)
        self.until(name, good, LONG_ENOUGH)
        return tuple(box)

    def tap_through(self, name, ids=(1, 2), output=None):
        """Two fingers are held and lifted, then one taps, and the overlay is told so: the app gets all of it where it
        came, the marks and the wave are seen, and then nothing."""
        box = self.window(name + "-before")
        if not self.check("%s: the app is to be seen" % name, box):
            return
        places = [(round(box[0] + u * (box[2] - box[0])) + 0.5, round(box[1] + v * (box[3] - box[1])))
                  for u, v in ((0.25, 0.3), (0.75, 0.7), (0.4, 0.5))]
        # The first touch after a change may come as if the window were where it was (KWin 5.27 does that by itself).
        since = len(self.below.touches())
        self.rig.send("down %d %g %g" % (ids[0], *places[2]), "frame", "sleep 20", "up %d" % ids[0], "frame")
        self.check("%s: the app gets a first touch" % name,
                   [touch.type for touch in self.below.wait_for("up", 1, since)] == ["down", "up"])
        before, since = self.still(name + "-before"), len(self.below.touches())
        held = dict(zip(ids, places))
        self.rig.send(*("down %d %g %g" % (id, *place) for id, place in held.items()), "frame")
        self.overlay.tell(*(down(id, *place, output) for id, place in held.items()), FRAME)
        self.below.wait_for("down", 2, since)
        faults = []

        def good(shot):
            faults[:] = mark_faults(before, shot, list(held.values()))
            return not faults
        self.until(name + "-held", good, 3)
        self.none("%s: marks are where the overlay was told, and nothing elsewhere" % name, faults)
        for id in ids:
            self.rig.send("up %d" % id, "frame")
            self.overlay.tell(up(id), FRAME)
        self.clean(name, before)
        self.tap(name, before, ids[0], places[2], output)
        self.clean(name, before)
        self.none("%s: the app got every touch where it came" % name,
                  self.app_faults(self.below.wait_for("up", 3, since), places, box))

    def tap(self, name, before, id, place, output=None):
        faults = []

        def good(shot):
            found = wave_faults(before, shot, place)
            # When the last picture is taken it may have ended.
            if not found:
                faults.clear()
            elif found != faults[-1:]:
                faults.extend(found)
            return not found
        self.rig.send("down %d %g %g" % (id, *place), "frame")
        began = stamp()
        self.overlay.tell(dict(down(id, *place, output), time=began), FRAME)
        time.sleep(TAP / 1000)
        self.rig.send("up %d" % id, "frame")
        self.overlay.tell(dict(up(id), time=(began + TAP) % 2**32), FRAME)    # a tap on a busy machine too
        self.until(name + "-wave", good, DURATION)
        self.none("%s: a wave grows from the tap" % name, faults)

    def app_faults(self, got, places, box):
        """What the app got, against where it was touched; the window's place is that of the first touch."""
        types = [touch.type for touch in got if touch.type != "motion"]
        if sorted(types) != ["down"] * 3 + ["up"] * 3:
            return ["it got " + " ".join(types)]
        downs = [touch for touch in got if touch.type == "down"]
        origin = places[0][0] - downs[0].x, places[0][1] - downs[0].y
        faults = ["a touch at %g,%g came at %g,%g of the window, which is at %g,%g" % (
                      *place, touch.x, touch.y, *origin) for place, touch in zip(places, downs)
                  if abs(place[0] - touch.x - origin[0]) > 1 or abs(place[1] - touch.y - origin[1]) > 1]
        whole = abs(box[2] - box[0] - APP_SIZE[0]) < 1 and abs(box[3] - box[1] - APP_SIZE[1]) < 1
        if whole and (abs(origin[0] - box[0]) > 1.5 or abs(origin[1] - box[1]) > 1.5):
            faults.append("the window is at %g,%g, and its touches came as if at %g,%g" % (*box[:2], *origin))
        return faults

    def clean(self, name, before, **which):
        shot, gone = self.until(name + "-after", lambda s: Trace(before, s, WEAK).mask.getbbox() is None,
                                DURATION + 2, **which)
        self.check("%s: nothing of it stays" % name, gone, Trace(before, shot, WEAK).elsewhere((), 0))

    def check_unmapped(self, name):
        left = self.overlay.wait_mapped(False)
        self.check("%s: then no surface is mapped" % name, not left, ["wl_surface@%d" % s.id for s in left])

    def no_system_call(self):
        """For some seconds in which nothing happens."""
        time.sleep(1)           # what the compositor has still to say
        trace = self.path("strace")
        done = subprocess.run(["timeout", str(QUIET), "strace", "-f", "-o", trace, "-p", str(self.overlay.process.pid)],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        # A call that a thread is in is told, and its end with strace.
        calls = [line for line in layers.read(trace).splitlines() if "detached" not in line]
        threads = {line.split()[0] for line in calls}
        self.check("%d s without a touch: no system call" % QUIET,
                   "attached" in done.stderr and len(calls) == len(threads), calls[:5] or done.stderr)

    def finish(self):
        """SIGTERM, and what must be right of every run."""
        if self.overlay:
            self.overlay.process.send_signal(signal.SIGTERM)
            status, took = self.overlay.end(5)
            self.check("SIGTERM ends it with status 0", status == 0,
                       "status %s; %s" % (status, self.overlay.messages()))
            self.check("within a second", took < 1, "%.1f s" % took)
            self.none("every line of the log is JSON", self.overlay.bad_lines)
            self.none("every surface lets touches through before it shows anything, and is an overlay",
                      self.overlay.layers().faults)

    def end(self):
        """Whatever is left."""
        for one in (self.overlay, self.below):
            if one and one.process.poll() is None:
                one.process.kill()
                one.process.wait()
