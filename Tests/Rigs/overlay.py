#!/usr/bin/python3
"""Runs `fingerwave overlay` above an app in the compositor rigs: the app gets every touch, the waves are seen.

    overlay.py [--program PATH] [--kinds wlr,sway,...] [--ci] [--require-all] [--jobs N]

The kinds are all of rig.py. Those with layer-shell are touched by their own means, and the overlay is told of the same
touches on its standard input; sway-panel and sway-panels have mocked panels, which compositor and overlay read by
libinput (panelchecks.py). Of the others, what it says and its exit status are checked. --ci runs what finds most in
three minutes.
Pictures and protocol logs stay in out/overlay-KIND/ for a person to look at.
"""
import argparse
import concurrent.futures
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import time

import layers
from compositors import KINDS
from ends import resident
from matrix import Checks, parsed, run_worker, table
from overlaid import APP, DURATION, FRAME, Overlay, Stage, down, mark_faults, up
from panelchecks import PANEL_CHECKS
from panelrigs import PANEL_KINDS
from rig import HERE, RigError, all_kinds

STORM = 100             # times that an output comes and goes
FLOOD = 20000           # motions while nobody answers
SCREEN = 3 * 960 * 720 * 4      # bytes of the most buffers that a surface has
GROWTH = 1 << 20        # bytes that the program may grow by in that
LATENCIES = 11          # first touches that are measured
NO_LAYER_SHELL = 4      # its exit status where the compositor has none


def check_through(checks, rig, options):
    """Touches pass through the overlay, whatever has become of the output."""
    stage = Stage(checks, rig, options, "through")
    try:
        if not stage.start_below() or not stage.start_overlay():
            return
        stage.check_unmapped("untouched")
        name = rig.output_names()[0]
        stage.tap_through("fresh", output=name)
        stage.check_unmapped("fresh")
        if not options.ci:
            stage.tap_through("no output named")
        for step, change in output_changes(rig, options):
            change()
            layers.wait_quiet(stage.overlay.error_path)
            stage.tap_through(step, output=rig.output_names()[0])
        stage.check_unmapped("at last")
        cancelled(stage)
        stage.finish()
    finally:
        stage.end()


def output_changes(rig, options):
    """(name, what to do) for each change that the rig can make to its output."""
    def gone():
        rig.drop_output()
        time.sleep(0.5)
    if rig.outputs > 1:         # one without the app, which is not needed any more
        found = [("one gone", gone), ("returned", rig.return_output), ("gone again", gone)]
    else:
        found = [("returned", lambda: (gone(), rig.return_output()))]
    if options.ci:
        found.append(("scale 2 rotated", lambda: rig.set_output(2, 90)))
        if rig.kind != "wlr":
            return found
    else:
        found += [("scale 2", lambda: rig.set_output(2, 0)), ("rotated", lambda: rig.set_output(1, 90)),
                  ("scale 1.5 rotated", lambda: rig.set_output(1.5, 270))]
    found.append(("straight", lambda: rig.set_output(1, 0)))
    if rig.changes_mode:
        found.append(("mode 1280x800", lambda: rig.set_mode(1280, 800)))
    return found


def cancelled(stage):
    """A finger that was cancelled leaves no wave."""
    before = stage.still("cancel-before")
    stage.overlay.tell(down(5, 200, 150), FRAME)
    stage.until("cancel-held", lambda s: not mark_faults(before, s, [(200, 150)]), 3)
    stage.overlay.tell({"type": "cancel"})
    stage.clean("cancelled", before)
    stage.check_unmapped("cancelled")


def check_kept(checks, rig, options):
    """--keep-mapped: the surface stays, and still lets touches through."""
    stage = Stage(checks, rig, options, "kept")
    try:
        if not stage.start_below() or not stage.start_overlay("--keep-mapped"):
            return
        stage.check("a surface is mapped before any touch", stage.overlay.wait_mapped(True), "none")
        stage.tap_through("kept")
        layers.wait_quiet(stage.overlay.error_path)
        stage.check("and after it", stage.overlay.layers().mapped, "none")
        stage.finish()
    finally:
        stage.end()


