"""The compositors that a rig can run, and how each is started, told to touch, rotated and photographed."""
import glob
import json
import os
import shutil
import tempfile

from rig import BIN, PYTHON, SOURCES, Rig, RigError

NOBODY = 65534
X_SOCKETS = "/tmp/.X11-unix"
WL_TRANSFORM = {0: 0, 90: 1, 180: 2, 270: 3}


class Wlroots(Rig):
    """A wlroots compositor: `wlr-randr` and `grim` work on all of them."""
    unplugs = True

    def take_shot(self, path):
        self.run("grim", path)

    def take_shot_of(self, output, path):
        """One output alone, in its own pixels."""
        self.run("grim", "-o", output, path)

    def output_names(self):
        """In the order of their making."""
        names = [line.split()[0] for line in self.run("wlr-randr").splitlines() if line and not line[0].isspace()]
        return sorted(names, key=lambda name: int(name.split("-")[-1]))

    def set_output(self, scale, transform, name=None):
        name = name or self.output_names()[0]
        self.run("wlr-randr", "--output", name, "--scale", str(scale), "--transform",
                 "normal" if transform == 0 else str(transform))
        self.scale, self.transform = scale, transform

    def set_mode(self, width, height):
        self.run("wlr-randr", "--output", self.output_names()[0], "--custom-mode", "%dx%d" % (width, height))
        self.mode = width, height

    # An output that goes does so for good; the next one has a name of its own.

    def drop_output(self):
        self.send("output remove")

    def return_output(self):
        self.add_output(*self.mode)

    def add_output(self, width, height):
        known = self.output_names()
        self.send("output add %d %d" % (width, height))
        return next(name for name in self.output_names() if name not in known)

    def remove_output(self, name):
        self.send("output remove")      # the last one


class Wlr(Wlroots):
    """wlr-rig, a small compositor of our own on the wlroots library; it can do what no other can (src/wlr-rig.c)."""
    kind = "wlr"
    needs = ("bin/wlr-rig", "grim", "wlr-randr")
    sends_cancel = True
    has_keys = True
    changes_mode = layer_shell = adds_outputs = True
    arguments = ()

    def start(self):
        return self.helper([BIN + "/wlr-rig", "-s", "%dx%d" % self.mode, "-c", self.socket, *self.arguments])[0]


class WlrKiosk(Wlr):
    """The same, with every window full screen."""
    kind = "wlr-kiosk"
    arguments = ("-k",)
    windows_float = False


class Shimmed(Wlroots):
    """An unmodified wlroots compositor, headless, with src/wlr-shim.c loaded into it as its touchscreen."""

    def compositor(self, command):
        # sway, cage and phoc refuse to run as root, and another user may be unable to read this folder.
        prefix = []
        shim = shutil.copy(BIN + "/libwlr-shim.so", self.dir)
        if os.getuid() == 0:
            for root, _, files in os.walk(self.dir):
                for path in [root] + [os.path.join(root, f) for f in files]:
                    os.chown(path, NOBODY, NOBODY)
            prefix = ["setpriv", "--reuid=%d" % NOBODY, "--regid=%d" % NOBODY, "--clear-groups"]
        process = self.spawn(prefix + command, WLR_BACKENDS="headless", WLR_LIBINPUT_NO_DEVICES="1",
                             WLR_RENDERER="pixman", WLR_HEADLESS_OUTPUTS=str(self.outputs), LD_PRELOAD=shim,
                             RIG_SOCKET=self.socket, RIG_SIZE="%dx%d" % self.mode)
        return self.wait_for("rig.sock", "wayland-*", process=process)

    def set_output(self, scale, transform):
        self.change(scale, transform)
        self.scale, self.transform = scale, transform
        self.send("size %d %d" % self.logical)

    def change(self, scale, transform):
        super().set_output(scale, transform)

    def set_mode(self, width, height):
        super().set_mode(width, height)
        self.send("size %d %d" % self.logical)


