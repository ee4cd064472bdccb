"""Does an app see and say the same with fingerwave between it and its compositor? libwayland's protocol log tells."""
import glob
import os
import re
import signal
import time
import xml.etree.ElementTree as XML

from rig import HERE

# Stable protocols first: an old unstable one has other messages under the same names.
SOURCES = ("/usr/share/wayland/wayland.xml", "/usr/share/wayland-protocols/stable/**/*.xml",
           "/usr/share/wayland-protocols/**/*.xml",
           "/usr/share/plasma-wayland-protocols/*.xml", os.path.join(HERE, "../../protocols/**/*.xml"))
# Arguments whose values are another's each time: numbers that only count, and clocks.
CHANGING = re.compile(r"serial|time|tv_|seq_|refresh|^name$|handle|uuid|fd$")
LINE = re.compile(r"^\[\s*[\d.]+\]\s+(?:\{[^}]*\}\s+)?(?:discarded )?( -> )?(?:\[\w*\])?([a-z0-9_]+)[@#](\d+)\.(\w+)\((.*)\)$")
ARGUMENT = re.compile(r'"(?:[^"\\]|\\.)*"|[^,]+')
# What a compositor sends whenever it likes, or an app for its clock, so that one run has more of it than the next.
CHATTER = ("wl_display.delete_id", "wl_callback.done", "wl_buffer.release", "xdg_wm_base.ping", "xdg_wm_base.pong")


def changing_arguments():
    """The places of arguments that change, by "interface.message"."""
    found = {}
    for pattern in SOURCES:
        for path in glob.glob(pattern, recursive=True):
            for interface in XML.parse(path).getroot().iter("interface"):
                for message in [m for m in interface if m.tag in ("request", "event")]:
                    names = [a.get("name") for a in message.iter("arg")]
                    places = {n for n, name in enumerate(names) if CHANGING.search(name)}
                    found.setdefault((message.tag, interface.get("name") + "." + message.get("name")), places)
    return found


class ProtocolLog:
    """The messages of one connection: object ids by the order of their making, serials and times left out."""

    def __init__(self, text, hidden=()):
        self.requests, self.events, self.objects = [], [], {}
        changing, names, counts = changing_arguments(), {"1": "wl_display"}, {}
        self.globals = []
        for line in text.splitlines():
            match = LINE.match(line.rstrip())
            if not match:
                continue
            arrow, interface, number, message, rest = match.groups()
            kind = "request" if arrow else "event"
            title = interface + "." + message
            words = []
            for place, word in enumerate(a.strip() for a in ARGUMENT.findall(rest)):
                if made := re.match(r"new id \[?([a-z0-9_]+)\]?[@#](\d+)$", word):
                    name, id = made.groups()
                    if name == "unknown":
                        name = words[1].strip('"') if len(words) > 1 else name
                    counts[name] = counts.get(name, 0) + 1
                    names[id] = "%s-%d" % (name, counts[name])
                    word = "new " + names[id]
                elif named := re.match(r"([a-z0-9_]+)[@#](\d+)$", word):
                    word = names.get(named.group(2), word)
                elif word.startswith("fd "):
                    word = "fd"
                elif place in changing.get((kind, title), ()) and not word.startswith('"'):
                    word = "_"
                words.append(word)
            if title == "wl_registry.global":
                if words[1].strip('"') not in hidden:
                    self.globals.append((words[1], words[2]))
                continue
            if title == "wl_display.delete_id":
                words = ["_"]
            text = "%s.%s(%s)" % (names.get(number, interface), message, ", ".join(words))
            (self.requests if arrow else self.events).append(text)
            self.objects.setdefault(names.get(number, interface), []).append(
                (kind, message, ", ".join(w for w in words if w)))


def first_difference(name, a, b):
    """The first place where two lists differ, in words; nothing when they are equal."""
    for place, (one, other) in enumerate(zip(a, b)):
        if one != other:
            return ["%s %d: direct %s, wrapped %s" % (name, place, one, other)]
    if len(a) != len(b):
        longer = "direct" if len(a) > len(b) else "wrapped"
        return ["%s: %s has %s more" % (name, longer, max(a, b, key=len)[min(len(a), len(b))])]
    return []


def without_chatter(messages):
    """A list of messages, of which what is repeated (drawing) counts once."""
    kept = []
    for message in messages:
        title = re.sub(r"-\d+\.", ".", message.split("(")[0])
        if title not in CHATTER:
            kept.append(message)
    return kept


def differences(direct, wrapped, strict):
    """What differs between two logs. `strict`: all requests in order, and all events in order; otherwise, for apps that
    draw by the clock, which messages each kind of object had, and all that touches said."""
    faults = first_difference("global", direct.globals, wrapped.globals)
    if strict:
        faults += first_difference("request", without_chatter(direct.requests), without_chatter(wrapped.requests))
        faults += first_difference("event", without_chatter(direct.events), without_chatter(wrapped.events))
        return faults

    def kinds(log):
        return sorted({re.sub(r"-\d+", "", message.split("(")[0]) for message in log.requests + log.events}
                      - set(CHATTER))

    def touches(log):
        return [re.sub(r"-\d+", "", m) for m in log.events if re.match(r"wl_touch", m)]
    faults += first_difference("kind of message", kinds(direct), kinds(wrapped))
    faults += first_difference("touch", touches(direct), touches(wrapped))
    return faults


def hidden_globals(text):
    return re.findall(r"fingerwave: the app is not offered (\w+),", text)
