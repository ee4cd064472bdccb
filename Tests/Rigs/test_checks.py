#!/usr/bin/python3
"""Does the matrix find what it is there to find? Its checks, on pictures and logs made here, right and wrong."""
import io
import os
import tempfile
import unittest
import unittest.mock

from PIL import Image, ImageDraw

import matrix
import pixels
import program

GROUND, WHITE, LOGICAL = matrix.GROUND, matrix.WHITE, (300, 200)


class Pictures(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def shot(self, *circles, scale=1):
        """A picture with circles (x, y, radius, colour) on the ground, four times finer and then reduced."""
        fine = 4 * scale
        image = Image.new("RGB", (LOGICAL[0] * fine, LOGICAL[1] * fine), GROUND)
        draw = ImageDraw.Draw(image)
        for x, y, r, color in circles:
            draw.ellipse([(x - r) * fine, (y - r) * fine, (x + r) * fine, (y + r) * fine], fill=color)
        path = os.path.join(self.folder.name, "shot.png")
        image.resize((LOGICAL[0] * scale, LOGICAL[1] * scale), Image.BOX).save(path)
        return pixels.Shot(path, LOGICAL)

    def mark(self, *circles, place=(100, 80), scale=1):
        return pixels.Mark(self.shot(scale=scale), self.shot(*circles, scale=scale), place, 40)

    def faults(self, *circles, **more):
        return self.mark(*circles, **more).faults((14, 19), pixels.blend(WHITE, GROUND, 0.6))

    full = pixels.blend(WHITE, GROUND, 0.6)

    def test_a_right_mark(self):
        for scale in (1, 2):
            self.assertEqual(self.faults((100, 80, 17, (0, 0, 0)), (100, 80, 15, self.full), scale=scale), [])

    def test_no_mark(self):
        self.assertIn("nothing to be seen", self.faults()[0])

    def test_a_mark_beside_the_finger(self):
        self.assertIn("centre", self.faults((104, 80, 15, self.full))[0])

    def test_a_mark_of_half_the_size_as_on_a_screen_of_wrong_scale(self):
        self.assertIn("radius", self.faults((100, 80, 7, self.full))[0])

    def test_a_mark_that_is_no_circle(self):
        self.assertTrue(self.faults((95, 80, 15, self.full), (105, 80, 15, self.full)))

    def test_a_mark_that_is_not_premultiplied(self):
        self.assertIn("colour", self.faults((100, 80, 15, WHITE))[0])

    def test_pixels_left_behind(self):
        before, after = self.shot(), self.shot((100, 80, 15, self.full), (250, 150, 1, WHITE))
        mark = pixels.Mark(before, after, (100, 80), 40)
        box = pixels.elsewhere(before, after, [mark])
        self.assertTrue(box and box[0] >= 248, box)
        self.assertFalse(after.equals(before))
        self.assertTrue(before.equals(self.shot()))

    def test_one_pixel_that_differs_by_one(self):
        other = self.shot()
        other.image.putpixel((7, 7), (GROUND[0] + 1, *GROUND[1:]))
        self.assertFalse(other.equals(self.shot()))

    def test_an_enlarged_picture(self):
        fine = self.shot((100, 80, 15, self.full), scale=2)
        coarse = self.shot((100, 80, 15, self.full))
        coarse.image = coarse.image.resize(fine.image.size, Image.NEAREST)
        coarse.scale = 2
        box = (80.0, 60.0, 120.0, 100.0)
        self.assertFalse(fine.doubled(box))
        self.assertTrue(coarse.doubled(box))

    def test_a_rotated_picture(self):
        shot = self.shot()
        self.assertTrue(shot.same_shape())
        shot.image = shot.image.rotate(90, expand=True)
        self.assertFalse(shot.same_shape())

    def test_the_dark_outline(self):
        box = (80, 60, 120, 100)
        self.assertGreater(self.shot((100, 80, 17, (0, 0, 0)), (100, 80, 15, WHITE)).darker_than(GROUND, box), 20)
        self.assertEqual(self.shot((100, 80, 15, WHITE)).darker_than(GROUND, box), 0)


def event(type, id=None, time=0, x=None, y=None):
    fields = {"type": type, "seat": "seat0", "id": id, "time": time, "x": x, "y": y}
    return {key: value for key, value in fields.items() if value is not None}


class Logs(unittest.TestCase):
    lines = ["down 1 10 20", "frame", "move 1 30 40", "down 2 50 60", "up 1", "up 2"]

    def events(self):
        return [event("down", 300, 5, 10, 20), event("frame"), event("motion", 300, 6, 30.5, 40),
                event("down", 7, 7, 50, 60), event("up", 300, 8), event("up", 7, 9)]

    def test_a_right_log(self):
        self.assertEqual(program.match_faults(self.events(), self.lines), [])
        self.assertEqual(program.contact_faults(self.events()), [])

    def wrong(self, change, part):
        events = self.events()
        change(events)
        faults = program.match_faults(events, self.lines) + program.contact_faults(events)
        self.assertTrue(any(part in fault for fault in faults), faults)

    def test_wrong_logs(self):
        self.wrong(lambda e: e.pop(4), "logged")
        self.wrong(lambda e: e.pop(4), "never ended")
        self.wrong(lambda e: e.append(event("up", 7, 10)), "not down")
        self.wrong(lambda e: e[2].update(id=7), "id 7")
        self.wrong(lambda e: e[2].update(x=32), "surface-local")
        self.wrong(lambda e: e[3].update(time=2), "went back")
        self.wrong(lambda e: e[3].update(id=300), "live id")
        self.wrong(lambda e: e[0].pop("seat"), "without a seat")

    def test_time_may_wrap(self):
        events = self.events()
        events[0]["time"], events[2]["time"] = 2**32 - 2, 2**32 - 1
        self.assertEqual(program.contact_faults(events), [])

    def test_cancel_ends_all_contacts(self):
        events = self.events()[:4] + [event("cancel")]
        self.assertEqual(program.contact_faults(events), [])
        self.assertEqual(program.match_faults(events, self.lines[:4] + ["cancel"]), [])

    def test_offset_of_a_window(self):
        events = [event("down", 1, 0, 5, 5), event("up", 1, 1)]
        self.assertEqual(program.match_faults(events, ["down 1 105 55", "up 1"], (100, 50)), [])


class Tables(unittest.TestCase):
    def test_a_failure_and_an_empty_run_are_no_success(self):
        def status(rows):
            with unittest.mock.patch("sys.stdout", io.StringIO()) as out:
                return matrix.table({"sway": rows}), out.getvalue().splitlines()[-1]
        self.assertEqual(status([("ok", "a"), ("skip", "b")]), (0, "1 passed, 0 failed, 1 skipped"))
        self.assertEqual(status([("ok", "a"), ("FAIL", "a")]), (1, "1 passed, 1 failed, 0 skipped"))
        self.assertEqual(status([])[0], 1)


if __name__ == "__main__":
    unittest.main()