def check_sources(checks, rig, options):
    """A recording, and lines that were there before the compositor had answered: nothing of them is lost, and their end
    is the program's."""
    stage = Stage(checks, rig, options, "sources")
    place, hold = (300, 200), 2500
    lines = "".join(json.dumps(event) + "\n" for event in (
        dict(down(1, *place), seat="seat0", time=1000), dict(FRAME, seat="seat0"),
        dict(up(1), seat="seat0", time=1000 + hold), dict(FRAME, seat="seat0")))
    path = os.path.join(rig.dir, "touches.json")
    with open(path, "w") as f:
        f.write(lines)
    os.chmod(path, 0o644)
    before = stage.still()
    for name in ("file", "standard input"):
        log = stage.path(name.replace(" ", "-") + ".log")
        with open(path) as f:
            stage.overlay = Overlay(rig, stage.program, log, source=path if name == "file" else "-", stdin=f)
        if name == "file":
            shot, seen = stage.until(name, lambda s: not mark_faults(before, s, [place]), hold / 1000)
            stage.none("a file's first touch is seen", mark_faults(before, shot, [place]))
        status, _ = stage.overlay.end(hold / 1000 + DURATION + 5)
        stage.check("%s: with its end it ends, status 0" % name, status == 0,
                    "%s; %s" % (status, stage.overlay.messages()))
        types = [event["type"] for event in stage.overlay.events if event["type"] in ("down", "up")]
        stage.check("%s: its log has the touch" % name, types == ["down", "up"], types)
        stage.check("%s: something was drawn" % name, stage.overlay.layers().drawn, stage.overlay.messages())
        stage.none("%s: the surface lets touches through" % name, stage.overlay.layers().faults)
    start = time.monotonic()
    stage.overlay = Overlay(rig, stage.program, stage.path("paced.log"), "--speed=5", "--loop=2",
                            "--long-press-timeout=%d" % (hold / 2), source=path)
    status, _ = stage.overlay.end(hold / 1000 + DURATION + 5)
    took = time.monotonic() - start
    stage.check("five times as fast, twice: it ends, status 0", status == 0 and took < 2 * hold / 1000,
                "%s after %.1f s; %s" % (status, took, stage.overlay.messages()))
    types = [event["type"] for event in stage.overlay.events if event["type"] in ("down", "up")]
    stage.check("five times as fast, twice: its log has the touches", types == 2 * ["down", "up"], types)
    presses = [event["duration"] for event in stage.overlay.events
               if (event.get("gesture"), event.get("phase")) == ("long-press", "ended")]
    stage.check("five times as fast, twice: presses are as long as they were", presses == 2 * [hold], presses)


def check_outputs(checks, rig, options):
    """Two outputs of different scales and rotations; marks on both at once; a very wide one."""
    stage = Stage(checks, rig, options, "outputs")
    try:
        first, second = rig.output_names()[0], rig.add_output(800, 600)
        turn(rig, second, 1.5, 270)
        turn(rig, first, 2, 90)
        sizes = {first: (rig.mode[1] / 2, rig.mode[0] / 2), second: (400, 533)}
        if not stage.start_overlay():
            return
        places = {first: (100.5, 300), second: (350, 90)}
        befores = {name: stage.still(name + "-before", output=name, logical=sizes[name]) for name in sizes}
        stage.overlay.tell(*(down(id, *places[name], name) for id, name in enumerate(places)), FRAME)
        for name in sizes:
            seen(stage, name, befores[name], places[name], sizes[name])
        stage.overlay.tell(up(0), up(1), FRAME)
        for name in sizes:
            stage.clean(name, befores[name], output=name, logical=sizes[name])
        stage.check_unmapped("both")
        if rig.kind == "wlr":
            stage.rig.remove_output(second)
            wide = rig.add_output(7680, 320)
            layers.wait_quiet(stage.overlay.error_path)
            before = stage.still("wide-before", output=wide, logical=(7680, 320))
            stage.overlay.tell(down(4, 7600, 200, wide), FRAME)
            seen(stage, wide, before, (7600, 200), (7680, 320))
            stage.overlay.tell(up(4), FRAME)
            stage.clean(wide, before, output=wide, logical=(7680, 320))
        stage.overlay.tell(down(7, 10, 10, "NOWHERE-1"), FRAME, up(7), FRAME)
        stage.overlay.tell(down(8, 90000, 10, first), FRAME, up(8), FRAME)
        layers.wait_quiet(stage.overlay.error_path)
        stage.check("touches outside of all outputs are dropped", stage.overlay.process.poll() is None
                    and not stage.overlay.layers().mapped, stage.overlay.messages())
        stage.finish()
    finally:
        stage.end()


