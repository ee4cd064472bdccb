"""`fingerwave overlay --source libinput` beside a compositor that reads the same panels: for overlay.py. The app below
tells where the compositor sees a touch; the mark must be there."""
import subprocess
import time

import layers
from apps import STRONG, WEAK, Trace
from matrix import LONG_ENOUGH
from overlaid import DURATION, Below, Overlay, Stage, environment, mark_faults
from pixels import Shot

PARTS = (0.21, 0.33), (0.62, 0.17), (0.44, 0.71)        # of the panel, within the app's window on every output
CALIBRATIONS = {        # first two rows of the matrix
    "turned by 90 degrees": "0,-1,1,1,0,0", "turned by 180 degrees": "-1,0,1,0,-1,1",
    "turned by 270 degrees": "0,1,0,-1,0,1", "shrunk and moved": "0.5,0,0.25,0,0.8,0.1",
}
NAMES = "HEADLESS-1", "HEADLESS-2"
SCALES = 1, 2, 1.5
REACH = 60              # logical px around a touch in which its mark is looked for


class PanelStage(Stage):
    """The overlay reads the panels that the compositor reads. `app` is a Below at the corner of an output."""

    def begin(self, *arguments):
        count = 2 if self.overlay and self.overlay.process.poll() is None else 1
        if not self.start_overlay(*arguments, source="libinput", env=self.rig.panel_env):
            return False
        self.rig.send("openers 0 %d" % (count + 1))
        return True

    def app(self, name):
        app = Below(self.rig, self.path("below-%s.log" % name))
        end = time.monotonic() + LONG_ENOUGH
        while "wl_keyboard" not in (text := layers.read(app.path)) and ".attach(wl_buffer" not in text:
            if time.monotonic() > end:
                break
            time.sleep(0.05)
        layers.wait_quiet(app.path, 0.4)
        return app

    def logical_of(self, output):
        return self.rig.logical if output == NAMES[0] else self.second

    def shot(self, name, output=NAMES[0], logical=None):
        path = self.path(name + ".png")
        self.rig.take_shot_of(output, path)
        return Shot(path, logical or self.logical_of(output))

    def same_place(self, name, app, parts, panel=0, output=NAMES[0]):
        """A finger on each part of the panel: the mark against what the app was told."""
        faults = []
        for number, (u, v) in enumerate(parts):
            before, since = self.still("%s-before" % name, output=output), len(app.touches())
            self.rig.send("down %d 1 %g %g" % (panel, u, v), "frame %d" % panel)
            got = [touch for touch in app.wait_for("down", 1, since) if touch.type == "down"]
            if not got:
                faults.append("the app got no touch for %g,%g" % (u, v))
            else:
                place, found = (got[0].x, got[0].y), []

                def good(shot):
                    found[:] = mark_faults(before, shot, [place])
                    return not found
                self.until("%s-%d" % (name, number), good, 3, output=output)
                faults += found
            self.rig.send("up %d 1" % panel, "frame %d" % panel)
            self.gone("%s-%d" % (name, number), before, output)
        self.none("%s: marks are where the app is touched" % name, faults)

    def gone(self, name, before, output=NAMES[0]):
        shot, good = self.until(name + "-after", lambda s: Trace(before, s, WEAK).mask.getbbox() is None,
                                DURATION + 2, output=output)
        if not good:
            self.check("%s: nothing of it stays" % name, False, Trace(before, shot, WEAK).elsewhere((), 0))
        return good


def with_stage(area):
    """A check as a function of its stage, which it leaves to be ended."""
    def wrap(check):
        def run(checks, rig, options):
            stage = PanelStage(checks, rig, options, area)
            try:
                check(stage, rig, options)
                if stage.overlay and stage.overlay.process.poll() is None:
                    stage.finish()
            finally:
                stage.end()
        return run
    return wrap


