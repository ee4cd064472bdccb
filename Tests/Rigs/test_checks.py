#!/usr/bin/python3
"""Does the matrix find what it is there to find? Its checks, on pictures and logs made here, right and wrong."""
import io
import os
import tempfile
import unittest
import unittest.mock

from PIL import Image, ImageDraw

import apps
import evemu
import fingers
import layers
import matrix
import overlaid
import pixels
import program
import transparency

GROUND, WHITE, LOGICAL = matrix.GROUND, matrix.WHITE, (300, 200)


class PictureCase(unittest.TestCase):
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


class Pictures(PictureCase):
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


    def test_what_was_seen(self):
        def faults(change=lambda e: None, has_times=True):
            events = self.events()
            events[1:1] = [{"type": "presented", "commit": 1, "photons": 9}]
            events[3:3] = [{"type": "presented", "commit": 2, "discarded": True}]
            events.append({"type": "statistics", "discarded": 1, "latency": [
                {"from": "arrival", "to": "commit", "count": 2}, {"from": "arrival", "to": "photons", "count": 1}]})
            change(events)
            return program.presented_faults(events, has_times)

        def of_another_clock(events):
            events[1].pop("photons")
            events[-1]["latency"].pop()

        self.assertEqual(faults(), [])
        self.assertEqual(faults(of_another_clock, False), [])
        stamped = {"from": "stamp", "to": "photons", "count": 1}
        self.assertEqual(faults(lambda e: e[-1]["latency"].append(stamped)), [])
        self.assertTrue(faults(lambda e: e[-1]["latency"].append(dict(stamped, count=2))))
        self.assertTrue(faults(has_times=False))
        for change in (lambda e: e.pop(1), lambda e: e.pop(3), lambda e: e[1].update(photons=0.5),
                       lambda e: e[1].update(photons=5000), lambda e: e[1].update(commit=-1), of_another_clock,
                       lambda e: e[1].update(discarded=True), lambda e: e.pop(),
                       lambda e: e.extend([e[3]] * 4)):
            self.assertTrue(faults(change))


class Traces(PictureCase):
    """Marks above an app that draws as well."""
    magenta = (255, 0, 255)

    def trace(self, *circles, least=apps.STRONG):
        return apps.Trace(self.shot((60, 60, 20, (200, 0, 0))), self.shot((60, 60, 20, (0, 0, 200)), *circles), least)

    def test_a_right_mark_beside_what_the_app_draws(self):
        trace = self.trace((100, 80, 17, (0, 0, 0)), (100, 80, 15, self.magenta))
        self.assertEqual(trace.faults((100, 80), (13.5, 19)), [])
        self.assertIsNone(trace.elsewhere([(100, 80)], 20))

    def test_a_mark_with_the_arc_of_a_long_press(self):
        before = self.shot()
        mark, ring = (100, 80, 15, self.magenta), (100, 80, 25, self.magenta)
        after = self.shot(ring, (100, 80, 22, GROUND), mark)
        after.image.paste(GROUND, (0, 80, 300, 200))
        half = self.shot(mark)
        after.image.paste(half.image.crop((0, 80, 300, 200)), (0, 80))
        self.assertEqual(apps.mark_faults(before, after, [(100, 80)]), [])
        self.assertTrue(apps.mark_faults(before, after, [(106, 80)]))
        self.assertTrue(apps.mark_faults(before, self.shot((100, 80, 19, self.magenta)), [(100, 80)]))
        self.assertTrue(apps.mark_faults(before, self.shot(mark, (250, 150, 3, self.magenta)), [(100, 80)]))

    def test_a_faint_wave(self):
        circle = (100, 80, 40, pixels.blend(self.magenta, GROUND, 0.3))
        self.assertEqual(self.trace(circle, least=apps.WEAK).faults((100, 80), (23, 79)), [])

    def test_no_mark_a_wrong_place_a_wrong_size(self):
        self.assertIn("nothing", self.trace().faults((100, 80), (13.5, 19))[0])
        self.assertIn("centre", self.trace((104, 80, 15, self.magenta)).faults((100, 80), (13.5, 19))[0])
        self.assertIn("radius", self.trace((100, 80, 30, self.magenta)).faults((100, 80), (13.5, 19))[0])

    def test_half_a_mark_where_it_is_cut_at_a_window_or_a_cell(self):
        before = self.shot()
        after = self.shot((100, 80, 15, self.magenta))
        after.image.paste(GROUND, (100, 0, 300, 200))
        self.assertTrue(apps.Trace(before, after, apps.STRONG).faults((100, 80), (13.5, 19)))

    def test_a_mark_that_stays_elsewhere(self):
        trace = self.trace((100, 80, 15, self.magenta), (250, 150, 2, self.magenta))
        self.assertTrue(trace.elsewhere([(100, 80)], 20)[0] > 240)