def turn(rig, name, scale, transform):
    """Scales and rotates one output of several."""
    if rig.kind == "sway":
        rig.run("swaymsg", "output %s scale %g transform %d" % (name, scale, (360 - transform) % 360))
    else:
        rig.run("wlr-randr", "--output", name, "--scale", str(scale), "--transform", str(transform))


def seen(stage, name, before, place, size):
    faults = []

    def good(shot):
        faults[:] = mark_faults(before, shot, [place])
        return not faults
    stage.until(name + "-held", good, 3, output=name, logical=size)
    stage.none("%s: its mark is in its place, and nothing elsewhere" % name, faults)


def open_files(pid):
    return len(os.listdir("/proc/%d/fd" % pid))


def check_storm(checks, rig, options):
    """An output that comes and goes, again and again, often under a finger."""
    stage = Stage(checks, rig, options, "storm")
    try:
        if not stage.start_below() or not stage.start_overlay():
            return
        pid = stage.overlay.process.pid

        def cycle(number):
            name = rig.add_output(640, 480)
            if number % 5 == 0:
                layers.wait_quiet(stage.overlay.error_path, 0.1, 2)
                stage.overlay.tell(down(9, 300, 200, name), FRAME)
                time.sleep(0.05)
            rig.remove_output(name)
            if number % 5 == 0:
                stage.overlay.tell(up(9), FRAME)

        for number in range(10):        # what is made once and kept
            cycle(number)
        layers.wait_quiet(stage.overlay.error_path)
        memory, files = resident(pid), open_files(pid)
        for number in range(STORM):
            cycle(number)
            if stage.overlay.process.poll() is not None:
                break
        layers.wait_quiet(stage.overlay.error_path)
        if not stage.check("it lives after %d times" % STORM, stage.overlay.process.poll() is None,
                           stage.overlay.messages()[-3:]):
            return
        stage.check("it has as many open files as before", open_files(pid) <= files,
                    "%d, not %d" % (open_files(pid), files))
        stage.check("it has not grown", resident(pid) - memory < GROWTH,
                    "by %d KB" % ((resident(pid) - memory) >> 10))
        stage.check("no surface of an output that went is left", len(
            [s for s in stage.overlay.layers().surfaces if s.is_alive]) <= 1, "some are")
        stage.tap_through("after the storm")
        stage.check_unmapped("after the storm")
        stage.finish()
    finally:
        stage.end()


