"""The ends of `fingerwave run`, and what it does when nothing happens: for apps.py."""
import glob
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import time

import transparency
from program import Program
from rig import HERE

FLOOD = 60000           # motions that a stopped app does not read
GROWTH = 4 << 20        # bytes by which that may grow the program: its bound is 1 MiB a direction, and what holds it
QUIET = 10              # s in which nothing must happen


class Ends:
    """Short runs of apps in one rig."""

    def __init__(self, checks, rig, options):
        self.checks, self.rig, self.area, self.number = checks, rig, "ends", 0
        self.out = os.path.join(HERE, "out", "apps-" + rig.kind)
        self.program = shutil.copy(options.program, os.path.join(rig.dir, "fingerwave"))

    def check(self, text, good, detail=""):
        return self.checks.check(self.area, text, good, detail)

    def start(self, *words, options=()):
        """`fingerwave run -- words`, and its app when it has taken its first events."""
        self.number += 1
        return Program([self.program, "run", "-v", "--log=json", *options, "--", *words], self.rig.env,
                       os.path.join(self.out, "%s-%d.stderr" % (self.area, self.number)))

    def app_of(self, program, seconds=10):
        """The app's process, once it has a window and takes touches."""
        end = time.monotonic() + seconds
        start = len(program.events)
        while time.monotonic() < end:
            self.rig.send("down 1 480 360", "frame", "up 1", "frame", "sleep 100")
            if program.wait_for("down", since=start, seconds=0.2):
                time.sleep(0.3)
                with open("/proc/%d/task/%d/children" % (program.process.pid, program.process.pid)) as f:
                    return int(f.read().split()[0])
        return None

    def sockets(self):
        """What lies in the runtime folder as a display or a control socket of ours."""
        own = self.rig.display, self.rig.display + ".lock"
        return sorted(name for name in os.listdir(self.rig.dir) if name.startswith(("wayland-", "fingerwave-")) and name not in own)

    def processes(self):
        """Those that were started in this rig by us."""
        found = []
        for path in glob.glob("/proc/[0-9]*/cmdline"):
            try:
                with open(path) as f:
                    words = f.read().split("\0")
            except OSError:
                continue
            if words[0] == self.program or words[0].endswith("weston-simple-touch"):
                with open(path.replace("cmdline", "environ"), "rb") as f:
                    if ("XDG_RUNTIME_DIR=" + self.rig.dir).encode() in f.read().split(b"\0"):
                        found.append(int(path.split("/")[2]))
        return found

    def nothing_left(self, text, sockets=True):
        end = time.monotonic() + 2
        while self.processes() and time.monotonic() < end:
            time.sleep(0.05)
        left = ["process %d" % pid for pid in self.processes()] + (self.sockets() if sockets else [])
        self.check(text + ": nothing is left behind", not left, ", ".join(left))