class ProtocolLogs(unittest.TestCase):
    lines = """[100.001]  -> wl_display@1.get_registry(new id wl_registry@2)
[100.002] wl_registry@2.global(1, "wl_compositor", 4)
[100.003] wl_registry@2.global(2, "weston_debug_v1", 1)
[100.004]  -> wl_registry@2.bind(1, "wl_compositor", 1, new id [unknown]@3)
[100.005]  -> wl_compositor@3.create_surface(new id wl_surface@7)
[100.006] xdg_surface@9.configure(1)
[100.007]  -> xdg_surface@9.ack_configure(1)
[100.008] wl_touch@8.down(4, 1234, wl_surface@7, 0, 10.00000000, 20.00000000)
[100.009]  -> wl_surface@7.commit()"""

    def differences(self, other, strict=True, hidden=("weston_debug_v1",)):
        return transparency.differences(transparency.ProtocolLog(self.lines, hidden),
                                        transparency.ProtocolLog(other, hidden), strict)

    def test_serials_times_and_numbers_are_no_difference(self):
        other = self.lines.replace("surface@7", "surface@12").replace("configure(1)", "configure(33)").replace(
            "down(4, 1234", "down(9, 77").replace("[100.", "[200.")
        self.assertEqual(self.differences(other), [])
        self.assertEqual(self.differences(other, strict=False), [])

    def test_a_hidden_global_is_none_when_it_was_named(self):
        other = "\n".join(line for line in self.lines.split("\n") if "weston_debug" not in line)
        self.assertEqual(self.differences(other), [])
        self.assertIn("global", self.differences(other, hidden=())[0])

    def test_a_lost_a_changed_and_a_moved_message(self):
        lines = self.lines.split("\n")
        self.assertTrue(self.differences("\n".join(lines[:-1])))
        self.assertTrue(self.differences("\n".join(lines[:-1]), strict=False))
        self.assertTrue(self.differences(self.lines.replace("20.00000000", "21.00000000"), strict=False))
        self.assertTrue(self.differences("\n".join(lines[:6] + [lines[8], lines[6], lines[7]])))
        self.assertTrue(self.differences(self.lines.replace("wl_touch@8.down(4, 1234, wl_surface@7",
                                                            "wl_touch@8.down(4, 1234, wl_surface@3")))


class Layers(unittest.TestCase):
    """What a protocol log tells of an overlay's surfaces."""
    lines = """[1.001]  -> wl_compositor@3.create_surface(new id wl_surface@7)
[1.002]  -> wl_compositor@3.create_region(new id wl_region@8)
[1.003]  -> wl_surface@7.set_input_region(wl_region@8)
[1.004]  -> wl_region@8.destroy()
[1.005]  -> zwlr_layer_shell_v1@4.get_layer_surface(new id zwlr_layer_surface_v1@9, wl_surface@7, wl_output@5, 3, "x")
[1.006]  -> zwlr_layer_surface_v1@9.set_anchor(15)
[1.007]  -> zwlr_layer_surface_v1@9.set_exclusive_zone(-1)
[1.008]  -> wl_surface@7.commit()
[1.009] zwlr_layer_surface_v1@9.configure(1, 960, 720)
[1.010]  -> wl_surface@7.attach(wl_buffer@11, 0, 0)
[1.011]  -> wl_surface@7.commit()"""

    def log(self, *changes):
        text = self.lines
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        return layers.LayerLog(text)

    def test_a_right_overlay(self):
        log = self.log()
        self.assertEqual((log.faults, len(log.mapped), log.drawn), ([], 1, [1011]))

    def test_each_fault(self):
        request = "[1.003]  -> wl_surface@7.set_input_region(wl_region@8)\n"
        for part, *change in (
                ("input region is everything", request, ""),
                ("input region is everything", "wl_region@8)\n[1.004]", "nil)\n[1.004]"),
                ("input region is not empty", request, "[1.003]  -> wl_region@8.add(0, 0, 1, 1)\n" + request),
                ("exclusive zone", "zone(-1)", "zone(0)"), ("anchored", "anchor(15)", "anchor(5)"),
                ("layer 2", "wl_output@5, 3", "wl_output@5, 2"),
                ("keyboard", "[1.008]", "[1.007]  -> zwlr_layer_surface_v1@9.set_keyboard_interactivity(1)\n[1.008]")):
            faults = self.log(change).faults
            self.assertTrue(len(faults) == 1 and part in faults[0], (part, faults))

    def test_a_region_that_comes_after_the_first_content(self):
        late = self.lines.replace("[1.003]  -> wl_surface@7.set_input_region(wl_region@8)\n", "")
        self.assertTrue(layers.LayerLog(late + "\n[1.012]  -> wl_surface@7.set_input_region(wl_region@8)\n"
                                        "[1.013]  -> wl_surface@7.commit()").faults)

    unmap = "\n[1.020]  -> wl_surface@7.attach(nil, 0, 0)\n[1.021]  -> wl_surface@7.commit()"

    def test_unmapped_and_gone(self):
        self.assertEqual(layers.LayerLog(self.lines + self.unmap).mapped, [])
        self.assertEqual(len(layers.LayerLog(self.lines + self.unmap.rsplit("\n", 1)[0]).mapped), 1)
        for end in ("zwlr_layer_surface_v1@9.destroy()", "wl_surface@7.destroy()"):
            self.assertEqual(layers.LayerLog(self.lines + "\n[1.020]  -> " + end).mapped, [])

    def test_what_unmapping_takes_away_must_be_said_again(self):
        again = self.lines.split("\n")[-2:]
        log = layers.LayerLog("\n".join([self.lines + self.unmap, *again]))
        self.assertEqual(len(log.faults), 2, log.faults)      # zone and anchor, not the surface's own region
        full = self.lines.split("\n")[5:]
        self.assertEqual(layers.LayerLog("\n".join([self.lines + self.unmap, *full])).faults, [])

    def test_touches(self):
        text = """[1.1] wl_touch@8.down(4, 1234, wl_surface@7, 0, 10.50000000, 20.00000000)
[1.2] wl_touch@8.motion(1240, 0, 11.00000000, 21.00000000)
[1.3] wl_touch@8.frame()
[1.4] wl_touch@8.up(5, 1250, 0)
[1.5] wl_touch@8.cancel()"""
        touch = layers.Touch
        self.assertEqual(layers.touches(text), [touch("down", 0, 10.5, 20), touch("motion", 0, 11, 21), touch("up", 0),
                                                touch("cancel")])

    def test_what_the_app_got(self):
        stage = object.__new__(overlaid.Stage)
        places, box = [(110.5, 60), (300, 200), (150, 100)], (100, 50, 700, 550)

        def faults(*got):
            events = [layers.Touch("down", 1, x, y) for x, y in got] + [layers.Touch("up", 1)] * len(got)
            return stage.app_faults(events, places, box)
        self.assertEqual(faults((10.5, 10), (200, 150), (50, 50)), [])
        self.assertTrue(faults((10.5, 10), (200, 150)))
        self.assertIn("came at", faults((10.5, 10), (203, 150), (50, 50))[0])
        self.assertIn("as if", faults((20.5, 10), (210, 150), (60, 50))[0])