def check_asleep(checks, rig, options):
    """A compositor that does not answer, or (sway) shows no picture: the overlay neither grows nor stays on the screen."""
    stage = Stage(checks, rig, options, "asleep")
    try:
        if not stage.start_overlay():
            return
        stage.overlay.tell(down(1, 100, 100), FRAME, up(1), FRAME)
        stage.check_unmapped("first touch")
        memory, compositor = resident(stage.overlay.process.pid), rig.compositor_pid()
        os.kill(compositor, signal.SIGSTOP)
        stage.overlay.tell(down(2, 100, 100), FRAME)
        for start in range(0, FLOOD, 1000):
            stage.overlay.tell(*(event for n in range(start, start + 1000) for event in (
                {"type": "motion", "id": 2, "x": 100 + n % 500, "y": 100}, FRAME)))
        stage.overlay.tell(up(2), FRAME)
        time.sleep(DURATION + 1)
        grown = resident(stage.overlay.process.pid) - memory
        os.kill(compositor, signal.SIGCONT)
        # Room for the buffers of one picture.
        stage.check("a stopped compositor under %d motions: it does not grow" % FLOOD, grown < 4 * GROWTH + SCREEN,
                    "by %d KB" % (grown >> 10))
        stage.check("it lives", stage.overlay.process.poll() is None, stage.overlay.messages()[-2:])
        stage.check_unmapped("woken")
        if rig.kind == "sway":
            rig.run("swaymsg", "output * dpms off")
            stage.overlay.tell(down(3, 100, 100), FRAME, up(3), FRAME)
            time.sleep(0.5)
            stage.check_unmapped("dark")
            rig.run("swaymsg", "output * dpms on")
        before = stage.still("awake")
        stage.overlay.tell(down(4, 300, 200), FRAME)
        shot, _ = stage.until("held", lambda s: not mark_faults(before, s, [(300, 200)]), 3)
        stage.none("and a touch is seen again", mark_faults(before, shot, [(300, 200)]))
        stage.overlay.tell(up(4), FRAME)
        stage.clean("awake", before)
        stage.finish()
    finally:
        stage.end()


def check_idle(checks, rig, options):
    """Nobody touches: no system call."""
    stage = Stage(checks, rig, options, "idle")
    try:
        if stage.start_overlay():
            stage.overlay.tell(down(1, 100, 100), FRAME, up(1), FRAME)
            stage.check("a touch maps a surface", stage.overlay.wait_mapped(True), "none")
            stage.check_unmapped("touched")
            stage.no_system_call()
            stage.finish()
    finally:
        stage.end()


def check_latency(checks, rig, options):
    """From a touch on standard input to the commit that shows it, printed: no limit holds on every machine."""
    for mode, arguments in (("unmapped", ()), ("--keep-mapped", ("--keep-mapped",))):
        stage = Stage(checks, rig, options, "latency")
        try:
            if not stage.start_overlay(*arguments, "--reduced-motion"):
                return
            took = []
            for _ in range(LATENCIES):
                start = layers.now()
                stage.overlay.tell(down(1, 100, 100), FRAME)
                time.sleep(0.3)
                stage.overlay.tell({"type": "cancel"})
                drawn = [(stamp - start) % 2**32 for stamp in stage.overlay.layers().drawn]
                took += sorted(us for us in drawn if us < 10**6)[:1]
                layers.wait_quiet(stage.overlay.error_path, 0.5)
            if stage.check("%s: each touch is shown" % mode, len(took) == LATENCIES, took):
                checks.note("info", "latency", "%s: from a first touch to the commit that shows it" % mode,
                            "median %.1f ms, worst %.1f ms" % (statistics.median(took) / 1000, max(took) / 1000))
            stage.finish()
        finally:
            stage.end()


def check_reconnect(checks, rig, options):
    """The compositor is killed; the overlay waits for the next one. Without --reconnect it ends."""
    stage = Stage(checks, rig, options, "reconnect")
    try:
        if not stage.start_overlay("--no-reconnect"):
            return
        ending = stage.overlay
        if not stage.start_overlay():
            return
        rig.restart()
        status, took = ending.end(5)
        stage.check("with --no-reconnect it ends with status 2", status == 2, "%s; %s" % (status, ending.messages()))
        stage.check("otherwise it stays", stage.overlay.process.poll() is None, stage.overlay.messages()[-2:])
        if not stage.start_below():
            return
        came = len(stage.overlay.layers().surfaces)
        time.sleep(3)           # its pauses grow
        stage.overlay.wait_ready()
        stage.tap_through("compositor came anew")
        stage.check("it has surfaces of the new one", len(stage.overlay.layers().surfaces) >= came, "none")
        stage.check_unmapped("compositor came anew")
        stage.finish()
    finally:
        stage.end()


