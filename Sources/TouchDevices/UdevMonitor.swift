#if LIBINPUT
    internal import CUdev

    /// Tells of input devices that come, go and change, once udev's rules have run for them.
    @safe
    final class UdevMonitor {
        // SAFETY: libudev's monitor, owned by self and given back by deinit alone.
        private let raw: OpaquePointer

        /// nil when the kernel gives no socket.
        init?(_ udev: Udev) {
            guard let raw = unsafe udev_monitor_new_from_netlink(udev.raw, "udev") else { return nil }
            unsafe self.raw = raw
            guard unsafe udev_monitor_filter_add_match_subsystem_devtype(raw, "input", nil) >= 0,
                unsafe udev_monitor_enable_receiving(raw) >= 0
            else { return nil }
        }

        deinit { unsafe _ = udev_monitor_unref(raw) }

        /// Readable when there is something to ``receive()``.
        var fileDescriptor: Int32 { unsafe udev_monitor_get_fd(raw) }

        /// The next device that something happened to; nil when there is none. Never waits.
        func receive() -> UdevDevice? { unsafe udev_monitor_receive_device(raw).map { unsafe UdevDevice($0) } }
    }
#endif
