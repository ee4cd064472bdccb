#if LIBINPUT
    internal import CLibc
    internal import CUdev
    internal import Gestures

    /// What the system knows of its input devices.
    @safe
    final class Udev {
        // SAFETY: libudev's context, owned by self and given back by deinit alone. Everything made from it holds it too.
        let raw: OpaquePointer

        init?() {
            guard let raw = unsafe udev_new() else { return nil }
            unsafe self.raw = raw
        }

        deinit { unsafe _ = udev_unref(raw) }

        /// The device behind a node or a link to one; nil when there is none.
        func device(at path: String) -> UdevDevice? {
            guard let facts = NodeAccess.status(of: path), facts.st_mode & UInt32(S_IFMT) == UInt32(S_IFCHR) else {
                return nil
            }
            return unsafe udev_device_new_from_devnum(raw, CChar(UInt8(ascii: "c")), facts.st_rdev)
                .map { unsafe UdevDevice($0) }
        }

        /// The input devices that have nodes of their own, in the order of their numbers.
        func inputDevices() -> [UdevDevice] {
            guard let list = unsafe udev_enumerate_new(raw) else { return [] }
            defer { unsafe _ = udev_enumerate_unref(list) }
            unsafe _ = udev_enumerate_add_match_subsystem(list, "input")
            unsafe _ = udev_enumerate_add_match_sysname(list, "event[0-9]*")
            unsafe _ = udev_enumerate_scan_devices(list)
            var devices: [UdevDevice] = []
            var entry = unsafe udev_enumerate_get_list_entry(list)
            while let current = unsafe entry {
                if let path = unsafe udev_list_entry_get_name(current),
                    let device = unsafe udev_device_new_from_syspath(raw, path)
                {
                    unsafe devices.append(UdevDevice(device))
                }
                unsafe entry = udev_list_entry_get_next(current)
            }
            return devices.sorted { ($0.sysname.utf8.count, $0.sysname) < ($1.sysname.utf8.count, $1.sysname) }
        }

        /// The seats that input devices belong to, in order.
        var seats: [String] { Set(inputDevices().map { $0.seat }).sorted() }

        /// Why the device of a path that somebody named is not one to read; nil when it is.
        func problem(ofReading path: String) -> DeviceProblem? {
            guard NodeAccess.status(of: path) != nil else { return .noDevice(path: path) }
            guard let device = device(at: path), device.isInput else { return .notATouchscreen(path: path, name: nil) }
            guard device.isDescribed else { return .notDescribed(path: path) }
            return device.isTouchscreen ? nil : .notATouchscreen(path: path, name: device.name)
        }
    }
#endif
