#!/usr/bin/python3
"""Do evemu and libinput take what `fingerwave convert` writes? Their own programs, as far as they go without uinput.

evemu-play plays into a terminal, which is a character device as a touchscreen's file is; evemu-device's reader of
descriptions is called by itself; libinput replay runs whole, but for the device that it would ask the kernel for.
"""
import argparse
import builtins
import contextlib
import ctypes
import importlib.machinery
import importlib.util
import io
import json
import os
import pty
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import tty
import types
import unittest

import evemu
import fingers
from rig import HERE

PROGRAM = os.path.join(HERE, "../../.build/release/fingerwave")
REPLAY = "/usr/libexec/libinput/libinput-replay"
LIBRARY = "libevemu.so.3"
INPUT_EVENT = struct.Struct("llHHi")
SCRIPT = ["down a 0.25 0.5", "frame", "sleep 30", "move a 0.3 0.5", "down b 0.75 0.75", "frame", "sleep 30", "up a",
          "frame", "sleep 20", "down c 0.1 0.1", "frame", "sleep 30", "up b", "up c", "frame"]
DURATION = 110000       # us, of it
LATE = 100000           # us that a player may come late
PRESSURE = 0x3A         # ABS_MT_PRESSURE, which is no touch's


def panel():
    """A panel that tells more than places, and an axis below 0."""
    device = evemu.touchscreen(1280, 800, (217, 136), name='Panel "A": 1')
    device.axes[PRESSURE] = evemu.Axis(-5, 255, 1, 2, 3)
    device.codes[evemu.EV_ABS] = evemu.bits_of(device.axes)
    return device


def evemu_recording():
    device = panel()
    events = fingers.record(device, SCRIPT)
    events.insert(3, evemu.Event(events[0].time, evemu.EV_ABS, PRESSURE, -5))
    return evemu.render(device, events)


def log():
    """The same touches as a window tells them, which no panel describes."""
    lines, time = [{"type": "ready", "width": 1280, "height": 800}], 4294967290
    for line in SCRIPT:
        word, *rest = line.split()
        if word == "sleep":
            time = (time + int(rest[0])) % 2 ** 32
        elif word == "frame":
            lines.append({"type": "frame", "seat": "seat0"})
        else:
            event = {"type": {"move": "motion"}.get(word, word), "seat": "seat0", "id": ord(rest[0]), "time": time}
            if len(rest) > 1:
                event.update(x=float(rest[1]) * 1280, y=float(rest[2]) * 800)
            lines.append(event)
    return "".join(json.dumps(line) + "\n" for line in lines)


def played(path):
    """The events that evemu-play writes, times left out, and how long it took, us."""
    master, terminal = pty.openpty()
    tty.setraw(terminal)
    data, threads = bytearray(), []

    def read():
        with contextlib.suppress(OSError):
            while chunk := os.read(master, 1 << 16):
                data.extend(chunk)

    threads.append(threading.Thread(target=read))
    threads[0].start()
    with open(path) as file:
        done = subprocess.run(["evemu-play", os.ttyname(terminal)], stdin=file, capture_output=True, text=True,
                              timeout=20)
    # The master's read ends with the last one that has the other end open.
    os.close(terminal)
    threads[0].join(5)
    os.close(master)
    if done.returncode or done.stderr:
        raise AssertionError(done.stderr)
    events = [INPUT_EVENT.unpack_from(data, at) for at in range(0, len(data), INPUT_EVENT.size)]
    first, last = ([event[0] * 1000000 + event[1] for event in events[at:at + 1 or None]] for at in (0, -1))
    return [event[2:] for event in events], last[0] - first[0]


class Described:
    """What evemu-device would make a device of."""

    def __init__(self, path):
        library, libc = ctypes.CDLL(LIBRARY), ctypes.CDLL(None)
        library.evemu_new.restype = libc.fopen.restype = ctypes.c_void_p
        library.evemu_get_name.restype = ctypes.c_char_p
        device = ctypes.c_void_p(library.evemu_new(None))
        file = ctypes.c_void_p(libc.fopen(path.encode(), b"r"))
        self.read = library.evemu_read(device, file) > 0
        libc.fclose(file)
        self.name = library.evemu_get_name(device).decode()
        self.ids = tuple(getattr(library, "evemu_get_id_" + name)(device)
                         for name in ("bustype", "vendor", "product", "version"))
        self.properties = {number for number in range(32) if library.evemu_has_prop(device, number)}
        self.codes = {(type, code) for type in (evemu.EV_KEY, evemu.EV_ABS) for code in range(0x2FF)
                      if library.evemu_has_event(device, type, code)}
        self.axes = {code: evemu.Axis(*(getattr(library, "evemu_get_abs_" + name)(device, code)
                                        for name in ("minimum", "maximum", "fuzz", "flat", "resolution")))
                     for type, code in self.codes if type == evemu.EV_ABS}
        library.evemu_delete(device)


