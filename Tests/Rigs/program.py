"""A running fingerwave: its JSON log as it comes, its end, and what the log must be like."""
import glob
import json
import os
import select
import subprocess
import threading
import time

CONTACT_EVENTS = ("down", "motion", "up", "cancel")


class Program:
    """`fingerwave` in a rig. Every line of its standard output must be one JSON object with a "type"."""

    def __init__(self, command, env, error_path, stdin=subprocess.DEVNULL):
        self.error_path = error_path
        self.events, self.bad_lines, self.deaf = [], [], False
        self.changed = threading.Condition()
        self.started = time.monotonic()
        with open(error_path, "w") as errors:
            self.process = subprocess.Popen(command, env=env, stdin=stdin, stdout=subprocess.PIPE,
                                            stderr=errors)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        """The log, line by line. Reads in small pieces, so that stop_reading() leaves nothing in a buffer of ours."""
        pending = b""
        descriptor = self.process.stdout.fileno()
        while not self.deaf:
            if not select.select([descriptor], [], [], 0.1)[0]:
                continue
            data = os.read(descriptor, 4096)
            *lines, pending = (pending + data).split(b"\n")
            self.take(lines if data else [pending] if pending else [])
            if not data:
                break
        with self.changed:
            self.changed.notify_all()

    def take(self, lines):
        for line in lines:
            with self.changed:
                try:
                    event = json.loads(line)
                    event["type"]
                    self.events.append(event)
                except (ValueError, KeyError, TypeError):
                    self.bad_lines.append(line)
                self.changed.notify_all()

    def stop_reading(self, close):
        """From now on nobody takes the log; with `close` the reading end is gone too."""
        self.deaf = True
        self.reader.join()
        if close:
            self.process.stdout.close()

    def last_size(self):
        """The window's, as the log told it last."""
        with self.changed:
            return [(e["width"], e["height"]) for e in self.events if e["type"] in ("ready", "configure")][-1]

    def count(self, type, since=0):
        with self.changed:
            return sum(event["type"] == type for event in self.events[since:])

    def since(self, start):
        with self.changed:
            return self.events[start:]

    def wait_for(self, type, number=1, since=0, seconds=10):
        """Until that many events of the type are logged; whether they were in time."""
        with self.changed:
            return self.changed.wait_for(
                lambda: sum(e["type"] == type for e in self.events[since:]) >= number or not self.reader.is_alive(),
                seconds) and sum(e["type"] == type for e in self.events[since:]) >= number

    def end(self, seconds):
        """Its exit status and how long it took to come; (None, seconds) and a killed program if it did not come."""
        begin = time.monotonic()
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            status = None
        took = time.monotonic() - begin
        self.reader.join(2)
        return status, took

    def switches(self):
        """How often its threads have gone to sleep, or were put aside."""
        total = 0
        for path in glob.glob("/proc/%d/task/*/status" % self.process.pid):
            with open(path) as f:
                total += sum(int(line.split()[1]) for line in f if "ctxt_switches" in line)
        return total

    def errors(self):
        with open(self.error_path) as f:
            return f.read().strip()


def contact_faults(events):
    """What is wrong with a log taken by itself: every contact begins once, ends once, and is silent outside of that;
    time does not run backwards."""
    faults, live, last = [], set(), {}
    for event in events:
        if event["type"] not in CONTACT_EVENTS:
            continue
        type, seat = event["type"], event.get("seat")
        if not isinstance(seat, str):        # KWin's seat has an empty name
            faults.append("%s without a seat" % type)
        if type == "cancel":
            if "id" in event:
                faults.append("cancel with an id")
            live = {key for key in live if key[0] != seat}
            continue
        key = seat, event.get("id")
        if type == "down":
            if key in live:
                faults.append("down of the live id %r" % (key[1],))
            live.add(key)
        elif key not in live:
            faults.append("%s of the id %r, which is not down" % (type, key[1]))
        if type == "up":
            live.discard(key)
        if seat in last and (event["time"] - last[seat]) % 2**32 > 2**31:
            faults.append("time went back from %d to %d" % (last[seat], event["time"]))
        last[seat] = event["time"]
    faults += ["the contact %r never ended" % (key[1],) for key in live]
    return faults


def presented_faults(events, has_times):
    """What is wrong with what a log says of touches that were seen, and with the last figures of it. `has_times`: the
    compositor tells when that was."""
    shown = [event for event in events if event["type"] == "presented"]
    seen = [event for event in shown if "discarded" not in event]
    faults = [] if seen else ["no touch was seen"]
    touches = sum(event["type"] in ("down", "motion", "up") for event in events)
    if len(shown) > touches:
        faults.append("%d pictures show %d touches" % (len(shown), touches))
    for event in seen:
        if event["commit"] < 0 or ("photons" in event) != has_times \
                or has_times and not event["commit"] <= event["photons"] < 1000:
            faults.append("%s" % event)
    last = ([event for event in events if event["type"] == "statistics"] or [{}])[-1]
    counts = {one["from"]: one["count"] for one in last.get("latency", ()) if one["to"] == "photons"}
    # From the first stamp that is known on both are counted over the same touches, and anew.
    expected = counts.get("stamp", len(seen)) if has_times and seen else None
    if counts.get("arrival") != expected or expected and not 0 < expected <= len(seen) \
            or last.get("discarded", 0) != len(shown) - len(seen):
        faults.append("at last %s, after %d that were seen, of %d" % (last, len(seen), len(shown)))
    return faults


def match_faults(events, lines, offset=(0, 0), tolerance=1.0):
    """What differs between the contact events of a log and the injected lines (down, move, up, cancel). The ids are
    the compositor's own: the n-th down stands for the n-th that was injected."""
    got = [event for event in events if event["type"] in CONTACT_EVENTS]
    want = [line.split() for line in lines if line.split()[0] in ("down", "move", "up", "cancel")]
    names = {"move": "motion"}
    if [event["type"] for event in got] != [names.get(words[0], words[0]) for words in want]:
        return ["logged " + " ".join(event["type"] for event in got) + " for " + "; ".join(map(" ".join, want))]
    ids, faults = {}, []
    for event, words in zip(got, want):
        if words[0] == "cancel":
            continue
        if words[0] == "down":
            ids[words[1]] = event["id"]
        if event["id"] != ids[words[1]]:
            faults.append("%s logged with id %r, whose down had %r" % (" ".join(words), event["id"], ids[words[1]]))
        if words[0] in ("down", "move"):
            x, y = float(words[2]) - offset[0], float(words[3]) - offset[1]
            if abs(event["x"] - x) > tolerance or abs(event["y"] - y) > tolerance:
                faults.append("%s logged at %g,%g, surface-local %g,%g" % (" ".join(words), event["x"], event["y"],
                                                                           x, y))
    return faults
