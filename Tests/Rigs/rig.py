#!/usr/bin/python3
"""Run a command inside a headless compositor that has a touchscreen which can be told what to do.

    rig.py KIND [--size WxH] [--scale S] [--transform 0|90|180|270] [--verbose] -- COMMAND...

starts the compositor, waits until it is ready, runs COMMAND, stops everything and exits with COMMAND's status.
`rig.py --list` names the kinds, and says of each what it lacks on this machine. COMMAND finds XDG_RUNTIME_DIR and
WAYLAND_DISPLAY, and on its PATH

    rigsend LINE...              inject (without arguments: lines from standard input), see README.md
    rig-shot OUT.png             the screen as a picture, the way a person would see it
    rig-output SCALE TRANSFORM   scale and rotate the output while it runs
"""
import argparse
import contextlib
import ctypes
import glob
import os
import select
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.realpath(__file__))
BIN = HERE + "/bin"
SOURCES = HERE + "/src"
PYTHON = "/usr/bin/python3"     # Debian's own, which has Debian's dbus, gi and PIL
PR_SET_CHILD_SUBREAPER = 36
# What belongs to the session that we were started in, and must not reach a rig.
FOREIGN = ("DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "WAYLAND_DEBUG", "DBUS_SESSION_BUS_ADDRESS", "LD_PRELOAD",
           "QT_QPA_PLATFORM", "SWAYSOCK")


class RigError(Exception):
    """The rig could not be started, or did not carry out a command."""


def command_socket(path, lines):
    """Sends the lines one by one, each when the one before has been answered; the answers."""
    answers = []
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as s:
        s.settimeout(10)
        s.connect(path)
        stream = s.makefile("rw")
        for line in lines:
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            if words[0] == "sleep":
                time.sleep(float(words[1]) / 1000)
                continue
            stream.write(line.strip() + "\n")
            stream.flush()
            answer = stream.readline().strip()
            if not answer or answer.startswith("error"):
                raise RigError("%s: %s" % (line.strip(), answer or "the rig went away"))
            answers.append(answer)
    return answers


