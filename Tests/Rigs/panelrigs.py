"""Compositors that read touch panels by libinput, as on a real machine: the panels are panel.py's."""
import glob
import os
import shutil

from compositors import NOBODY, X_SOCKETS, Wlroots
from panel import LIBRARY, WRAPPER
from rig import HERE, PYTHON

SECOND_AT = 1600        # logical px: where the second output begins


class Panelled(Wlroots):
    """An unmodified wlroots compositor, headless but for libinput. Commands are those of panel.py. `panel_env` lets any
    other program see the same panels; `prefix` starts it as who may (sway and cage refuse to be root)."""
    unplugs = False         # panel.py's "add" and "remove" instead of "touch on|off"
    outputs = 1

    def compositor(self, command):
        self.prefix = []
        library = shutil.copy(LIBRARY, self.dir)
        for name in ("rig.py", "evemu.py", "fingers.py", "panel.py"):       # another user may be unable to read ours
            shutil.copy(os.path.join(HERE, name), self.dir)
        if os.getuid() == 0:
            for root, _, files in os.walk(self.dir):
                for path in [root] + [os.path.join(root, f) for f in files]:
                    os.chown(path, NOBODY, NOBODY)
            self.prefix = ["setpriv", "--reuid=%d" % NOBODY, "--regid=%d" % NOBODY, "--clear-groups"]
        root, preload = self.helper(self.prefix + [WRAPPER, PYTHON, self.dir + "/panel.py", "--serve", self.socket],
                                    TMPDIR=self.dir)
        self.panel_env = {"UMOCKDEV_DIR": root, "LD_PRELOAD": library + ":" + preload}
        self.send("add 0 4096x4096 WL_OUTPUT=HEADLESS-1")       # wlroots waits for a first device
        # libseat's own server within the compositor: without a terminal it must not look for one.
        process = self.spawn(self.prefix + command, WLR_BACKENDS="headless,libinput", WLR_RENDERER="pixman",
                             WLR_HEADLESS_OUTPUTS=str(self.outputs), LIBSEAT_BACKEND="builtin", SEATD_VTBOUND="0",
                             **self.panel_env)
        display = self.wait_for("wayland-*", process=process)
        self.send("openers 0 1")
        return display


class SwayPanel(Panelled):
    """A window of any app floats at the corner of its output."""
    kind = "sway-panel"
    needs = ("bin/libmock-panel.so", WRAPPER, "sway", "swaymsg", "grim")

    def start(self):
        config = self.write("sway.conf", """xwayland disable
output * resolution %dx%d
output HEADLESS-1 position 0 0
output HEADLESS-2 position %d 0
workspace 1 output HEADLESS-1
workspace 2 output HEADLESS-2
for_window [app_id=".*"] floating enable, border none, move position 0 0
""" % (*self.mode, SECOND_AT))
        return self.compositor(["sway", "-c", config])

    def more_env(self):
        return {"SWAYSOCK": glob.glob(self.dir + "/sway-ipc.*.sock")[0]}

    def set_output(self, scale, transform, name="HEADLESS-1"):
        # sway turns the other way round: its 90 is wl_output's 270.
        self.run("swaymsg", "output %s scale %g transform %d" % (name, scale, (360 - transform) % 360))
        if name == "HEADLESS-1":
            self.scale, self.transform = scale, transform

    def take_shot(self, path, name="HEADLESS-1"):
        self.run("grim", "-o", name, path)


class SwayPanels(SwayPanel):
    """Two outputs side by side, one for each workspace."""
    kind = "sway-panels"
    outputs = 2


class CagePanel(Panelled):
    """cage ends with the program that it starts, so that is one that waits."""
    kind = "cage-panel"
    needs = ("bin/libmock-panel.so", WRAPPER, "cage", "grim")
    sends_frames = False
    changes_output = False

    def start(self):
        if os.getuid() == 0 and not os.path.isdir(X_SOCKETS):
            os.mkdir(X_SOCKETS)
            os.chmod(X_SOCKETS, 0o1777)
        return self.compositor(["cage", "--", "sleep", "infinity"])


PANEL_KINDS = {rig.kind: rig for rig in (SwayPanel, SwayPanels, CagePanel)}