@with_stage("places")
def check_places(stage, rig, options):
    """Every rotation and scale of the output, changed under the overlay."""
    if not stage.begin():
        return
    for transform in (0, 90, 180, 270):
        for scale in SCALES:
            if options.ci and (transform, scale) not in ((0, 1), (90, 1.5), (180, 2), (270, 1)):
                continue
            rig.set_output(scale, transform)
            name = "%d-x%g" % (transform, scale)
            app = stage.app(name)
            stage.same_place(name, app, PARTS[:2] if options.ci else PARTS)
            app.end()
    stage.check_unmapped("at last")


@with_stage("calibrated")
def check_calibrated(stage, rig, options):
    """libinput's calibration matrix, from udev."""
    if not stage.begin():
        return
    app = stage.app("calibrated")
    for name, matrix in CALIBRATIONS.items():
        rig.send("remove 0", "add 0 4096x4096 WL_OUTPUT=%s LIBINPUT_CALIBRATION_MATRIX=%s" % (NAMES[0], matrix),
                 "openers 0 2")
        time.sleep(0.3)
        stage.same_place(name.replace(" ", "-"), app, PARTS[:1] if options.ci else PARTS)
    app.end()


@with_stage("unplugged")
def check_unplugged(stage, rig, options):
    """The panel goes under two fingers; it comes back, and another with it, of another seat."""
    if not stage.begin():
        return
    app = stage.app("unplugged")
    before = stage.still("before")
    rig.send("down 0 1 0.3 0.3", "down 0 2 0.6 0.6", "frame 0")
    places = [(180, 150), (360, 300)]
    _, good = stage.until("held", lambda s: not mark_faults(before, s, places), 3)
    stage.check("two marks are seen", good)
    rig.send("remove 0")
    stage.check("unplugged, no mark stays", stage.gone("removed", before))
    stage.check_unmapped("unplugged")
    rig.send("add 0 4096x4096 WL_OUTPUT=%s" % NAMES[0], "openers 0 2",
             "add 1 800x600 ID_SEAT=seat1 WL_OUTPUT=%s" % NAMES[0])
    time.sleep(0.5)
    app.end()               # sway tells it of no end of those touches
    app = stage.app("plugged")
    stage.same_place("plugged-again", app, PARTS[:1])
    before = stage.still("seat1-before")
    rig.send("down 1 1 0.5 0.5", "frame 1")
    time.sleep(0.5)
    stage.check("another seat's panel is nothing to it",
                Trace(before, stage.shot("seat1"), STRONG).mask.getbbox() is None)
    app.end()


@with_stage("dropped")
def check_dropped(stage, rig, options):
    """The kernel drops frames in which one finger is lifted and another comes: libevdev asks the device."""
    if not stage.begin():
        return
    app = stage.app("dropped")
    before = stage.still("before")

    def marks(name, *places):
        faults = []

        def good(shot):
            faults[:] = mark_faults(before, shot, places)
            return not faults
        stage.until(name, good, DURATION + 3)
        stage.none("%s: the marks" % name, faults)
    rig.send("down 0 1 0.25 0.2", "down 0 2 0.75 0.8", "frame 0")
    marks("two fingers", (150, 100), (450, 400))
    rig.send("up 0 1", "down 0 3 0.5 0.4", "lose 0", "drop 0", "move 0 2 0.7 0.8", "frame 0")
    marks("after the loss", (300, 200), (420, 400))
    rig.send("up 0 2", "lose 0", "drop 0", "up 0 3", "frame 0")
    stage.check("at last no mark stays", stage.gone("lifted", before))
    stage.check_unmapped("at last")
    types = [touch.type for touch in app.touches()]
    stage.check("the compositor saw no more of it", types.count("down") == types.count("up"), types)
    app.end()


