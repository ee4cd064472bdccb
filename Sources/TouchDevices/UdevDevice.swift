#if LIBINPUT
    internal import CLibc
    internal import CUdev
    internal import Gestures

    /// One input device as udev describes it.
    @safe
    final class UdevDevice {
        // SAFETY: libudev's device, owned by self and given back by deinit alone.
        private let raw: OpaquePointer

        /// Takes over the caller's reference.
        init(_ raw: OpaquePointer) { unsafe self.raw = raw }

        deinit { unsafe _ = udev_device_unref(raw) }

        private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
            unsafe pointer.map { unsafe String(cString: $0) }
        }

        func property(_ name: String) -> String? { unsafe UdevDevice.text(udev_device_get_property_value(raw, name)) }

        /// Such as `event3`.
        var sysname: String { unsafe UdevDevice.text(udev_device_get_sysname(raw)) ?? "" }

        /// nil for a device without a node, such as the one that a touchscreen's node belongs to.
        var path: String? { unsafe UdevDevice.text(udev_device_get_devnode(raw)) }

        /// What happened, for a device that a monitor told of: `add`, `remove`, `change`, ...
        var action: String? { unsafe UdevDevice.text(udev_device_get_action(raw)) }

        /// The node's number.
        var number: UInt64 { unsafe UInt64(udev_device_get_devnum(raw)) }

        var isInput: Bool { unsafe UdevDevice.text(udev_device_get_subsystem(raw)) == "input" }

        /// Whether udev's rules have run for it.
        var isDescribed: Bool { unsafe udev_device_get_is_initialized(raw) > 0 }

        /// What libinput goes by as well.
        var isTouchscreen: Bool { property("ID_INPUT_TOUCHSCREEN") == "1" }

        /// As libinput has it: without the property it is seat0.
        var seat: String { property("ID_SEAT") ?? "seat0" }

        /// Of the device that the node belongs to.
        private func parentAttribute(_ name: String) -> String? {
            // SAFETY: the parent belongs to this device and lives as long.
            guard let parent = unsafe udev_device_get_parent_with_subsystem_devtype(raw, "input", nil) else {
                return nil
            }
            return unsafe UdevDevice.text(udev_device_get_sysattr_value(parent, name))
        }

        /// The kernel's name for it; empty when it has none.
        var name: String { parentAttribute("name") ?? "" }

        /// As far as it can be told without opening it.
        var touchDevice: TouchDevice {
            TouchDevice(
                number: 0, name: name, sysname: sysname, path: path ?? "",
                vendor: UdevText.identifier(parentAttribute("id/vendor")),
                product: UdevText.identifier(parentAttribute("id/product")), seat: seat,
                millimetres: UdevText.millimetres(property("ID_INPUT_WIDTH_MM"), property("ID_INPUT_HEIGHT_MM")),
                outputName: property("WL_OUTPUT"),
                calibration: property("LIBINPUT_CALIBRATION_MATRIX").flatMap(UdevText.calibration))
        }
    }
#endif