class Sway(Shimmed):
    kind = "sway"
    needs = ("bin/libwlr-shim.so", "sway", "swaymsg", "grim")
    windows_float = False
    size_comes_late = True
    changes_mode = layer_shell = adds_outputs = True

    def start(self):
        config = self.write("sway.conf", "xwayland disable\noutput * resolution %dx%d position 0 0\n"
                            "default_border none\n" % self.mode)
        return self.compositor(["sway", "-c", config])

    def more_env(self):
        return {"SWAYSOCK": glob.glob(self.dir + "/sway-ipc.*.sock")[0]}

    def change(self, scale, transform):
        # sway refuses wlr-randr, and turns the other way round: its 90 is wl_output's 270.
        self.run("swaymsg", "output * scale %g transform %d" % (scale, (360 - transform) % 360))

    def output_names(self):
        return [output["name"] for output in json.loads(self.run("swaymsg", "-r", "-t", "get_outputs"))]

    def set_mode(self, width, height):
        self.run("swaymsg", "output %s resolution %dx%d" % (self.output_names()[0], width, height))
        self.mode = width, height
        self.send("size %d %d" % self.logical)

    def add_output(self, width, height):
        name = super().add_output(width, height)
        # The configuration has all of them in one place, and of one size.
        self.run("swaymsg", "output %s resolution %dx%d position %d 0" % (name, width, height, 2 * self.mode[0]))
        return name


class Cage(Shimmed):
    kind = "cage"
    needs = ("bin/libwlr-shim.so", "cage", "grim")
    sends_frames = False    # its touch-frame handler came with cage 0.2
    changes_output = False
    windows_float = False
    size_comes_late = True

    def start(self):
        # It insists on a place for Xwayland's sockets, and refuses one that a third user has made: as root we make the
        # usual one.
        if os.getuid() == 0 and not os.path.isdir(X_SOCKETS):
            os.mkdir(X_SOCKETS)
            os.chmod(X_SOCKETS, 0o1777)
        # cage ends with the program that it starts; clients come from outside.
        return self.compositor(["cage", "--", "sleep", "infinity"])


class Phoc(Shimmed):
    kind = "phoc"
    needs = ("bin/libwlr-shim.so", "phoc", "grim", "wlr-randr")
    windows_float = False   # it maximises every window
    changes_mode = layer_shell = adds_outputs = True

    def start(self):
        config = self.write("phoc.ini", "[core]\nxwayland=false\n[output:HEADLESS-1]\nmode = %dx%d\nscale = 1\n"
                            % self.mode)
        return self.compositor(["phoc", "-C", config])


class WithBus(Rig):
    """A compositor with a D-Bus session of its own, which nothing can activate services on."""

    def start_bus(self):
        address = "unix:path=" + self.dir + "/bus"
        config = self.write("bus.conf", """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>%s</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/>
<allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
""" % address)
        process = self.spawn(["dbus-daemon", "--nofork", "--nopidfile", "--config-file=" + config])
        self.wait_for("bus", process=process)
        self.base["DBUS_SESSION_BUS_ADDRESS"] = address

    def more_env(self):
        return {"DBUS_SESSION_BUS_ADDRESS": self.base["DBUS_SESSION_BUS_ADDRESS"]}


class KWin(WithBus):
    kind = "kwin"
    needs = ("bin/kwin-touch", "bin/kwin-output", "kwin_wayland", "dbus-daemon", PYTHON)
    sends_cancel = True
    has_keys = True
    has_pointer = True
    fractional = True
    layer_shell = True

    def start(self):
        self.start_bus()
        # A copy, because the packaged file has a file capability that a container refuses to grant.
        program = shutil.copy(shutil.which("kwin_wayland"), self.dir)
        # Screenshots need OpenGL: O2 is llvmpipe here.
        process = self.spawn([program, "--virtual", "--width", str(self.mode[0]), "--height", str(self.mode[1]),
                              "--output-count", str(self.outputs), "--no-lockscreen", "--socket", "rig-kwin"], KWIN_WAYLAND_NO_PERMISSION_CHECKS="1",
                             KWIN_SCREENSHOT_NO_PERMISSION_CHECKS="1", KWIN_COMPOSE="O2")
        self.wait_for("rig-kwin", process=process)
        self.helper([BIN + "/kwin-touch", self.socket], WAYLAND_DISPLAY="rig-kwin")
        return "rig-kwin"

    def output_names(self):
        return [line.split()[0] for line in self.run(BIN + "/kwin-output").splitlines()]

    def drop_output(self):
        self.run(BIN + "/kwin-output", self.output_names()[-1], "enable", "0")

    def return_output(self):
        self.run(BIN + "/kwin-output", self.output_names()[-1], "enable", "1")

    def set_output(self, scale, transform):
        name = self.output_names()[0]
        self.run(BIN + "/kwin-output", name, "scale", str(scale), "transform", str(WL_TRANSFORM[transform]))
        self.scale, self.transform = scale, transform

    def take_shot(self, path):
        self.run(PYTHON, SOURCES + "/kwin-shot.py", path)


