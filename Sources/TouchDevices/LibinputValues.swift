#if LIBINPUT
    internal import CLibinput
    internal import CUdev
    internal import Gestures

    /// libinput's functions.
    ///
    /// SAFETY: they are there once fw_input_load has succeeded, before any libinput object is, and then for good.
    var libinput: UnsafeMutablePointer<fw_input_calls> { unsafe fw_input() }

    extension TouchDevice {
        /// SAFETY: `raw` is a device that libinput told of in the event that is looked at; all is copied.
        init(number: Int32, _ raw: OpaquePointer) {
            let node = unsafe libinput.pointee.device_get_udev_device(raw).map { unsafe UdevDevice($0) }
            self.init(
                number: number, name: unsafe TouchDevice.text(libinput.pointee.device_get_name(raw)),
                sysname: unsafe TouchDevice.text(libinput.pointee.device_get_sysname(raw)), path: node?.path ?? "",
                vendor: unsafe libinput.pointee.device_get_id_vendor(raw),
                product: unsafe libinput.pointee.device_get_id_product(raw),
                seat: unsafe TouchDevice.text(
                    libinput.pointee.seat_get_physical_name(libinput.pointee.device_get_seat(raw))))
            var width = 0.0
            var height = 0.0
            if unsafe libinput.pointee.device_get_size(raw, &width, &height) == 0, width > 0, height > 0 {
                millimetres = Size(width: width, height: height)
            }
            if let name = unsafe libinput.pointee.device_get_output_name(raw) {
                unsafe outputName = String(cString: name)
            }
            let count = unsafe libinput.pointee.device_touch_get_touch_count(raw)
            if count > 0 { touchCount = count }
            var matrix = [Float](repeating: 0, count: 6)
            if unsafe libinput.pointee.device_config_calibration_has_matrix(raw) != 0,
                unsafe libinput.pointee.device_config_calibration_get_matrix(raw, &matrix) != 0
            {
                calibration = UdevText.turned(matrix.map { Double($0) })
            }
        }

        private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
            unsafe pointer.map { unsafe String(cString: $0) } ?? ""
        }
    }

    extension DeviceTouch.Kind {
        /// nil for what is no touch event.
        ///
        /// SAFETY: `event` is libinput's newest and lives until it is destroyed; all is copied.
        init?(_ event: OpaquePointer) {
            let type = unsafe libinput.pointee.event_get_type(event)
            if type == LIBINPUT_EVENT_TOUCH_FRAME {
                self = .frame
                return
            }
            guard LIBINPUT_EVENT_TOUCH_DOWN.rawValue...LIBINPUT_EVENT_TOUCH_CANCEL.rawValue ~= type.rawValue,
                let touch = unsafe libinput.pointee.event_get_touch_event(event)
            else { return nil }
            let id = unsafe libinput.pointee.event_touch_get_seat_slot(touch)
            let microseconds = unsafe libinput.pointee.event_touch_get_time_usec(touch)
            switch type {
            case LIBINPUT_EVENT_TOUCH_DOWN:
                self = unsafe .down(id: id, microseconds: microseconds, place: DeviceTouch.Kind.place(touch))
            case LIBINPUT_EVENT_TOUCH_MOTION:
                self = unsafe .motion(id: id, microseconds: microseconds, place: DeviceTouch.Kind.place(touch))
            case LIBINPUT_EVENT_TOUCH_UP: self = .up(id: id, microseconds: microseconds)
            case LIBINPUT_EVENT_TOUCH_CANCEL: self = .cancel(id: id, microseconds: microseconds)
            default: return nil
            }
        }

        /// In fractions: libinput takes a panel of any width, one that is 1 wide too.
        private static func place(_ touch: OpaquePointer) -> Point {
            unsafe Point(
                x: libinput.pointee.event_touch_get_x_transformed(touch, 1),
                y: libinput.pointee.event_touch_get_y_transformed(touch, 1))
        }
    }
#endif