def check_without(checks, rig, options):
    """No layer-shell: it says so, and what works there."""
    stage = Stage(checks, rig, options, "without")
    path = stage.path("overlay.log")
    overlay = Overlay(rig, stage.program, path)
    status, took = overlay.end(5)
    stage.check("it ends with status %d" % NO_LAYER_SHELL, status == NO_LAYER_SHELL,
                "%s; %s" % (status, overlay.messages()))
    said = " ".join(overlay.messages())
    stage.check("it names what is missing", "layer" in said, said)
    stage.check("and what works there", "fingerwave run" in said, said)


def checks_of(kind, options):
    """(area, outputs or None for the kind's own, size, check) of a rig of that kind."""
    small, normal = (600, 500), (960, 720)
    if kind in PANEL_KINDS:
        return [(area, None, small, check) for area, kinds, check in PANEL_CHECKS if kind in kinds]
    rig = KINDS[kind]
    if not rig.layer_shell:
        return [("without", None, normal, check_without)]
    # kwin lets nobody switch its only output off: it is the second one then.
    found = [("through", 2 if kind == "kwin" else None, normal, check_through)]
    if options.ci and kind == "wlr-kiosk":
        return []
    if not options.ci or kind == "wlr":
        found += [("kept", None, normal, check_kept), ("sources", None, normal, check_sources)]
    if rig.adds_outputs and (not options.ci or kind == "wlr"):
        found += [("outputs", None, normal, check_outputs), ("storm", None, normal, check_storm)]
    if kind == "wlr" or not options.ci:
        found += [("asleep", None, normal, check_asleep), ("idle", None, normal, check_idle),
                  ("latency", None, normal, check_latency), ("reconnect", None, normal, check_reconnect)]
    return found


def run_kind(kind, options):
    """All checks of one rig."""
    checks, rig = Checks(kind), all_kinds()[kind]
    lacking = rig.lacks() + ([] if shutil.which(APP) else [APP])
    if lacking:
        checks.note("FAIL" if options.require_all else "skip", "-", "not run", "lacks " + ", ".join(lacking))
        return
    out = os.path.join(HERE, "out", "overlay-" + kind)
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    os.chmod(out, 0o755)
    for area, outputs, size, check in checks_of(kind, options):
        running = None
        if options.only and area not in options.only.split(","):
            continue
        try:
            running = (type("With%dOutputs" % outputs, (rig,), {"outputs": outputs}) if outputs else rig)(size)
            check(checks, running, options)
        except (RigError, OSError, subprocess.SubprocessError) as error:
            checks.note("FAIL", area, "the rig works", " ".join(str(error).split())[-400:])
        finally:
            if running:
                with open(os.path.join(out, area + ".compositor"), "w") as f:
                    f.write(running.log_text())
                running.stop()


def run_apart(kind, options):
    return run_worker("overlay.py", kind, options, *["--ci"] * options.ci,
                      *(["--only", options.only] if options.only else []))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(HERE, "../../.build/release/fingerwave"))
    parser.add_argument("--kinds")
    parser.add_argument("--only", default="", help="these areas alone: through,storm,...")
    parser.add_argument("--ci", action="store_true")
    parser.add_argument("--require-all", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    options = parsed(parser)
    if options.worker:
        return run_kind(options.worker, options) or 0
    kinds = [kind for kind in (options.kinds or ",".join(all_kinds())).split(",") if kind not in all_kinds()
             or checks_of(kind, options)]
    if unknown := [kind for kind in kinds if kind not in all_kinds()]:
        parser.error("no rig named %s: there are %s" % (", ".join(unknown), ", ".join(all_kinds())))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = dict(zip(kinds, pool.map(lambda kind: run_apart(kind, options), kinds)))
    return table(results)


if __name__ == "__main__":
    sys.exit(main())
