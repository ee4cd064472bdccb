#!/usr/bin/python3
"""Runs apps by `fingerwave run` in the compositor rigs, touches them, and checks log, pixels and ends.

    apps.py [--program PATH] [--kinds wlr,sway,...] [--apps chromium,...] [--ci] [--direct] [--require-all] [--jobs N]

The waves have a colour that no app shows, so that they are found whatever the app draws meanwhile. --ci runs the pairs
that find most in two minutes. --direct runs the apps without fingerwave: whether a fault is the compositor's or the
app's own. The screenshots and logs stay in out/apps-KIND/ for a person to look at.
"""
import argparse
import concurrent.futures
import dataclasses
import os
import shutil
import signal
import subprocess
import sys
import time

from PIL import Image, ImageChops, ImageDraw

from compositors import KINDS, NOBODY
from ends import check_ends, check_transparency
from matrix import GROUND, LONG_ENOUGH, Checks, parsed, run_worker, table
from pixels import NOISE, Shot
from program import Program, contact_faults, match_faults, presented_faults
from rig import HERE, RigError

MAGENTA = "ff00ff"
MARK_RADIUS, WAVE_RADIUS, OUTLINE = 15, 75, 3       # the program's defaults, logical px
ARC = 10                        # logical px around a mark, in which an arc tells of a press's duration
DURATION = 3                                        # s of a wave: a picture can take a second of it
STRONG, WEAK = 200, 24          # how much more magenta than before a mark's middle is at least, and a wave's last trace
# No other gesture than a tap, since many are drawn.
TAPS_ALONE = ("--touch-slop", "500px", "--multi-finger-slop", "500px", "--tap-timeout", "400",
              "--long-press-timeout", "60000")
HOLD = 0.6                      # s: longer than a tap
PAGES = os.path.join(HERE, "pages")
CHAT = ("the app is not offered", "fingerwave ctl finds this run")      # what -v says when all is well


@dataclasses.dataclass(frozen=True)
class App:
    """How an app is started, and what is known of it."""
    command: tuple              # {dir}: a folder of its own; {page}: pages/
    package: str                # Debian's
    # Whether it shows GROUND, and the same before and after it is touched, waves apart.
    is_still: bool = True
    # Its status after SIGTERM.
    term: tuple = (128 + signal.SIGTERM,)
    # Connections without a wl_touch make no mark. Where in its window it is touched (parts of width and height).
    places: tuple = ((0.3, 0.45), (0.7, 0.75), (0.5, 0.6))
    warm: float = 0.3           # s that it goes on changing after its window came
    weak: int = WEAK            # more, for an app that shows colours of that kind; its waves then last longer
    duration: float = DURATION
    size: tuple = (960, 720)    # of the screen, for an app that wants a certain one
    environment: tuple = ()