class Mutter(WithBus):
    kind = "mutter"
    presentation = "times"
    needs = ("mutter", "pipewire", "wireplumber", "gst-launch-1.0", "dbus-daemon", PYTHON)

    def start(self):
        self.start_bus()
        self.wait_for("pipewire-0", process=self.spawn(["pipewire"]))
        self.spawn(["wireplumber"])
        process = self.spawn(["mutter", "--headless", "--wayland", "--no-x11", "--virtual-monitor",
                              "%dx%d" % self.mode, "--wayland-display", "rig-mutter"], XDG_SESSION_TYPE="wayland")
        self.wait_for("rig-mutter", process=process)
        self.helper([PYTHON, SOURCES + "/mutter-touch.py", self.socket])
        return "rig-mutter"

    def set_output(self, scale, transform):
        self.send("output %d %g" % (WL_TRANSFORM[transform], scale))
        self.scale, self.transform = scale, transform

    def take_shot(self, path):
        with open(self.dir + "/node") as f:
            node = f.read()
        # On a busy machine a stream now and then begins without a picture and waits for ever.
        for attempt in range(3):
            try:
                return self.run("timeout", "15", "gst-launch-1.0", "-q", "pipewiresrc", "path=" + node, "num-buffers=1",
                                "!", "videoconvert", "!", "pngenc", "!", "filesink", "location=" + path)
            except RigError:
                if attempt == 2:
                    raise


class Weston(Rig):
    kind = "weston"
    needs = ("bin/weston-touch.so", "weston", "weston-screenshooter")
    changes_output = False      # at its start only
    presentation = "of another clock"
    unplugs = True
    shell = "desktop-shell.so"
    CONFIG = """[core]
idle-time=0
[shell]
panel-position=none
background-color=0xff203040
locking=false
animation=none
startup-animation=none
close-animation=none
focus-animation=none
"""

    def start(self):
        if self.scale != int(self.scale):
            raise RigError("weston 10 has whole scales only")
        config = self.write("weston.ini", self.CONFIG)
        process = self.spawn(["weston", "--config=" + config, "--backend=headless-backend.so", "--use-pixman",
                              "--shell=" + self.shell, "--modules=" + BIN + "/weston-touch.so", "--socket=rig-weston",
                              "--width=%d" % (self.mode[0] / self.scale), "--height=%d" % (self.mode[1] / self.scale),
                              "--scale=%d" % self.scale,
                              "--transform=" + ("rotate-%d" % self.transform if self.transform else "normal"),
                              "--debug"], RIG_SOCKET=self.socket)        # --debug: the screenshot protocol
        self.wait_for("rig.sock", "rig-weston", process=process)
        return "rig-weston"

    def take_shot(self, path):
        with tempfile.TemporaryDirectory() as folder:
            self.run("env", "-C", folder, "weston-screenshooter")
            shutil.move(glob.glob(folder + "/*.png")[0], path)
        if self.transform:
            # weston gives the frame as it goes to the panel.
            from PIL import Image
            with Image.open(path) as image:
                image.rotate(-self.transform, expand=True).save(path)


class WestonKiosk(Weston):
    kind = "weston-kiosk"
    shell = "kiosk-shell.so"
    windows_float = False


KINDS = {rig.kind: rig for rig in (Wlr, WlrKiosk, Sway, Cage, Phoc, KWin, Mutter, Weston, WestonKiosk)}