class Replayed:
    """What libinput replay sends, to a device that is none."""

    def __init__(self, path):
        loader = importlib.machinery.SourceFileLoader("libinput_replay", REPLAY)
        module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
        loader.exec_module(module)
        self.events, self.times, self.device = [], [], None
        turns = iter([""])

        def create(device):
            self.device = device
            return types.SimpleNamespace(devnode="/dev/input/event0", name=device.name, send_events=send)

        def send(events):
            self.events += [(event.type.value, event.code.value, event.value) for event in events]
            self.times += [event.sec * 1000000 + event.usec for event in events]

        def wait(_):
            try:
                return next(turns)
            except StopIteration:
                raise KeyboardInterrupt from None

        def process(target, args):
            return types.SimpleNamespace(start=lambda: target(*args), join=lambda: None)

        module.libevdev.Device.create_uinput_device = create
        module.check_udev_properties = lambda *_: None
        module.multiprocessing = types.SimpleNamespace(Process=process)
        said, arguments, ask = io.StringIO(), sys.argv, builtins.input
        sys.argv, builtins.input = ["libinput-replay", path], wait
        try:
            with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
                module.main()
        finally:
            sys.argv, builtins.input = arguments, ask
        self.said = said.getvalue()


class Converted(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def convert(self, text, name):
        """The file that the text is converted to."""
        path = os.path.join(self.folder.name, name)
        done = subprocess.run([PROGRAM, "convert", "-", path], input=text, capture_output=True, text=True, timeout=20)
        self.assertEqual(done.returncode, 0, done.stderr)
        return path

    def expected(self, text):
        """What evemu's format says, by a reader of our own."""
        with open(self.convert(text, "expected.events")) as file:
            device, events = evemu.parse(file.read())
        self.assertGreater(len(events), 20)
        return device, [event[1:] for event in events]

    def check_device(self, device, name, ids, properties, axes):
        self.assertEqual((name, ids), (device.name, device.ids))
        self.assertEqual(properties, {evemu.INPUT_PROP_DIRECT})
        self.assertEqual(axes, device.axes)

    def sources(self):
        text = evemu_recording()
        with open(self.convert(text, "source.yml")) as file:
            record = file.read()
        return {"evemu": text, "log": log(), "libinput record": record}

    def test_evemu_plays_it(self):
        for name, text in self.sources().items():
            with self.subTest(name):
                events, duration = played(self.convert(text, "out.events"))
                self.assertEqual(events, self.expected(text)[1])
                self.assertTrue(DURATION - 1000 <= duration < DURATION + LATE, duration)

    def test_evemu_reads_the_device(self):
        for name, text in self.sources().items():
            with self.subTest(name):
                described, (device, _) = Described(self.convert(text, "out.events")), self.expected(text)
                self.assertTrue(described.read)
                self.check_device(device, described.name, described.ids, described.properties, described.axes)
                self.assertIn((evemu.EV_KEY, evemu.BTN_TOUCH), described.codes)

    def test_libinput_replays_it(self):
        for name, text in self.sources().items():
            with self.subTest(name):
                replayed, (device, events) = Replayed(self.convert(text, "out.yml")), self.expected(text)
                self.assertEqual((replayed.said, replayed.events), ("", events))
                self.assertEqual(replayed.times[-1] - replayed.times[0], DURATION)
                ids = replayed.device.id
                axes = {code: evemu.Axis(*(getattr(replayed.device.absinfo[bit], name) for name in evemu.Axis._fields))
                        for bits in [replayed.device.evbits] for type, codes in bits.items()
                        if type.value == evemu.EV_ABS for bit in codes for code in [bit.value]}
                self.check_device(device, replayed.device.name,
                                  tuple(ids[key] for key in ("bustype", "vendor", "product", "version")),
                                  {bit.value for bit in replayed.device.properties}, axes)


def lacking():
    """What of the programs and libraries is not there."""
    missing = [name for name in ("evemu-play",) if not shutil.which(name)]
    missing += [path for path in (REPLAY, PROGRAM) if not os.path.exists(path)]
    missing += [name for name in ("libevdev", "yaml", "pyudev") if not importlib.util.find_spec(name)]
    return missing


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--program", default=PROGRAM)
    options, rest = parser.parse_known_args()
    PROGRAM = options.program
    if missing := lacking():
        print("test_recordings.py: skipped: lacks " + ", ".join(missing))
        sys.exit(1 if os.environ.get("CI") == "true" else 0)
    unittest.main(argv=sys.argv[:1] + rest)
