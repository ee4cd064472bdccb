#!/usr/bin/python3
"""kwin-shot.py OUT.png: the whole KWin workspace at its native resolution, through
org.kde.KWin.ScreenShot2 on the session bus (KWin must composite with OpenGL)."""
import os
import sys
import threading

import dbus
import dbus.types
from PIL import Image

BGRX_FORMATS = (4, 5, 6)        # QImage: RGB32, ARGB32, ARGB32_Premultiplied; all others here are RGBX


def main():
    bus = dbus.SessionBus()
    service = bus.get_object("org.kde.KWin.ScreenShot2", "/org/kde/KWin/ScreenShot2")
    reading, writing = os.pipe()
    pixels = bytearray()

    def drain():                # a picture is larger than a pipe, and KWin writes it before it answers
        while chunk := os.read(reading, 1 << 16):
            pixels.extend(chunk)

    reader = threading.Thread(target=drain)
    reader.start()
    options = dbus.Dictionary({"include-cursor": dbus.Boolean(False), "native-resolution": dbus.Boolean(True)},
                              signature="sv")
    try:
        answer = dbus.Interface(service, "org.kde.KWin.ScreenShot2").CaptureWorkspace(
            options, dbus.types.UnixFd(writing))
    finally:
        os.close(writing)
        reader.join()
    size = int(answer["width"]), int(answer["height"])
    order = "BGRX" if int(answer["format"]) in BGRX_FORMATS else "RGBX"
    Image.frombuffer("RGB", size, bytes(pixels), "raw", order, int(answer["stride"]), 1).save(sys.argv[1])


main()