class Rig:
    """A running compositor. `env` is what its clients need; `stop()` ends everything that was started.

    Sizes: `mode` is in output pixels, `logical` in layout coordinates, which is what commands speak."""

    kind = ""
    prefix = ()             # what starts a client as the user whom the rig's folder belongs to
    needs = ()              # programs, and files of bin/ (with "bin/" before them)
    sends_frames = True     # wl_touch.frame at all
    sends_cancel = False    # wl_touch.cancel, when told "cancel"
    unplugs = False         # "touch off" and "touch on"
    has_keys = False        # "key CODE 0|1"
    has_pointer = False     # "pointer X Y" and "button CODE 0|1"
    changes_output = True   # scale and transform while running
    changes_mode = False    # set_mode
    layer_shell = False     # zwlr_layer_shell_v1; then also drop_output and return_output, of the last one
    outputs = 1             # beside each other; kwin only
    adds_outputs = False    # add_output and remove_output
    fractional = False      # wp_fractional_scale_v1
    presentation = None     # what wp_presentation answers here: "times", or that alone which is "of another clock"
    windows_float = True    # a window gets the size that it asks for
    size_comes_late = False     # the first configure may be without the size that the window will have

    @classmethod
    def lacks(cls):
        """The needed programs and files that this machine does not have."""
        return [need for need in cls.needs
                if not (os.path.exists(HERE + "/" + need) if need.startswith("bin/") else shutil.which(need))]

    def __init__(self, size=(960, 720), scale=1, transform=0, verbose=False):
        if lacking := self.lacks():
            raise RigError("%s needs %s" % (self.kind, ", ".join(lacking)))
        # Orphans of what we start come to us, so that stop() can end and reap them.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self.mode, self.scale, self.transform = size, scale, transform
        self.processes = []
        self.dir = tempfile.mkdtemp(prefix="rig-")
        self.socket = self.dir + "/rig.sock"
        self.log = None if verbose else open(self.dir + "/log", "ab")
        base = {k: v for k, v in os.environ.items() if k not in FOREIGN}
        self.base = dict(base, XDG_RUNTIME_DIR=self.dir, HOME=self.dir, XDG_CONFIG_HOME=self.dir + "/config",
                         XDG_CACHE_HOME=self.dir + "/cache", XDG_DATA_HOME=self.dir + "/data",
                         GSETTINGS_BACKEND="memory", LIBGL_ALWAYS_SOFTWARE="1")
        os.mkdir(self.dir + "/config")
        try:
            self.display = self.start()
            self.env = dict(base, XDG_RUNTIME_DIR=self.dir, WAYLAND_DISPLAY=self.display, RIG_KIND=self.kind,
                            RIG_SOCKET=self.socket, RIG_DIR=self.dir, RIG_SIZE="%dx%d" % self.mode,
                            PATH=BIN + ":" + base.get("PATH", ""), **self.more_env())
            if (scale, transform) != (1, 0) and self.changes_output:
                self.set_output(scale, transform)
        except BaseException as e:
            text = self.log_text()[-3000:]
            self.stop()
            if isinstance(e, (RigError, OSError, subprocess.SubprocessError)):
                raise RigError("%s did not start: %s\n%s" % (self.kind, e, text)) from e
            raise

    # What a kind fills in.

    def start(self):
        """Starts the compositor; the name of its Wayland socket, when clients may connect and touches be sent."""
        raise NotImplementedError

    def more_env(self):
        return {}

    def set_output(self, scale, transform):
        """Scales and rotates the output; `transform` in wl_output's sense, in degrees."""
        raise RigError("%s cannot change its output while it runs" % self.kind)

    def take_shot(self, path):
        raise NotImplementedError

    # What its users call.

    @property
    def logical(self):
        """The size of the output in logical coordinates."""
        w, h = self.mode if self.transform in (0, 180) else reversed(self.mode)
        return round(w / self.scale), round(h / self.scale)

    def send(self, *lines):
        """Injects; returns when the compositor has taken each of them."""
        return command_socket(self.socket, lines)

    def shot(self, path):
        self.take_shot(os.path.abspath(path))

    def compositor_pid(self):
        """The process that listens on the Wayland socket."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as s:
            s.connect(self.dir + "/" + self.display)
            return struct.unpack("3i", s.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]

    def restart(self):
        """Kills the compositor and starts it anew at the same socket."""
        for process in [*self.processes]:
            process.kill()
            process.wait()
        self.processes.clear()
        for path in glob.glob(self.dir + "/*"):
            # A program that ends with the compositor takes its own away meanwhile.
            with contextlib.suppress(FileNotFoundError):
                if stat.S_ISSOCK(os.stat(path).st_mode):
                    os.unlink(path)
        display, self.scale, self.transform = self.display, 1, 0
        self.display = self.start()
        if self.display != display:
            raise RigError("%s came back at %s, not %s" % (self.kind, self.display, display))
        self.env.update(self.more_env())

    def log_text(self):
        if not self.log:
            return ""
        with open(self.dir + "/log", errors="replace") as f:
            return f.read()

    def stop(self):
        for sig in (signal.SIGTERM, signal.SIGKILL):
            for process in reversed(self.processes):
                if process.poll() is None:
                    process.send_signal(sig)
                    try:
                        process.wait(2)
                    except subprocess.TimeoutExpired:
                        pass
        gentle = time.monotonic() + 2
        dying = set()
        while pids := set(self.leftovers()) | dying:
            for pid in pids:
                try:
                    os.kill(pid, signal.SIGTERM if time.monotonic() < gentle else signal.SIGKILL)
                    dying.add(pid)
                    if os.waitpid(pid, os.WNOHANG)[0]:
                        dying.discard(pid)
                except (ProcessLookupError, ChildProcessError):
                    dying.discard(pid)
            time.sleep(0.02)
        if self.log:
            self.log.close()
        shutil.rmtree(self.dir, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    # For the kinds.

    def leftovers(self):
        """Orphans that came to us and were started within this rig: their environment names its directory."""
        mark = ("XDG_RUNTIME_DIR=" + self.dir).encode()
        ours = {process.pid for process in self.processes}
        found = []
        for path in glob.glob("/proc/self/task/*/children"):
            try:
                with open(path) as f:
                    pids = [int(pid) for pid in f.read().split()]
            except OSError:
                continue
            for pid in pids:
                try:
                    with open("/proc/%d/environ" % pid, "rb") as f:
                        if pid not in ours and mark in f.read().split(b"\0"):
                            found.append(pid)
                except OSError:
                    pass
        return found

    def spawn(self, command, **env):
        process = subprocess.Popen(command, env=dict(self.base, **env), stdin=subprocess.DEVNULL, stdout=self.log,
                                   stderr=self.log, start_new_session=True)
        self.processes.append(process)
        return process

    def helper(self, command, seconds=20, **env):
        """A process that prints "ready ..." when it is; what follows the word."""
        process = subprocess.Popen(command, env=dict(self.base, **env), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=self.log, start_new_session=True)
        self.processes.append(process)
        line = ""
        if select.select([process.stdout], [], [], seconds)[0]:
            line = process.stdout.readline().decode()
        if not line.startswith("ready"):
            raise RigError("%s is not ready: %r" % (os.path.basename(command[0]), line))
        return line.split()[1:]

    def wait_for(self, *patterns, process, seconds=20):
        """Until a socket that matches each pattern exists; the last one's name."""
        end = time.monotonic() + seconds
        while True:
            found = [[f for f in glob.glob(self.dir + "/" + p) if not f.endswith(".lock")] for p in patterns]
            if all(found):
                return os.path.basename(found[-1][0])
            if process.poll() is not None:
                raise RigError("%s ended with status %d" % (process.args[0], process.returncode))
            if time.monotonic() > end:
                raise RigError("no %s after %d s" % (" ".join(patterns), seconds))
            time.sleep(0.01)

    def write(self, name, text):
        with open(self.dir + "/" + name, "w") as f:
            f.write(text)
        return self.dir + "/" + name

    def run(self, *command):
        """A tool that works on the running rig; RigError when it fails."""
        result = subprocess.run(command, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, timeout=30)
        if result.returncode:
            raise RigError("%s: status %d: %s" % (" ".join(command), result.returncode, result.stdout.strip()))
        return result.stdout