APPS = {
    "simple-touch": App(("weston-simple-touch",), "weston", is_still=False),
    "wev": App(("wev",), "wev", is_still=False),
    "terminal": App(("weston-terminal", "--shell=/bin/cat"), "weston", is_still=False),
    "subsurfaces": App(("weston-subsurfaces",), "weston", is_still=False, weak=140,
                       duration=8),
    "gtk4": App(("gtk4-demo", "--run=gestures"), "gtk-4-examples", is_still=False),
    # Where no button opens a dialog above what is looked at.
    "gtk4-widgets": App(("gtk4-widget-factory",), "gtk-4-examples", is_still=False,
                        places=((0.2, 0.72), (0.7, 0.75), (0.5, 0.6))),
    "qt5": App(("qmlscene", "{page}/touch.qml"), "qmlscene",
               environment=(("QT_QPA_PLATFORM", "wayland"), ("QT_QUICK_BACKEND", "software"))),
    "chromium": App(("chromium", "--ozone-platform=wayland", "--kiosk", "--no-first-run", "--no-sandbox",
                     "--disable-gpu", "--user-data-dir={dir}/chromium", "file://{page}/plain.html"), "chromium",
                    term=(0, 143), warm=1),
    "firefox": App(("firefox-esr", "--kiosk", "--no-remote", "--profile", "{dir}/firefox", "file://{page}/plain.html"),
                   "firefox-esr", term=(0, 143), warm=2, environment=(("MOZ_ENABLE_WAYLAND", "1"),)),
    "cog": App(("cog", "--platform=wl", "file://{page}/plain.html"), "cog", term=(0, 143), warm=1, size=(1024, 768),
               environment=(("WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "1"),)),
}

# What a compositor or an app does wrong without us too, by (kind or "*", app): the checks that then do not hold, and
# why. Such a check is made all the same, and said to be known when it fails.
KNOWN = {
    ("sway", "simple-touch"): (("a mark", "a wave", "nothing of the waves"),
                               "sway 1.7 damages subsurfaces of a window that is smaller than its tile beside their place"),
    ("cage", "chromium"): (("the list opens",),
                           "cage 0.1.4 sends no wl_touch.frame, without which chromium takes no touch for a click"),
    ("weston-kiosk", "gtk4-widgets"): (("its window comes",),
                                       "its window is larger than the screen, which weston takes for a protocol error"),
}

# Apps whose protocol logs are compared: (command, whether the order of all messages is the same each time, environment).
TRANSPARENT = (
    (("weston-simple-touch",), True, ()), (("wev",), True, ()), (("gtk4-demo", "--run=gestures"), False, ()),
    (("qmlscene", "{page}/touch.qml"), False, (("QT_QPA_PLATFORM", "wayland"), ("QT_QUICK_BACKEND", "software"))),
)

# (kind, apps) whose checks take two minutes, and that differ most.
CI = (
    ("weston-kiosk", "chromium,gtk4"), ("cage", "simple-touch"), ("mutter", "gtk4,qt5"), ("kwin", "chromium,gtk4"),
    ("sway", "gtk4"), ("phoc", "simple-touch"), ("wlr", "gtk4"),
)


def out_folder(kind, options):
    return os.path.join(HERE, "out", ("direct-" if options.direct else "apps-") + kind)


def magenta(shot):
    """How magenta each pixel is: 255 for what is nothing else, 0 for greys, red and blue."""
    r, g, b = shot.image.split()
    return ImageChops.subtract(ImageChops.darker(r, b), g)


class Trace:
    """What has become more magenta between two pictures: marks and waves."""

    def __init__(self, before, after, least):
        self.after = after
        self.mask = ImageChops.subtract(magenta(after), magenta(before)).point(lambda v: 255 if v >= least else 0)

    def box(self, place, reach, is_round=False):
        """The logical box of it within `reach` of the place, or None: in the square around, or in the circle alone."""
        s = self.after.scale
        corner = [int(round(n * s)) for n in (place[0] - reach, place[1] - reach)]
        size = int(round(2 * reach * s))
        part = self.mask.crop((corner[0], corner[1], corner[0] + size, corner[1] + size))
        if is_round:
            circle = Image.new("L", part.size)
            ImageDraw.Draw(circle).ellipse((0, 0, size - 1, size - 1), fill=255)
            part = ImageChops.multiply(part, circle)
        box = part.getbbox()
        return box and tuple((n + corner[i % 2]) / s for i, n in enumerate(box))

    def faults(self, place, radius, slack=1.5):
        """What is wrong with it as a whole circle of that radius (a range) around the place."""
        box = self.box(place, radius[1] + 25)
        if not box:
            return ["nothing at %g,%g" % place]
        x, y, w, h = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, box[2] - box[0], box[3] - box[1]
        faults = []
        if abs(x - place[0]) > slack or abs(y - place[1]) > slack:
            faults.append("centre at %.1f,%.1f instead of %g,%g" % (x, y, *place))
        if abs(w - h) > 2 * slack:
            faults.append("%.1f wide and %.1f high" % (w, h))
        if not radius[0] <= max(w, h) / 2 <= radius[1]:
            faults.append("radius %.1f, not %g to %g" % (max(w, h) / 2, *radius))
        return faults

    def elsewhere(self, places, reach):
        """The logical box of it that is nowhere near the places, or None."""
        mask, s = self.mask.copy(), self.after.scale
        for x, y in places:
            mask.paste(0, tuple(int(round(n * s)) for n in (x - reach, y - reach, x + reach, y + reach)))
        box = mask.getbbox()
        return box and tuple(n / s for n in box)


def mark_faults(before, shot, places):
    """What is wrong with the marks at the places; nothing of ours may be elsewhere."""
    trace, faults = Trace(before, shot, STRONG), []
    for place in places:
        # The disc alone: around it an arc begins to tell of a long press.
        box = trace.box(place, MARK_RADIUS + OUTLINE + 1, is_round=True)
        if not box:
            faults.append("nothing at %g,%g" % place)
            continue
        centre, size = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), (box[2] - box[0], box[3] - box[1])
        if any(abs(c - p) > 1.5 for c, p in zip(centre, place)):
            faults.append("centre at %.1f,%.1f instead of %g,%g" % (*centre, *place))
        if any(abs(s / 2 - MARK_RADIUS) > 2 for s in size):
            faults.append("%.1f wide and %.1f high at %g,%g" % (*size, *place))
    if box := trace.elsewhere(places, MARK_RADIUS + OUTLINE + ARC):
        faults.append("something in %s" % (box,))
    return faults


class Session:
    """One run of an app in a rig, by fingerwave or direct."""

    def __init__(self, checks, rig, options, name, area=None, arguments=()):
        self.checks, self.rig, self.name, self.app = checks, rig, name, APPS[name]
        self.area = area or name
        self.direct = options.direct
        # Of one app: nothing is asked of the compositor for the others, as without the option.
        self.asks_presented = rig.presentation and name == "gtk4"
        if self.asks_presented:
            arguments = (*arguments, "--log-presented")
        self.out = out_folder(rig.kind, options)
        self.folder = os.path.join(rig.dir, self.area)
        os.makedirs(self.folder + "/firefox", exist_ok=True)
        self.known = KNOWN.get((rig.kind, name)) or KNOWN.get(("*", name)) or ((), "")
        # What belongs to nobody is run by nobody: browsers refuse another user's XDG_RUNTIME_DIR.
        prefix, pages = [], os.path.join(rig.dir, "pages")
        program = shutil.copy(options.program, os.path.join(rig.dir, "fingerwave"))
        shutil.copytree(PAGES, pages, dirs_exist_ok=True)
        with open(self.folder + "/firefox/user.js", "w") as f:
            f.write("".join('user_pref("%s", %s);\n' % pair for pair in (
                ("datareporting.policy.dataSubmissionEnabled", "false"), ("browser.aboutwelcome.enabled", "false"),
                ("browser.startup.homepage_override.mstone", '"ignore"'), ("full-screen-api.warning.timeout", "0"),
                ("browser.shell.checkDefaultBrowser", "false"), ("browser.tabs.warnOnClose", "false"))))
        if os.getuid() == 0 and os.stat(rig.dir).st_uid == NOBODY:
            prefix = ["setpriv", "--reuid=%d" % NOBODY, "--regid=%d" % NOBODY, "--clear-groups"]
            for root, _, files in os.walk(self.folder):
                for path in [root] + [os.path.join(root, f) for f in files]:
                    os.chown(path, NOBODY, NOBODY)
        words = [word.format(dir=self.folder, page=pages) for word in self.app.command]
        wrapper = [] if self.direct else [program, "run", "-v", "--log=json", "--color", MAGENTA, "--opacity", "1",
                                          "--duration", str(self.app.duration), *TAPS_ALONE, *arguments, "--"]
        self.empty = self.ground()
        env = dict(rig.env, HOME=self.folder, **dict(self.app.environment))
        self.program = Program(prefix + wrapper + words, env, os.path.join(self.out, self.area + ".stderr"))

    def check(self, text, good, detail=""):
        if not good and any(part in text for part in self.known[0]):
            self.checks.note("skip", self.area, text, "known: " + self.known[1])
            return False
        return self.checks.check(self.area, text, good, detail)

    def none(self, text, faults):
        return self.check(text, not faults, "; ".join(faults[:4]))

    def shot(self, name):
        path = os.path.join(self.out, "%s-%s.png" % (self.area, name))
        try:
            self.rig.shot(path)
        except RigError:        # mutter's stream may give nothing while the screen stands still
            self.rig.shot(path)
        return Shot(path, self.rig.logical)

    def until(self, name, good, seconds):
        """Takes pictures until one is good, four at least; the last one, and whether it was."""
        end, tries = time.monotonic() + seconds, 0
        while True:
            shot, tries = self.shot(name), tries + 1
            if good(shot):
                return shot, True
            if tries >= 4 and time.monotonic() > end:
                return shot, False

    def ground(self):
        """The screen without the app, once a shell that draws it has done so."""
        last = []
        if self.rig.kind != "weston":       # whose desktop comes late
            return self.shot("empty")

        def good(shot):
            last.append(shot)
            return len(last) > 2 and shot.equals(last[-2]) and shot.equals(last[-3])
        return self.until("empty", good, LONG_ENOUGH)[0]

    def window(self):
        """The picture with the app's window, once it shows and stands still, and the window's box; None without it."""
        last = []

        def good(shot):
            same = bool(last) and shot.same_shape() and shot.equals(last[-1]) and not shot.equals(self.empty)
            last.append(shot)
            return same or self.program.process.poll() is not None
        def here(shot):
            return shot.box_of(GROUND) is not None if self.app.is_still else not shot.equals(self.empty)
        shot, shown = self.until("before", lambda s: here(s) or self.program.process.poll() is not None,
                                 3 * LONG_ENOUGH)
        if self.program.process.poll() is not None:
            shown = False
        if not self.check("its window comes", shown, "%s; %s" % (self.program.process.poll(),
                                                                 self.program.errors()[-400:])):
            return None
        time.sleep(self.app.warm)
        last.clear()
        shot, calm = self.until("before", good, LONG_ENOUGH if self.app.is_still else 0.5)
        if self.app.is_still:
            self.check("untouched it stands still", calm)
        box = shot.differences(self.empty, NOISE).getbbox()
        if box and max(box[2] - box[0], box[3] - box[1]) < 60 * shot.scale:
            # No window is as small: it is as black as the screen, and what is seen of it is its cursor.
            return shot, (0, 0, *self.rig.logical)
        return shot, tuple(n / shot.scale for n in box) if box else None

    def places(self, box):
        return [(round(box[0] + x * (box[2] - box[0])) + 0.5, round(box[1] + y * (box[3] - box[1])))
                for x, y in self.app.places]

    def inject(self, *lines):
        self.rig.send(*(line for one in lines for line in (one, "sleep 15")))

    def log_faults(self, start, lines):
        """The log since then against what was injected; the window's place is learnt from the first touch."""
        end = "cancel" if "cancel" in lines else "up"
        self.program.wait_for(end, sum(line.split()[0] == end for line in lines), start, LONG_ENOUGH)
        events = self.program.since(start)
        first = next((e for e in events if e["type"] == "down"), None)
        if not first:
            return ["no touch is logged"]
        x, y = (float(n) for n in lines[0].split()[2:])
        return match_faults(events, lines, (x - first["x"], y - first["y"]))

    def hold(self, before, places, name="held"):
        """Fingers go down near the places and move there: the marks; then they are lifted."""
        start = len(self.program.events)
        lines = ["down %d %g %g" % (n, x - 30, y - 20) for n, (x, y) in enumerate(places, 1)] + ["frame"]
        lines += [line for n, (x, y) in enumerate(places, 1) for line in ("move %d %g %g" % (n, x, y), "frame")]
        began = time.monotonic()
        self.inject(*lines)
        faults = []

        def good(shot):
            faults[:] = mark_faults(before, shot, places)
            return not faults
        self.until(name, good, 3)
        time.sleep(max(0, began + HOLD - time.monotonic()))
        self.none("a mark under each finger, and nothing elsewhere", faults)
        lifts = [line for n in range(1, len(places) + 1) for line in ("up %d" % n, "frame")]
        self.inject(*lifts)
        self.none("the log has the touches", self.log_faults(start, lines + lifts))

    def tap(self, before, place, name="wave"):
        start = len(self.program.events)
        lines = ["down 5 %g %g" % place, "frame", "up 5", "frame"]
        self.rig.send(*lines[:2], "sleep 60", *lines[2:])
        faults = []

        def good(shot):
            found = Trace(before, shot, self.app.weak).faults(place, (MARK_RADIUS + OUTLINE + 5, WAVE_RADIUS + OUTLINE + 1))
            if found or faults:     # by the last picture it may have ended
                faults.append(", ".join(found))
            if not found:
                faults.clear()
            return not found
        self.until(name, good, self.app.duration)
        self.none("a wave grows from the tap", faults)
        self.none("the log has the tap", self.log_faults(start, lines) or self.tap_faults(start))

    def tap_faults(self, start):
        self.program.wait_for("gesture", 1, start, LONG_ENOUGH)
        found = [e for e in self.program.since(start) if e["type"] == "gesture" and e.get("gesture") == "tap"]
        return [] if len(found) == 1 and found[0]["fingers"] == 1 else ["taps: %s" % found]

    def clean(self, before, name="after"):
        shot, gone = self.until(name, lambda s: Trace(before, s, self.app.weak).mask.getbbox() is None,
                                self.app.duration + 2)
        self.check("nothing of the waves stays", gone, Trace(before, shot, self.app.weak).elsewhere((), 0))
        if self.app.is_still:
            shot, same = self.until(name, lambda s: not s.differences(before, NOISE).getbbox(), 2)
            self.check("the app's picture is as before", same, shot.differences(before, NOISE).getbbox())

    def finish(self):
        self.program.process.send_signal(signal.SIGTERM)
        status, took = self.program.end(10)
        if status is not None and status < 0:
            status = 128 - status
        self.check("it ends as the app does", status in self.app.term,
                   "status %s, not %s; %s" % (status, self.app.term, self.program.errors()[-300:]))
        if not self.direct:
            self.none("every line of the log is JSON", self.program.bad_lines)
            self.none("every contact begins and ends once", contact_faults(self.program.events))
            if self.asks_presented:
                self.none("touches are said to have been seen",
                          presented_faults(self.program.events, self.rig.presentation == "times"))
            own = [line for line in self.program.errors().splitlines()
                   if line.startswith("fingerwave: ") and not any(said in line for said in CHAT)]
            self.none("it has nothing to complain of", own)
            stray = [name for name in os.listdir(self.rig.dir) if name.startswith(("wayland-", "fingerwave-"))
                     and name not in (self.rig.display, self.rig.display + ".lock")]
            self.none("its socket is gone", stray)

    def end(self):
        """Whatever is left."""
        if self.program.process.poll() is None:
            self.program.process.kill()
            self.program.process.wait()


def check_app(checks, rig, options, name, area=None):
    session = Session(checks, rig, options, name, area)
    try:
        shown = session.window()
        if not shown:
            return
        before, box = session.window() if not shown[1] else shown
        *held, tapped = session.places(box)
        if session.direct:
            session.inject("down 1 %g %g" % held[0], "frame", "up 1", "frame")
            time.sleep(1)
            session.shot("after")
            return session.finish()
        session.hold(before, held)
        session.tap(before, tapped)
        session.clean(before)
        session.finish()
    finally:
        session.end()


def check_popup(checks, rig, options):
    """A browser's popup: the wave of the tap that has opened it lies above it as far as it reaches, and so does the mark of
    a finger that is held on it. Lifting that chooses, which is the app's."""
    session = Session(checks, rig, options, "chromium", "popup")
    session.app = dataclasses.replace(session.app, is_still=False)
    try:
        shown = session.window()
        if not shown:
            return
        before, _ = shown
        rig.send("down 1 150 64", "frame", "sleep 60", "up 1", "frame")

        def faults(shot):
            """What is wrong with the wave. The list is looked for below it."""
            open_list = shot.differences(before, 60).crop(tuple(int(n * shot.scale) for n in (60, 150, 240, 300)))
            if open_list.getbbox() is None:
                return ["no list"]
            return Trace(before, shot, WEAK).faults((150, 64), (40, WAVE_RADIUS + OUTLINE))
        shot, whole = session.until("popup-wave", lambda s: not faults(s), DURATION)
        session.none("the wave lies on the list too", [] if whole else faults(shot))
        popup, seen = session.until("popup", lambda s: s.differences(before, 60).crop(
            tuple(int(n * s.scale) for n in (60, 100, 240, 300))).getbbox() is not None
            and Trace(before, s, WEAK).mask.getbbox() is None, DURATION + 3)
        if not session.check("the list opens", seen):
            return
        session.hold(popup, [(150, 180)], "popup-held")
        session.clean(before, "popup-after")
        session.finish()
    finally:
        session.end()


def output_runs(rig):
    """(area, size, scale, transform) for each output that the kind can have."""
    if rig.kind in ("weston", "weston-kiosk", "mutter"):
        size = (1600, 1200)
        return [("scale2", size, 2, 0), ("rotated", (960, 720), 1, 90)]
    if rig.changes_output:
        return [("scale2", (1600, 1200), 2, 0), ("scale1.5", (1200, 900), 1.5, 0), ("rotated", (960, 720), 1, 90)]
    return []


def run_kind(kind, options):
    """All checks of one rig; what came of them."""
    checks, rig = Checks(kind), KINDS[kind]
    if lacking := rig.lacks():
        checks.note("FAIL" if options.require_all else "skip", "-", "not run", "lacks " + ", ".join(lacking))
        return
    out = out_folder(kind, options)
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)

    def guarded(area, size, scale, transform, *runs):
        running = None
        try:
            running = rig(size, scale, transform)
            for run in runs:
                run(checks, running)
        except (RigError, OSError, subprocess.SubprocessError) as error:
            checks.note("FAIL", area, "the rig works", str(error))
        finally:
            if running:
                with open(os.path.join(out, area + ".compositor"), "w") as f:
                    f.write(running.log_text())
                running.stop()

    names = options.apps.split(",") if options.apps else list(APPS)
    present = []
    for name in names:
        if shutil.which(APPS[name].command[0]):
            present.append(name)
        else:
            checks.note("FAIL" if options.require_all else "skip", name, "not run",
                        "lacks " + APPS[name].package)
    # One compositor for each app: what one leaves behind is not another's fault.
    for name in present:
        guarded(name, APPS[name].size, 1, 0, lambda checks, running: check_app(checks, running, options, name))
    if options.direct:
        return
    if kind in ("weston-kiosk",) or not options.ci and kind in ("kwin", "mutter"):
        if not options.apps or options.ci:
            for words, strict, environment in TRANSPARENT:
                if shutil.which(words[0]):
                    guarded("same-log", (960, 720), 1, 0, lambda checks, running: check_transparency(
                        checks, running, options, [w.format(page=PAGES) for w in words], strict, environment))
    if kind == "weston-kiosk" or not options.ci and kind in ("weston", "wlr", "kwin", "mutter"):
        if not options.apps or options.ci:
            guarded("ends", (960, 720), 1, 0, lambda checks, running: check_ends(checks, running, options))
    if options.ci:
        return
    if "chromium" in present and not kind.startswith("wlr"):
        guarded("popup", (960, 720), 1, 0, lambda checks, running: check_popup(checks, running, options))
    for area, size, scale, transform in output_runs(rig):
        for name in ("simple-touch", "gtk4", "chromium"):
            if name in present:
                guarded(area, size, scale, transform, lambda checks, running: check_app(
                    checks, running, options, name, area + "-" + name))


def run_apart(kind, apps, options):
    arguments = ["--ci"] * options.ci + ["--direct"] * options.direct + (["--apps", apps] if apps else [])
    return run_worker("apps.py", kind, options, *arguments)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(HERE, "../../.build/release/fingerwave"))
    parser.add_argument("--kinds")
    parser.add_argument("--apps", default="")
    parser.add_argument("--ci", action="store_true")
    parser.add_argument("--direct", action="store_true")
    parser.add_argument("--require-all", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    options = parsed(parser)
    if unknown := [a for a in options.apps.split(",") if a and a not in APPS]:
        parser.error("no app named %s: there are %s" % (", ".join(unknown), ", ".join(APPS)))
    if options.worker:
        return run_kind(options.worker, options) or 0
    if options.ci:
        work = list(CI)
    else:
        kinds = options.kinds.split(",") if options.kinds else list(KINDS)
        if unknown := [kind for kind in kinds if kind not in KINDS]:
            parser.error("no rig named %s: there are %s" % (", ".join(unknown), ", ".join(KINDS)))
        work = [(kind, options.apps) for kind in kinds]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = dict(zip((kind for kind, _ in work), pool.map(lambda one: run_apart(*one, options), work)))
    return table(results)


if __name__ == "__main__":
    sys.exit(main())
