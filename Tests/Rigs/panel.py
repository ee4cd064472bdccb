#!/usr/bin/python3
"""Touch panels without hardware, for any program that reads them by libinput or libevdev.

    panel.py [PANEL...] -- COMMAND...       run COMMAND where /dev/input has these panels
    panel.py --serve SOCKET                 the same for a rig, which starts the programs itself

PANEL is what follows `add N`, in one word of the shell: "1280x800 mm=217x136 WL_OUTPUT=HEADLESS-1". umockdev gives
sysfs, udev and uevents, src/mock-panel.c the device nodes, and this the events. COMMAND has `rigsend` on its PATH, which
speaks of panel N (/dev/input/eventN):

    add N WxH|FILE [mm=WxH] [slots=N] [KEY=VALUE...]    plug it in: of that many units, or as evemu's FILE describes;
                                KEY=VALUE is a udev property (ID_SEAT, WL_OUTPUT, ...; those that end in _MATRIX with
                                commas for blanks: LIBINPUT_CALIBRATION_MATRIX=1,0,0,0,1,0)
    remove N                    unplug it: who has it open gets ENODEV
    deny N yes|no               whether who opens it is told that he may not
    openers N COUNT             wait until so many have it open
    down N ID U V | move N ID U V | up N ID     fingers; U and V are parts of the panel, 0 to 1
    frame N                     what they did since the last frame arrives
    lose N | drop N             it does not arrive, but the panel's state changes; SYN_DROPPED arrives
    emit N TYPE CODE VALUE...   any events, and SYN_REPORT
    play N FILE [SPEED]         the events of evemu's FILE in their own time, or SPEED times as fast
    sleep MS | sync
"""
import argparse
import ctypes
import mmap
import os
import pathlib
import shutil
import signal
import socket
import socketserver
import struct
import subprocess
import sys
import tempfile
import threading
import time

from evemu import (ABS_MT_FIRST, ABS_MT_LAST, ABS_MT_SLOT, ABS_MT_TRACKING_ID, EV_ABS, EV_KEY, EV_SYN, SYN_DROPPED,
                   SYN_REPORT, parse, touchscreen)
from fingers import Fingers, size
from rig import BIN, PYTHON

LIBRARY = BIN + "/libmock-panel.so"
WRAPPER = "umockdev-wrapper"
INPUT_MAJOR, FIRST_MINOR = 13, 64       # of /dev/input/event0
OPEN_TIMEOUT = 10                       # s
LOST = (EV_SYN, SYN_DROPPED, 0), (EV_SYN, SYN_REPORT, 0)
MAX_SLOTS, CODE_BYTES, TYPES, AXES = 64, 96, 32, 64


class Axis(ctypes.Structure):
    """struct input_absinfo"""
    _fields_ = [(name, ctypes.c_int32) for name in ("value", "minimum", "maximum", "fuzz", "flat", "resolution")]


class State(ctypes.Structure):
    """The same as `struct state` in src/mock-panel.c."""
    _fields_ = [("ids", ctypes.c_uint16 * 4), ("minor", ctypes.c_uint32), ("slots", ctypes.c_int32),
                ("is_denied", ctypes.c_uint32),
                ("name", ctypes.c_char * 256), ("properties", ctypes.c_uint8 * 8), ("types", ctypes.c_uint8 * 8),
                ("pressed", ctypes.c_uint8 * CODE_BYTES), ("codes", ctypes.c_uint8 * CODE_BYTES * TYPES),
                ("axes", Axis * AXES), ("slot_values", ctypes.c_int32 * MAX_SLOTS * AXES)]


class PanelError(Exception):
    """A command that cannot be carried out."""