def check_statuses(ends):
    for words, want in ((("sh", "-c", "exit 7"), 7), (("sh", "-c", "kill -9 $$"), 137), (("true",), 0),
                        (("/nonexistent/app",), 1)):
        status, _ = ends.start(*words).end(5)
        ends.check("status %d of %s is passed on" % (want, " ".join(words)), status == want, status)
    program = ends.start("sh", "-c", "trap 'exit 5' TERM; echo here >&2; while :; do sleep 0.05; done")
    end = time.monotonic() + 5
    while "here" not in program.errors() and time.monotonic() < end:
        time.sleep(0.02)
    program.process.send_signal(signal.SIGTERM)
    status, _ = program.end(5)
    ends.check("SIGTERM reaches the app", status == 5, status)
    listing = subprocess.run([ends.program, "run", "--", "ls", "-l", "/proc/self/fd"], env=ends.rig.env,
                             stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout
    numbers = [int(n) for n in re.findall(r" (\d+) -> ", listing)]
    ends.check("the app inherits the standard descriptors alone", set(numbers) <= {0, 1, 2, 3}, listing)
    ends.nothing_left("short runs")


# A program that names each signal it gets, also two that come together.
NAMES = """
import os, signal, time
reading, writing = os.pipe()
os.set_blocking(writing, False)
signal.set_wakeup_fd(writing)
for number in signal.SIGINT, signal.SIGQUIT, signal.SIGTERM:
    signal.signal(number, lambda number, frame: None)
print("up", flush=True)
end = time.monotonic() + 1
while time.monotonic() < end:
    time.sleep(0.01)
os.write(writing, bytes([0]))
for number in os.read(reading, 100)[:-1]:
    print("got", signal.Signals(number).name, flush=True)
raise SystemExit(3)
"""

# Sends requests until nobody takes them any more, and ends.
FLOODS = """
import os, signal, socket, struct, sys
s = socket.socket(socket.AF_UNIX)
s.connect(os.environ["XDG_RUNTIME_DIR"] + "/" + os.environ["WAYLAND_DISPLAY"])
s.sendall(struct.pack("=3I", 1, 12 << 16, 2))       # wl_display.sync
s.recv(12)
os.kill(int(sys.argv[1]), signal.SIGSTOP)
s.settimeout(0.5)
try:
    for number in range(3, 1000000):
        s.sendall(struct.pack("=3I", 1, 12 << 16, number))
except OSError:
    raise SystemExit(4)
"""


def on_terminal(ends, act, stdin=None):
    """What such an app says on a terminal after act(process, terminal), and the program's status."""
    pid, terminal = pty.fork()
    if pid == 0:
        for number in (signal.SIGINT, signal.SIGQUIT):
            signal.signal(number, signal.SIG_DFL)
        if stdin:
            os.dup2(os.open(stdin, os.O_RDONLY), 0)
        os.execve(ends.program, [ends.program, "run", "--no-control", "--", "/usr/bin/python3", "-c", NAMES], ends.rig.env)
    said, end, acted, status = b"", time.monotonic() + 5, False, None
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                part = os.read(terminal, 4096)
            except OSError:     # nobody has it open any more
                break
            said += part
        if b"up" in said and not acted:
            acted = True
            act(pid, terminal)
    while status is None and time.monotonic() < end:
        ended, code = os.waitpid(pid, os.WNOHANG)
        status = os.waitstatus_to_exitcode(code) if ended else None
        time.sleep(0.01)
    if status is None:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    os.close(terminal)
    return said.decode(errors="replace"), status


def check_terminal(ends):
    """Each signal reaches the app once, whoever sends it."""
    for number, key in ((signal.SIGINT, b"\x03"), (signal.SIGQUIT, b"\x1c")):
        for way, act, stdin in (("by kill", lambda pid, _: os.kill(pid, number), None),
                                ("by its key", lambda _, terminal: os.write(terminal, key), None),
                                ("by its key, without it as input", lambda _, terminal: os.write(terminal, key), "/dev/null")):
            said, status = on_terminal(ends, act, stdin)
            ends.check("on a terminal %s reaches the app once: %s" % (number.name, way),
                       said.count("got " + number.name) == 1 and status == 3, "%r, status %s" % (said, status))


def check_left_behind(ends):
    """What an app has started and left behind."""
    program = ends.start("sh", "-c", "(sleep 0.5; exec timeout 1.5 weston-simple-touch) & exit 5")
    ends.check("what the app leaves behind connects and is touched", ends.app_of(program, 5), program.errors())
    status, _ = program.end(8)
    ends.check("and then all ends with the app's status", status == 5, status)
    for text, script, least, most in (("a service that is left behind", "sleep 20 & exit 6", 4, 7),
                                      ("what ends by itself", "sleep 1 & exit 6", 0.5, 3)):
        status, took = ends.start("sh", "-c", script).end(12)
        ends.check("%s is waited for %s to %s s" % (text, least, most), status == 6 and least < took < most,
                   "status %s after %.1f s" % (status, took))
    program = ends.start("sh", "-c", "weston-simple-touch; true")
    ends.check("a script's app has a window", ends.app_of(program), program.errors())
    program.process.terminate()
    status, took = program.end(8)
    ends.check("SIGTERM ends a script and cuts its app off", status == 143 and took < 4.5,
               "status %s after %.1f s" % (status, took))
    ends.nothing_left("a script's app")


def check_full(ends):
    """A compositor that has stopped takes nothing of an app that has ended."""
    compositor = ends.rig.compositor_pid()
    status, took = ends.start("/usr/bin/python3", "-c", FLOODS, str(compositor)).end(10)
    os.kill(compositor, signal.SIGCONT)
    ends.check("an app ends while the compositor is stopped: within 6 s", status == 4 and took < 6,
               "status %s after %.1f s" % (status, took))
    ends.nothing_left("a compositor that was stopped")


def check_shortage(ends):
    """Connections that wait for descriptors cost nothing meanwhile."""
    hold = "import os, socket, time; sockets = []\nfor n in range(20):\n sockets.append(socket.socket(socket.AF_UNIX))\n" \
        " sockets[-1].connect(os.environ['XDG_RUNTIME_DIR'] + '/' + os.environ['WAYLAND_DISPLAY'])\ntime.sleep(3)"
    program = Program(["sh", "-c", "ulimit -Sn 23; exec \"$@\"", "sh", ends.program, "run", "--no-control", "--", "/usr/bin/python3",
                       "-c", hold], ends.rig.env, os.path.join(ends.out, "%s-shortage.stderr" % ends.area))

    def ticks():
        with open("/proc/%d/stat" % program.process.pid) as f:
            return sum(int(n) for n in f.read().rsplit(")", 1)[1].split()[11:13])
    time.sleep(1)
    before = ticks()
    time.sleep(1)
    spent = ticks() - before
    status, _ = program.end(8)
    ends.check("out of descriptors the program waits", status == 0 and spent < 5, "%d ticks of 100, %s" % (spent, status))
    said = program.errors()
    ends.check("and says so once", said.count("connections of the app wait") == 1 and len(said.splitlines()) == 1, said)


def check_app_killed(ends):
    program = ends.start("weston-simple-touch")
    app = ends.app_of(program)
    if not ends.check("a window comes", app, program.errors()):
        return program.end(0)
    modes = {name: os.stat(os.path.join(ends.rig.dir, name)).st_mode & 0o777 for name in ends.sockets()}
    ends.check("the display is its user's alone", any(modes) and all(
        mode & 0o077 == 0 for name, mode in modes.items() if not name.endswith(".lock")), modes)
    os.kill(app, signal.SIGKILL)
    status, took = program.end(5)
    ends.check("an app that is killed: status 137", status == 137, status)
    ends.check("within a second", took < 1, "%.1f s" % took)
    ends.nothing_left("an app that is killed")


def check_killed(ends):
    """The program itself is killed: what it holds the kernel takes away; its socket's file is for the next to take over."""
    program = ends.start("weston-simple-touch")
    if not ends.check("a window comes", ends.app_of(program), program.errors()):
        return program.end(0)
    names = ends.sockets()
    program.process.kill()
    program.end(5)
    ends.nothing_left("fingerwave killed", sockets=False)
    program = ends.start("weston-simple-touch")
    ends.check("the next run takes its display over", ends.app_of(program) and ends.sockets() == names, ends.sockets())
    program.process.terminate()
    program.end(5)
    ends.nothing_left("the next run")


def resident(pid):
    with open("/proc/%d/statm" % pid) as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def check_stopped(ends):
    """An app that reads nothing, under a flood of events."""
    program = ends.start("weston-simple-touch")
    app = ends.app_of(program)
    if not ends.check("a window comes", app, program.errors()):
        return program.end(0)
    before = resident(program.process.pid)
    os.kill(app, signal.SIGSTOP)
    ends.rig.send("down 1 480 360", "frame")
    most = before
    for start in range(0, FLOOD, 1000):
        ends.rig.send(*(line for n in range(start, start + 1000)
                        for line in ("move 1 %d 360" % (300 + n % 300), "frame")))
        if program.process.poll() is not None:
            break
        most = max(most, resident(program.process.pid))
    ends.check("a stopped app under %d events: the program does not grow past its bound" % FLOOD,
               most - before < GROWTH, "by %d KB" % ((most - before) >> 10))
    ends.rig.send("up 1", "frame")
    os.kill(app, signal.SIGCONT)
    time.sleep(0.5)
    if program.process.poll() is None:
        program.process.terminate()
    status, _ = program.end(5)
    ends.check("and both end", status is not None)
    ends.nothing_left("a stopped app")


def check_idle(ends):
    """Between touches nothing is called, and nothing of ours is on the screen."""
    program = ends.start("weston-simple-touch", options=("--duration", "0.3"))
    if not ends.check("a window comes", ends.app_of(program), program.errors()):
        return program.end(0)
    time.sleep(1.5)
    pid = program.process.pid
    trace = os.path.join(ends.out, ends.area + ".strace")
    strace = subprocess.run(["timeout", str(QUIET), "strace", "-f", "-o", trace, "-p", str(pid)],
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    with open(trace) as f:
        # The call that it is in, and its end with strace.
        calls = [line for line in f.read().splitlines() if "detached" not in line]
    ends.check("%d s without a touch: no system call" % QUIET, len(calls) <= 1, calls[:5] or strace.stderr)
    if ends.rig.kind.startswith("weston"):
        def views():
            text = subprocess.run(["timeout", "2", "weston-debug", "scene-graph"], env=ends.rig.env,
                                  capture_output=True, text=True).stdout
            return len(re.findall(r"role wl_subsurface, PID %d," % pid, text)), len(
                re.findall(r"role xdg_toplevel, PID %d," % pid, text))
        ends.check("untouched, the compositor has the app's window alone", views() == (0, 1), views())
        ends.rig.send("down 1 480 360", "frame", "sleep 200")
        held = views()
        ends.check("touched, it has ours above it", held[0] > 1, held)
        ends.rig.send("up 1", "frame", "sleep 1500")
        ends.check("and then no more", views() == (0, 1), views())
    program.process.terminate()
    program.end(5)


def check_compositor_killed(ends):
    """The last check of a rig."""
    program = ends.start("weston-simple-touch")
    if not ends.check("a window comes", ends.app_of(program), program.errors()):
        return program.end(0)
    os.kill(ends.rig.compositor_pid(), signal.SIGKILL)
    status, took = program.end(5)
    # weston-simple-touch has no other status for it.
    ends.check("a compositor that is killed: it ends as the app does", status == 0, status)
    ends.check("within two seconds", took < 2, "%.1f s" % took)
    ends.nothing_left("a compositor that is killed")


def check_ends(checks, rig, options):
    ends = Ends(checks, rig, options)
    if os.stat(rig.dir).st_uid != os.getuid():
        return      # a rig whose folder is another user's is left to the others
    for check in (check_statuses, check_terminal, check_left_behind, check_full, check_shortage, check_app_killed,
                  check_killed, check_stopped, check_idle, check_compositor_killed):
        check(ends)


def wait_quiet(path, seconds=20):
    """Until an app's protocol log has a first picture, and nothing was added to it for a second."""
    end, size, since = time.monotonic() + seconds, 0, time.monotonic()
    while time.monotonic() < end:
        if os.path.getsize(path) != size:
            size, since = os.path.getsize(path), time.monotonic()
        if time.monotonic() - since > 1:
            with open(path, errors="replace") as log:
                if ".attach(wl_buffer" in log.read():
                    return
        time.sleep(0.1)


def check_transparency(checks, rig, options, words, strict, environment=()):
    """The protocol logs of an app, direct and wrapped, in one rig after the other."""
    area, logs = "same-log", {}
    out = os.path.join(HERE, "out", "apps-" + rig.kind)
    program = shutil.copy(options.program, os.path.join(rig.dir, "fingerwave"))
    name = os.path.basename(words[0])
    for way, prefix in (("direct", ["env"]), ("wrapped", [program, "run", "-v", "--", "env"])):
        path = os.path.join(out, "%s-%s-%s.log" % (area, name, way))
        with open(path, "w") as log:
            process = subprocess.Popen(prefix + ["WAYLAND_DEBUG=1", *words], env=dict(rig.env, **dict(environment)),
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log)
        wait_quiet(path)
        rig.send("down 1 400 300", "frame", "sleep 60", "move 1 420 330", "frame", "sleep 60", "down 2 560 420", "frame",
                 "sleep 60", "up 1", "frame", "sleep 60", "up 2", "frame", "sleep 1200")
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        with open(path) as log:
            logs[way] = log.read()
    hidden = transparency.hidden_globals(logs["wrapped"])
    direct, wrapped = transparency.ProtocolLog(logs["direct"], hidden), transparency.ProtocolLog(logs["wrapped"])
    checks.check(area, "%s is touched" % name, any(".down(" in m for m in direct.events), "no wl_touch.down direct")
    checks.none(area, "%s says and hears the same as direct, %d requests, %d events" % (
        name, len(direct.requests), len(direct.events)), transparency.differences(direct, wrapped, strict))