def all_kinds():
    from compositors import KINDS
    from panelrigs import PANEL_KINDS
    return {**KINDS, **PANEL_KINDS}


class Attached:
    """The rig that this process runs in, made from what its environment says; for rig-shot and rig-output."""

    def __new__(cls):
        self = object.__new__(all_kinds()[os.environ["RIG_KIND"]])
        self.env, self.base = dict(os.environ), dict(os.environ)
        self.dir, self.socket = os.environ["RIG_DIR"], os.environ["RIG_SOCKET"]
        self.display = os.environ["WAYLAND_DISPLAY"]
        self.mode = tuple(int(n) for n in os.environ["RIG_SIZE"].split("x"))
        self.scale, self.transform = 1, int(os.environ.get("RIG_TRANSFORM", 0))
        return self


def inside():
    """The commands that run inside a rig."""
    name = os.path.basename(sys.argv[0])
    if name == "rigsend":
        for answer in command_socket(os.environ["RIG_SOCKET"], sys.argv[1:] or sys.stdin):
            if answer != "ok":
                print(answer)
    elif name == "rig-shot":
        Attached().shot(sys.argv[1])
    else:
        Attached().set_output(float(sys.argv[1]), int(sys.argv[2]))


def main():
    kinds = all_kinds()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=sorted(kinds), nargs="?")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--size", default="960x720")
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--transform", type=int, choices=(0, 90, 180, 270), default=0)
    parser.add_argument("--verbose", action="store_true", help="show what the compositor says")
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    command = sys.argv[split + 1:]
    options = parser.parse_args(sys.argv[1:split])
    if options.list:
        for kind, rig in kinds.items():
            print("%-13s %s" % (kind, "lacks " + ", ".join(rig.lacks()) if rig.lacks() else "ready"))
        return 0
    if not options.kind or not command:
        parser.error("wanted: KIND [options] -- COMMAND...")
    for sig in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(sig, lambda number, _: sys.exit(128 + number))
    size = tuple(int(n) for n in options.size.split("x"))
    with kinds[options.kind](size, options.scale, options.transform, options.verbose) as rig:
        return subprocess.call(command, env=dict(rig.env, RIG_TRANSFORM=str(rig.transform)))


def run():
    try:
        if os.path.basename(sys.argv[0]) in ("rigsend", "rig-shot", "rig-output"):
            return inside()
        return main()
    except (RigError, OSError) as error:
        return "%s: %s" % (os.path.basename(sys.argv[0]), error)


if __name__ == "__main__":
    import rig      # this file under its own name, so that the kinds and we share one RigError
    sys.exit(rig.run())
