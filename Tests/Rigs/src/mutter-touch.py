#!/usr/bin/python3
"""mutter-touch.py COMMAND_SOCKET: touch into mutter 43 (--headless) through
org.gnome.Mutter.RemoteDesktop, on the session bus of DBUS_SESSION_BUS_ADDRESS.

    down ID X Y | move ID X Y | up ID | frame | sync | output TRANSFORM SCALE

X and Y are logical coordinates of the monitor.  "frame" does nothing: mutter makes a
frame of its own for every event, and it has no cancel.  "output" rotates (wl_output
transform number) and scales the monitor.  The monitor's PipeWire node is written into
the file "node" beside the socket, for screenshots.  Prints "ready" when it is.
"""
import os
import socket
import sys

import dbus
import dbus.mainloop.glib
from gi.repository import GLib

REMOTE, CAST = "org.gnome.Mutter.RemoteDesktop", "org.gnome.Mutter.ScreenCast"
DISPLAY = "org.gnome.Mutter.DisplayConfig"


def path_of(name):
    return "/" + name.replace(".", "/")


def wait_for_names(bus, names, seconds=15):
    """Until mutter owns all of the names on the bus."""
    missing = set(names)
    loop = GLib.MainLoop()

    def owner(name, new):
        if new:
            missing.discard(name)
            if not missing:
                loop.quit()

    for name in names:
        bus.watch_name_owner(name, lambda new, name=name: owner(name, new))
    timer = GLib.timeout_add_seconds(seconds, loop.quit)
    loop.run()
    if missing:
        sys.exit("mutter-touch: nobody owns " + ", ".join(missing))
    GLib.source_remove(timer)


class Monitor:
    """mutter's first monitor."""

    def __init__(self, bus):
        self.config = dbus.Interface(bus.get_object(DISPLAY, path_of(DISPLAY)), DISPLAY)
        self.read()

    def read(self):
        self.serial, monitors, logical, _ = self.config.GetCurrentState()
        (self.connector, *_), modes, _ = monitors[0]
        self.mode = next(mode for mode in modes if mode[6].get("is-current"))
        self.scale = float(logical[0][2])

    def change(self, transform, scale):
        self.read()
        offered = [float(s) for s in self.mode[5]]
        nearest = min(offered, key=lambda s: abs(s - scale))
        if abs(nearest - scale) > 0.01:
            # It offers none that leaves less than 800x480 of room.
            raise ValueError("mutter offers the scales " + " ".join("%g" % s for s in offered))
        monitor = dbus.Struct((self.connector, self.mode[0], dbus.Dictionary({}, signature="sv")))
        logical = dbus.Struct((dbus.Int32(0), dbus.Int32(0), dbus.Double(nearest), dbus.UInt32(transform),
                               dbus.Boolean(True), dbus.Array([monitor], signature="(ssa{sv})")))
        self.config.ApplyMonitorsConfig(self.serial, dbus.UInt32(1),
                                        dbus.Array([logical], signature="(iiduba(ssa{sv}))"),
                                        dbus.Dictionary({}, signature="sv"))
        self.read()


class Session:
    """A remote-desktop session with a stream of one monitor; mutter ends it when the monitor changes."""

    def __init__(self, bus, monitor):
        remote = dbus.Interface(bus.get_object(REMOTE, path_of(REMOTE)), REMOTE)
        session = bus.get_object(REMOTE, remote.CreateSession())
        self.session = dbus.Interface(session, REMOTE + ".Session")
        self.scale = monitor.scale
        number = session.Get(REMOTE + ".Session", "SessionId", dbus_interface="org.freedesktop.DBus.Properties")
        cast = dbus.Interface(bus.get_object(CAST, path_of(CAST)), CAST)
        cast_session = bus.get_object(CAST, cast.CreateSession({"remote-desktop-session-id": number}))
        self.stream = dbus.Interface(cast_session, CAST + ".Session").RecordMonitor(
            monitor.connector, {"cursor-mode": dbus.UInt32(0)})
        self.node = None
        loop = GLib.MainLoop()

        def added(node):
            self.node = int(node)
            loop.quit()

        bus.get_object(CAST, self.stream).connect_to_signal(
            "PipeWireStreamAdded", added, dbus_interface=CAST + ".Stream")
        self.session.Start()
        timer = GLib.timeout_add_seconds(10, loop.quit)
        loop.run()
        if self.node is None:
            sys.exit("mutter-touch: mutter gave no PipeWire stream")
        GLib.source_remove(timer)
        # The seat gains the touch capability with its first touch.
        self.session.NotifyTouchDown(self.stream, dbus.UInt32(0), 0.0, 0.0)
        self.session.NotifyTouchUp(dbus.UInt32(0))

    def touch(self, word, id, *place):
        # The stream's coordinates are its pixels, which a scaled monitor has more of.
        place = [float(n) * self.scale for n in place]
        if word == "down":
            self.session.NotifyTouchDown(self.stream, dbus.UInt32(id), *place)
        elif word == "move":
            self.session.NotifyTouchMotion(self.stream, dbus.UInt32(id), *place)
        else:
            self.session.NotifyTouchUp(dbus.UInt32(id))


class Server:
    """Takes the commands, one a line, and answers each when mutter has carried it out."""

    def __init__(self, bus, path):
        self.bus, self.directory = bus, os.path.dirname(path)
        self.monitor = Monitor(bus)
        self.connect()
        self.pending = {}
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.bind(path)
        self.listener.listen(4)
        GLib.io_add_watch(self.listener.fileno(), GLib.IO_IN, self.accept)

    def connect(self):
        self.session = Session(self.bus, self.monitor)
        with open(self.directory + "/node", "w") as f:
            f.write(str(self.session.node))

    def command(self, line):
        words = line.split()
        if not words or words[0] in ("frame", "sync"):
            return "ok"
        try:
            if words[0] in ("down", "move", "up"):
                self.session.touch(*words)
            elif words[0] == "output":
                self.monitor.change(int(words[1]), float(words[2]))
                self.connect()
            else:
                return "error: " + words[0] + "?"
        except (dbus.DBusException, TypeError, ValueError, IndexError) as e:
            return "error: " + str(e).replace("\n", " ")
        return "ok"

    def readable(self, _fd, _condition, client):
        data = client.recv(4096)
        if not data:
            del self.pending[client]
            client.close()
            return False
        self.pending[client] += data
        while b"\n" in self.pending[client]:
            line, self.pending[client] = self.pending[client].split(b"\n", 1)
            client.sendall(self.command(line.decode()).encode() + b"\n")
        return True

    def accept(self, _fd, _condition):
        client = self.listener.accept()[0]
        self.pending[client] = b""
        GLib.io_add_watch(client.fileno(), GLib.IO_IN | GLib.IO_HUP, self.readable, client)
        return True


def main():
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    wait_for_names(bus, [REMOTE, CAST, DISPLAY])
    _server = Server(bus, sys.argv[1])
    print("ready", flush=True)
    GLib.MainLoop().run()


main()
