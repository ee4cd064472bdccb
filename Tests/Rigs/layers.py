"""What a client's protocol log (WAYLAND_DEBUG=1) tells: of its layer surfaces, or of the touches that it got."""
import dataclasses
import os
import re
import time

from transparency import LINE

OVERLAY = 3             # zwlr_layer_shell_v1.layer
ALL_EDGES = 1 | 2 | 4 | 8
STAMP = re.compile(r"^\[\s*(\d+)\.(\d+)\]")


def now():
    """The clock of the log: us, modulo 2^32."""
    return time.clock_gettime_ns(time.CLOCK_REALTIME) // 1000 % 2**32


def messages(text):
    """(stamp, whether it is a request, interface, id, message, arguments) of each line that is a message."""
    for line in text.splitlines():
        if match := LINE.match(line.rstrip()):
            arrow, interface, id, message, rest = match.groups()
            stamp = STAMP.match(line).groups()
            yield (int(stamp[0]) * 1000 + int(stamp[1].ljust(3, "0")), bool(arrow), interface, int(id), message,
                   [word.strip() for word in rest.split(",")])


def id_of(word):
    """The object that an argument names; None for nil."""
    found = re.search(r"[@#](\d+)$", word)
    return int(found.group(1)) if found else None


@dataclasses.dataclass
class Surface:
    """A wl_surface. What `set` requests asked for holds from the next commit on."""
    id: int
    # (layer, output's object id) once it has the role.
    role: tuple = None
    has_content: bool = False
    is_alive: bool = True
    pending: dict = dataclasses.field(default_factory=dict)
    state: dict = dataclasses.field(default_factory=dict)

    @property
    def is_mapped(self):
        return self.is_alive and self.has_content and self.role is not None


class LayerLog:
    """The layer surfaces of a client, and what was wrong with each when content first came onto it."""

    def __init__(self, text):
        self.surfaces, self.faults, self.outputs = [], [], {}
        self.by_id, self.roles, self.regions = {}, {}, {}
        self.drawn = []         # stamps of the commits that brought content
        for self.stamp, is_request, interface, id, message, words in messages(text):
            if not is_request:
                if interface == "wl_output" and message == "name":
                    self.outputs[id] = words[0].strip('"')
                continue
            handler = getattr(self, "%s_%s" % (interface, message), None)
            if handler:
                handler(id, words)
            elif interface == "zwlr_layer_surface_v1" and message.startswith("set_") and id in self.roles:
                self.roles[id].pending[message] = tuple(words)

    def wl_compositor_create_surface(self, _, words):
        surface = Surface(id_of(words[0]))
        self.by_id[surface.id] = surface

    def wl_compositor_create_region(self, _, words):
        self.regions[id_of(words[0])] = "empty"

    def wl_region_add(self, id, _):
        self.regions[id] = "not empty"

    def zwlr_layer_shell_v1_get_layer_surface(self, _, words):
        surface = self.by_id[id_of(words[1])]
        surface.role = int(words[3]), id_of(words[2])
        self.surfaces.append(surface)
        self.roles[id_of(words[0])] = surface

    def wl_surface_set_input_region(self, id, words):
        # The region's rectangles are copied at this moment.
        region = id_of(words[0])
        self.by_id[id].pending["input"] = "everything" if region is None else self.regions[region]

    def wl_surface_attach(self, id, words):
        self.by_id[id].pending["content"] = id_of(words[0]) is not None

    def wl_surface_commit(self, id, _):
        surface = self.by_id[id]
        if surface.role and surface.pending.get("content"):
            self.drawn.append(self.stamp)
        content = surface.pending.pop("content", surface.has_content)
        surface.state.update(surface.pending)
        surface.pending.clear()
        if content and surface.role and not surface.has_content:
            self.faults += ["wl_surface@%d: %s" % (id, fault) for fault in self.faults_of(surface)]
        if surface.has_content and not content:
            # What unmaps a layer surface also sets its role's state back; the input region is the surface's own.
            surface.state = {key: value for key, value in surface.state.items() if key == "input"}
        surface.has_content = content

    def wl_surface_destroy(self, id, _):
        self.by_id[id].is_alive = False

    def zwlr_layer_surface_v1_destroy(self, id, _):
        self.roles[id].is_alive = False

    @staticmethod
    def faults_of(surface):
        """What an overlay that nobody can touch must have before it shows anything."""
        state, faults = surface.state, []
        if state.get("input") != "empty":
            faults.append("its input region is %s" % state.get("input", "everything"))
        if state.get("set_exclusive_zone") != ("-1",):
            faults.append("its exclusive zone is %s" % (state.get("set_exclusive_zone"),))
        if state.get("set_keyboard_interactivity", ("0",)) != ("0",):
            faults.append("it takes the keyboard")
        if state.get("set_anchor") != (str(ALL_EDGES),):
            faults.append("it is anchored at %s" % (state.get("set_anchor"),))
        if surface.role[0] != OVERLAY:
            faults.append("it is in layer %d" % surface.role[0])
        return faults

    @property
    def mapped(self):
        return [surface for surface in self.surfaces if surface.is_mapped]


@dataclasses.dataclass
class Touch:
    """One event of wl_touch; places are surface-local, and None where the event has none."""
    type: str
    id: int = None
    x: float = None
    y: float = None


def touches(text):
    """What a client was told by wl_touch, frames left out."""
    found = []
    for _, is_request, interface, _, message, words in messages(text):
        if is_request or interface != "wl_touch":
            continue
        if message == "down":
            found.append(Touch(message, int(words[3]), float(words[4]), float(words[5])))
        elif message == "motion":
            found.append(Touch(message, int(words[1]), float(words[2]), float(words[3])))
        elif message == "up":
            found.append(Touch(message, int(words[2])))
        elif message == "cancel":
            found.append(Touch(message))
    return found


def read(path):
    with open(path, errors="replace") as f:
        return f.read()


def wait_quiet(path, seconds=0.3, at_most=10):
    """Until nothing was added to the log for a while."""
    end, size, since = time.monotonic() + at_most, -1, time.monotonic()
    while time.monotonic() < end and time.monotonic() - since < seconds:
        if os.path.getsize(path) != size:
            size, since = os.path.getsize(path), time.monotonic()
        time.sleep(0.03)