def packed(events, stamp):
    """struct input_event, stamped in us of CLOCK_MONOTONIC."""
    return b"".join(struct.pack("<qqHHi", stamp // 1000000, stamp % 1000000, *event) for event in events)


class Panel:
    """One /dev/input/eventN, from plugging in to unplugging."""

    def __init__(self, testbed, number, device, properties):
        self.testbed, self.number, self.device = testbed, number, device
        self.fingers = Fingers(device)
        self.lock = threading.Lock()
        self.readers, self.behind, self.grabber = [], set(), None
        self.folder = pathlib.Path(testbed.get_root_dir()) / "panel"
        (self.folder / "udev").mkdir(parents=True, exist_ok=True)
        self.make_state()
        self.properties = {"ID_INPUT": "1", "ID_INPUT_TOUCHSCREEN": "1", "ID_SEAT": "seat0", **properties}
        self.udev = self.folder / "udev" / ("c%d:%d" % (INPUT_MAJOR, FIRST_MINOR + number))
        self.udev.write_text("I:1\n" + "".join("E:%s=%s\n" % pair for pair in self.properties.items()))
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.folder / ("event%d.sock" % number)))
        self.listener.listen()
        threading.Thread(target=self.accept, daemon=True).start()
        self.input = "/devices/virtual/input/input%d" % number
        self.event = "%s/event%d" % (self.input, number)
        testbed.add_from_string(self.umockdev())        # last, since this sends the uevents

    def make_state(self):
        self.path = self.folder / ("event%d.state" % self.number)
        self.path.write_bytes(bytes(ctypes.sizeof(State)))
        with open(self.path, "r+b") as f:
            self.state = state = State.from_buffer(mmap.mmap(f.fileno(), ctypes.sizeof(State)))
        device = self.device
        state.ids[:] = device.ids
        state.minor, state.slots, state.name = FIRST_MINOR + self.number, device.slots(), device.name.encode()[:255]
        state.properties[:] = device.properties[:8].ljust(8, b"\0")
        state.types[:] = device.types().to_bytes(8, "little")
        for type in range(1, TYPES):
            state.codes[type][:] = device.bits(type, CODE_BYTES)
        for code, axis in device.axes.items():
            state.axes[code] = Axis(0, *axis)
        for slot in range(MAX_SLOTS):
            state.slot_values[ABS_MT_TRACKING_ID][slot] = -1        # no finger

    def umockdev(self):
        """The input device and its event node, as umockdev reads them."""
        bus, vendor, product, version = self.device.ids
        properties = "".join("E: %s=%s\n" % pair for pair in self.properties.items()) + "E: SUBSYSTEM=input\n"
        # "=00" makes the node a plain file: umockdev cannot plug a terminal's, its usual kind, in twice.
        return ('P: %s\nE: EV=%x\nE: NAME="%s"\nE: PRODUCT=%x/%x/%x/%x\n%sA: name=%s\nA: id/bustype=%04x\n'
                "A: id/vendor=%04x\nA: id/product=%04x\nA: id/version=%04x\n\n"
                "P: %s\nN: input/event%d=00\nA: dev=%d:%d\nE: DEVNAME=/dev/input/event%d\nE: MAJOR=%d\nE: MINOR=%d\n"
                "%s\n"
                % (self.input, self.device.types(), self.device.name, bus, vendor, product, version, properties,
                   self.device.name, bus, vendor, product, version, self.event, self.number, INPUT_MAJOR,
                   FIRST_MINOR + self.number, self.number, INPUT_MAJOR, FIRST_MINOR + self.number, properties))

    def accept(self):
        while True:
            try:
                reader, _ = self.listener.accept()
            except OSError:
                return
            with self.lock:
                self.readers.append(reader)
            reader.send(b"w")       # mock-panel.c waits for it
            threading.Thread(target=self.listen, args=(reader,), daemon=True).start()

    def listen(self, reader):
        """What one reader wants: G and g are EVIOCGRAB; until it closes the node."""
        try:
            while word := reader.recv(1):
                self.grabber = reader if word == b"G" else None
        except OSError:
            pass
        with self.lock:
            if self.grabber is reader:
                self.grabber = None
            self.behind.discard(reader)
            if reader in self.readers:
                self.readers.remove(reader)
                reader.close()

    def keep(self, type, code, value):
        """What the device can be asked for after the event."""
        state = self.state
        if type == EV_KEY:
            bit = 1 << code % 8
            state.pressed[code // 8] = state.pressed[code // 8] & ~bit | (bit if value else 0)
        elif type == EV_ABS and ABS_MT_FIRST <= code <= ABS_MT_LAST and state.slots:
            state.slot_values[code][state.axes[ABS_MT_SLOT].value] = value
        elif type == EV_ABS:
            state.axes[code].value = value

    def send(self, events, stamp=None):
        """One frame to everybody who has the node open, or to who has grabbed it."""
        data = packed(events, stamp or time.monotonic_ns() // 1000)
        with self.lock:
            for event in events:
                self.keep(*event)
            for reader in [self.grabber] if self.grabber else list(self.readers):
                try:
                    # As in the kernel, who has not read for too long loses frames, and is told so before the next one.
                    late = packed(LOST, 0) if reader in self.behind else b""
                    reader.send(late + data, socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
                    self.behind.discard(reader)
                except BlockingIOError:
                    self.behind.add(reader)
                except OSError:
                    pass

    def lose(self, events):
        with self.lock:
            for event in events:
                self.keep(*event)

    def play(self, events, speed):
        start, frame = time.monotonic_ns() // 1000, []
        for event in events:
            frame.append(event[1:])
            if event[1:3] == (EV_SYN, SYN_REPORT):
                due = start + int((event.time - events[0].time) / speed)
                time.sleep(max(0, due - time.monotonic_ns() // 1000) / 1e6)
                self.send(frame, due)
                frame = []

    def wait_openers(self, count):
        end = time.monotonic() + OPEN_TIMEOUT
        while len(self.readers) < count:
            if time.monotonic() > end:
                raise PanelError("%d openers after %d s" % (len(self.readers), OPEN_TIMEOUT))
            time.sleep(0.01)

    def unplug(self):
        self.path.unlink()
        self.listener.close()
        (self.folder / ("event%d.sock" % self.number)).unlink()
        with self.lock:
            for reader in self.readers:
                reader.shutdown(socket.SHUT_RDWR)
        for path in (self.event, self.input):
            self.testbed.uevent("/sys" + path, "remove")
            self.testbed.remove_device("/sys" + path)
        self.udev.unlink()


class Panels:
    """All panels of one umockdev testbed, and the commands."""

    def __init__(self):
        import gi
        gi.require_version("UMockdev", "1.0")
        from gi.repository import UMockdev
        self.testbed, self.panels = UMockdev.Testbed.new(), {}
        self.root = self.testbed.get_root_dir()
        self.lock = threading.Lock()

    def add(self, number, what, *rest):
        given = dict(word.split("=", 1) for word in rest)
        if os.path.exists(what):
            with open(what, errors="replace") as f:
                device, _ = parse(f.read())
            if not device:
                raise PanelError("%s describes no device" % what)
        else:
            device = touchscreen(*size(what), size(given.pop("mm", "0x0")), int(given.pop("slots", 10)))
        # A property with blanks would be two words of the command.
        given = {key: value.replace(",", " ") if key.endswith("_MATRIX") else value for key, value in given.items()}
        with self.lock:
            if number in self.panels:
                raise PanelError("there is a panel %s" % number)
            self.panels[number] = Panel(self.testbed, int(number), device, given)

    def command(self, line):
        word, number, *rest = line.split() + [""] * (len(line.split()) == 1)
        if word == "sync":
            return
        if word == "add":
            return self.add(number, *rest)
        panel = self.panels.get(number)
        if not panel:
            raise PanelError("no panel %s" % number)
        if word == "remove":
            with self.lock:
                self.panels.pop(number).unplug()
        elif word == "openers":
            panel.wait_openers(int(rest[0]))
        elif word == "deny":
            panel.state.is_denied = rest[0] == "yes"
        elif word in ("frame", "lose"):
            (panel.send if word == "frame" else panel.lose)(panel.fingers.frame())
        elif word == "drop":
            panel.send(LOST)
        elif word == "emit":
            numbers = [int(text, 0) for text in rest]
            panel.send([tuple(numbers[at:at + 3]) for at in range(0, len(numbers), 3)] + [(EV_SYN, SYN_REPORT, 0)])
        elif word == "play":
            with open(rest[0], errors="replace") as f:
                panel.play(parse(f.read())[1], float(rest[1]) if rest[1:] else 1)
        elif not panel.fingers.take(" ".join([word, *rest])):
            raise PanelError("no such command")

    def serve(self, path):
        """Answers the commands that come on a socket, each line with one."""
        panels = self

        class Client(socketserver.StreamRequestHandler):
            def handle(self):
                for line in self.rfile:
                    try:
                        panels.command(line.decode())
                        answer = "ok"
                    except (PanelError, ValueError, KeyError, IndexError, TypeError, OSError) as error:
                        answer = "error: %s" % " ".join(str(error).split())
                    self.wfile.write((answer + "\n").encode())

        server = socketserver.ThreadingUnixStreamServer(path, Client)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def environment(self):
        """What a program needs to see the panels. Ours comes first, since it stands before umockdev's."""
        return {"UMOCKDEV_DIR": self.root, "LD_PRELOAD": LIBRARY + ":" + os.environ["LD_PRELOAD"]}


def end_all(root):
    """Ends what COMMAND has left behind: whoever has the panels in its environment."""
    mark = ("UMOCKDEV_DIR=" + root).encode()
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if int(process.name) != os.getpid() and mark in (process / "environ").read_bytes().split(b"\0"):
                os.kill(int(process.name), signal.SIGKILL)
        except OSError:
            pass


def run(options, command):
    with tempfile.TemporaryDirectory(prefix="panel-") as folder:
        panels = Panels()
        panels.serve(folder + "/rig.sock")
        for number, words in enumerate(options.panels):
            panels.add(str(number), *words.split())
        env = dict(os.environ, RIG_SOCKET=folder + "/rig.sock", PATH=BIN + ":" + os.environ["PATH"],
                   **panels.environment())
        try:
            return subprocess.call(command, env=env)
        finally:
            end_all(panels.root)
            shutil.rmtree(panels.root, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("panels", nargs="*", metavar="PANEL")
    parser.add_argument("--serve", metavar="SOCKET")
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options, command = parser.parse_args(sys.argv[1:split]), sys.argv[split + 1:]
    if not options.serve and not command:
        parser.error("wanted: [PANEL...] -- COMMAND...")
    if "libumockdev-preload" not in os.environ.get("LD_PRELOAD", ""):
        os.execvp(WRAPPER, [WRAPPER, PYTHON, os.path.realpath(__file__), *sys.argv[1:]])
    if not options.serve:
        return run(options, command)
    panels = Panels()
    panels.serve(options.serve)
    print("ready", panels.root, os.environ["LD_PRELOAD"], flush=True)
    while True:
        signal.pause()


if __name__ == "__main__":
    sys.exit(main())