@with_stage("pair")
def check_pair(stage, rig, options):
    """Two panels, each with an output of its own, touched at once; then a map that says otherwise."""
    rig.send("add 1 1280x800 mm=217x136 WL_OUTPUT=%s" % NAMES[1], "openers 1 1")
    rig.set_output(2, 90, NAMES[1])
    stage.second = rig.mode[1] / 2, rig.mode[0] / 2
    if not stage.begin():
        return
    rig.send("openers 1 2")
    apps = []
    for number in (1, 2):
        rig.run("swaymsg", "workspace %d" % number)
        apps.append(stage.app("pair-%d" % number))
    befores = [stage.still("before-" + name, output=name) for name in NAMES]
    since = [len(app.touches()) for app in apps]
    rig.send("down 0 1 0.3 0.3", "down 1 1 0.4 0.6", "frame 0", "frame 1", "down 0 2 0.7 0.6", "frame 0")
    for app, name, before, start, count in zip(apps, NAMES, befores, since, (2, 1)):
        downs = [t for t in app.wait_for("down", count, start) if t.type == "down"]
        faults = []

        def good(shot):
            faults[:] = mark_faults(before, shot, [(touch.x, touch.y) for touch in downs])
            return not faults
        stage.until("both-" + name, good, 3, output=name)
        stage.check("%s: the app got its panel's touches alone" % name, len(downs) == count, downs)
        stage.none("%s: marks are where the app is touched" % name, faults)
    rig.send("up 0 1", "up 0 2", "frame 0", "up 1 1", "frame 1")
    for name, before in zip(NAMES, befores):
        stage.gone(name, before, name)
    for app in apps:
        app.end()
    stage.finish()

    rig.send("remove 1", "add 1 1280x800", "openers 1 1")
    if not stage.begin("--map", "event1=" + NAMES[0]):
        return
    rig.send("openers 1 2")
    before = stage.still("mapped-before")
    rig.send("down 1 1 0.25 0.5", "frame 1")
    place, faults = (0.25 * rig.logical[0], 0.5 * rig.logical[1]), []

    def mapped(shot):
        faults[:] = mark_faults(before, shot, [place])
        return not faults
    stage.until("mapped", mapped, 3)
    stage.none("--map: the mark is on the output that it names", faults)
    rig.send("up 1 1", "frame 1")
    stage.gone("mapped", before)


@with_stage("idle")
def check_idle(stage, rig, options):
    """With panels open and nobody touching: no system call."""
    if not stage.begin():
        return
    rig.send("down 0 1 0.5 0.5", "frame 0", "up 0 1", "frame 0")
    stage.check("a touch maps a surface", stage.overlay.wait_mapped(True), "none")
    stage.check_unmapped("touched")
    stage.no_system_call()


@with_stage("split")
def check_split(stage, rig, options):
    """The reader is another process, which may be another user's; the reader says what it may not open."""
    env = environment(rig, **rig.panel_env)
    with open(stage.path("events.log"), "w") as errors:
        reader = subprocess.Popen([*rig.prefix, stage.program, "events", "--source", "libinput"], env=env,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors)
    stage.overlay = Overlay(rig, stage.program, stage.path("overlay.log"), stdin=reader.stdout)
    reader.stdout.close()
    try:
        stage.check("the overlay starts", stage.overlay.wait_ready(), stage.overlay.messages())
        rig.send("openers 0 2")
        app = stage.app("split")
        stage.same_place("split", app, PARTS[:2])
        app.end()
    finally:
        reader.terminate()
        reader.wait()
    status, _ = stage.overlay.end(5)
    stage.check("when the reader ends it ends with status 0", status == 0,
                "%s; %s" % (status, stage.overlay.messages()))


@with_stage("denied")
def check_denied(stage, rig, options):
    """A panel that may not be opened: the message says which, and what gives the permission."""
    rig.send("deny 0 yes")
    stage.overlay = Overlay(rig, stage.program, stage.path("overlay.log"), env=rig.panel_env, source="libinput")
    status, _ = stage.overlay.end(5)
    stage.check("it ends with status 2", status == 2, status)
    said = " ".join(stage.overlay.messages())
    for word in ("/dev/input/event0", "input", "udev", "fingerwave events"):
        stage.check("the message names %s" % word, word in said, said)


PANEL_CHECKS = (
    ("places", ("sway-panel",), check_places), ("calibrated", ("sway-panel",), check_calibrated),
    ("unplugged", ("sway-panel",), check_unplugged), ("dropped", ("sway-panel",), check_dropped),
    ("pair", ("sway-panels",), check_pair), ("idle", ("sway-panel",), check_idle),
    ("split", ("sway-panel",), check_split), ("denied", ("sway-panel",), check_denied),
)
