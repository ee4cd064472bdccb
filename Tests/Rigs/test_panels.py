#!/usr/bin/python3
"""Are the mocked panels like real ones? What libinput's and evemu's own programs make of them."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import evemu
import fingers
from rig import HERE

PANEL = os.path.join(HERE, "panel.py")
NEEDED = "umockdev-wrapper", "libinput", "evemu-record"
SCRIPT = ["down a 0.25 0.5", "frame", "sleep 30", "move a 0.3 0.5", "down b 0.75 0.75", "frame", "sleep 30", "up a",
          "frame", "sleep 20", "down c 0.1 0.1", "frame", "sleep 30", "up b", "up c", "frame"]


class Mocked(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def recording(self, device, lines=SCRIPT):
        with open(self.path("made.evemu"), "w") as f:
            f.write(evemu.render(device, fingers.record(device, lines)))
        return self.path("made.evemu")

    def run_with(self, panels, program, *commands):
        """What the program prints while the commands are carried out."""
        script = '%s >"$1" & pid=$!; shift; rigsend "$@" "sleep 100"; kill $pid; wait $pid' % program
        done = subprocess.run([PANEL, *panels, "--", "bash", "-c", script, "bash", self.path("out"), *commands],
                              capture_output=True, text=True, timeout=60)
        self.assertNotIn("error", done.stderr)
        with open(self.path("out")) as f:
            return f.read()

    def libinput(self, panels, *commands):
        """The events that libinput gives, times left out: (device, event, the rest)."""
        text = self.run_with(panels, "libinput debug-events --udev seat0", *commands)
        return [(device, event, rest.strip()) for device, event, rest in re.findall(
            r"^[- ](event\d+)\s+(\w+)\s+(?:\+[\d.]+s)?(.*)$", text, re.M)]

    def touches(self, events):
        return [(event[6:], rest.split("(")[0].strip(), "".join(re.findall(r"[\d.]+/[\d.]+", rest)[:1]))
                for _, event, rest in events if event.startswith("TOUCH_") and event != "TOUCH_FRAME"]

    def test_fingers(self):
        events = self.libinput(["1000x500 mm=200x100"], "openers 0 1", "sleep 200", *(
            re.sub(r"^(\w+)", r"\1 0", line) if not line.startswith("sleep") else line for line in SCRIPT))
        self.assertIn("cap:t  size 200x100mm", events[0][2])
        self.assertEqual(self.touches(events), [
            ("DOWN", "0", "25.00/50.00"), ("MOTION", "0", "30.00/50.00"), ("DOWN", "1", "75.00/75.00"), ("UP", "0", ""),
            ("DOWN", "0", "10.00/10.00"), ("UP", "0", ""), ("UP", "1", "")])

    def test_a_recording_comes_out_as_it_was_made(self):
        device = evemu.touchscreen(1280, 800)
        made = self.recording(device)
        text = self.run_with([made], "evemu-record /dev/input/event0", "openers 0 1", "sleep 300", "play 0 " + made)
        again, events = evemu.parse(text)
        want = fingers.record(device, SCRIPT)
        self.assertEqual([event[1:] for event in events], [event[1:] for event in want])
        late = [abs((event.time - events[0].time) - other.time) for event, other in zip(events, want)]
        self.assertLess(max(late), 1000, "us")
        self.assertEqual((again.axes, again.name), (device.axes, device.name))

    def test_ten_fingers_and_one_more_frame_each(self):
        lines = [line for n in range(10) for line in ("down %d 0.%d 0.5" % (n, n), "frame", "sleep 5")]
        lines += [line for n in range(10) for line in ("up %d" % n, "frame", "sleep 5")]
        made = self.recording(evemu.touchscreen(4096, 4096), lines)
        found = self.touches(self.libinput([made], "openers 0 1", "sleep 200", "play 0 " + made))
        self.assertEqual([kind for kind, _, _ in found], ["DOWN"] * 10 + ["UP"] * 10)

    def test_unplugged_under_a_finger(self):
        events = self.libinput(
            ["800x600"], "openers 0 1", "sleep 200", "down 0 a 0.5 0.5", "frame 0", "sleep 50", "remove 0", "sleep 50",
            "add 0 800x600", "openers 0 1", "sleep 100", "down 0 a 0.5 0.5", "frame 0", "sleep 20", "up 0 a", "frame 0")
        self.assertEqual([event for _, event, _ in events if not event.endswith("FRAME")], [
            "DEVICE_ADDED", "TOUCH_DOWN", "TOUCH_CANCEL", "DEVICE_REMOVED", "DEVICE_ADDED", "TOUCH_DOWN", "TOUCH_UP"])

    def test_lost_frames_are_asked_for(self):
        events = self.libinput(
            ["1000x1000"], "openers 0 1", "sleep 200", "down 0 a 0.5 0.5", "frame 0", "sleep 20", "up 0 a",
            "down 0 b 0.1 0.1", "down 0 c 0.2 0.2", "lose 0", "drop 0", "sleep 20", "up 0 b", "up 0 c", "frame 0")
        found = self.touches(events)
        self.assertEqual([kind for kind, _, _ in found].count("DOWN"), 3, found)
        self.assertEqual([kind for kind, _, _ in found].count("UP"), 3, found)

    def test_seats_and_calibration(self):
        events = self.libinput(
            ["800x600 ID_SEAT=seat1", "1000x1000 LIBINPUT_CALIBRATION_MATRIX=0,-1,1,1,0,0"], "openers 1 1", "sleep 200",
            "down 0 a 0.5 0.5", "frame 0", "down 1 a 0.2 0.3", "frame 1", "up 1 a", "frame 1")
        self.assertEqual({device for device, _, _ in events}, {"event1"})
        self.assertEqual(self.touches(events)[0], ("DOWN", "0", "70.00/20.00"))

    def test_who_may_not(self):
        text = self.run_with(["800x600"], "sh -c 'rigsend \"deny 0 yes\"; head -c 1 /dev/input/event0 2>&1; sleep 1'",
                             "sleep 500")
        self.assertIn("Permission denied", text)


if __name__ == "__main__":
    if missing := [name for name in NEEDED if not shutil.which(name)]:
        print("test_panels.py: skipped: lacks " + ", ".join(missing))
        sys.exit(1 if os.environ.get("CI") == "true" else 0)
    unittest.main()