class Panels(unittest.TestCase):
    """Recordings that we make: what a driver says of fingers."""
    device = evemu.touchscreen(1000, 500, (200, 100), 5)

    def events(self, *lines):
        return [event[1:] for event in fingers.record(self.device, lines)]

    def test_one_finger(self):
        self.assertEqual(self.events("down a 0.25 0.5", "frame", "move a 0.5 0.5", "frame", "up a", "frame"), [
            (3, 0x39, 0), (3, 0x35, 250), (3, 0x36, 250), (1, 0x14A, 1), (3, 0, 250), (3, 1, 250), (0, 0, 0),
            (3, 0x35, 500), (3, 0, 500), (0, 0, 0), (3, 0x39, -1), (1, 0x14A, 0), (0, 0, 0)])

    def test_slots_are_taken_again_and_ids_are_not(self):
        events = self.events("down a 0 0", "down b 1 1", "frame", "up a", "frame", "down c 0.5 0.5", "frame")
        self.assertEqual([value for _, code, value in events if code == 0x2F], [1, 0])
        self.assertEqual([value for _, code, value in events if code == 0x39], [0, 1, -1, 2])
        self.assertEqual(max(value for type, code, value in events if code == 0x35), 999)

    def test_a_recording_read_again(self):
        made = fingers.record(self.device, ["down a 0.1 0.2", "frame", "sleep 12.5", "up a", "frame"])
        device, events = evemu.parse(evemu.render(self.device, made))
        self.assertEqual((events, device.axes, device.name), (made, self.device.axes, self.device.name))
        for type in range(4):
            self.assertEqual(device.bits(type, 96), self.device.bits(type, 96))
        self.assertEqual(device.axes[evemu.ABS_X].resolution, 5)

    def test_recordings_of_the_field(self):
        text = """N: Panel  with blanks
P: 02 00 00 00 00 00 00 00
B: 01 00 00 00 00 00 00 00 00
B: 01 00 00 00 00 00 00 00 04
A: 2f 0 9 0 0
E: 0.000001 0003 0039 -001   # ABS_MT_TRACKING_ID
E: 1500000000.12 3 35 42
E: 0.5 0000 0000 1
"""
        device, events = evemu.parse(text)
        self.assertEqual((device.name, device.slots(), device.axes[0x2F].resolution), ("Panel  with blanks", 10, 0))
        self.assertEqual(device.bits(1, 96)[15], 4)
        self.assertEqual(events, [(1, 3, 0x39, -1), (1500000000120000, 3, 0x35, 42), (500000, 0, 0, 1)])
        self.assertIsNone(evemu.parse("E: 0.1 0 0 0")[0])


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
