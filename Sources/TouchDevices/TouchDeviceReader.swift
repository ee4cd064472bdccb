package import Gestures

#if LIBINPUT
    internal import CLibc
    internal import CLibinput
    internal import CLinuxShims

    /// Reads touchscreens by libinput, beside the compositor that reads them too.
    ///
    /// Nodes are opened for reading alone and never grabbed, and only those that udev calls touchscreens: no keyboard is
    /// opened, so that no key can be seen. Nothing is reported before the first ``dispatch()``, which tells of the
    /// touchscreens that are there.
    @safe
    package final class TouchDeviceReader {
        package enum Source: Equatable, Sendable {
            /// All of the seat of this name, also those that come later.
            case seat(String)
            /// Those of these paths, nodes or links to nodes, whenever they are there.
            case devices([String])
        }

        private struct Entry {
            var device: TouchDevice
            var ledger = ContactLedger()
        }

        /// Called from within ``dispatch()``.
        package var onEvent: ((DeviceEvent) -> Void)?
        /// Those that are read now, in the order of their coming.
        package private(set) var devices: [TouchDevice] = []
        /// Readable when there is something to ``dispatch()``; the reader's own, -1 once it is closed.
        package private(set) var fileDescriptor: Int32

        private let source: Source
        private let clock: () -> Instant
        private let udev: Udev
        private var monitor: UdevMonitor?
        // SAFETY: libinput's context and what it calls us by; both are made by init and ended by close(), in this order.
        private var input: OpaquePointer?
        private let owner: UnsafeMutablePointer<fw_input_owner>

        private var entries: [Int32: Entry] = [:]
        private var nextNumber: Int32 = 1
        private var isClosed = false
        /// What libinput did and said, until it can be told.
        private var pending: [DeviceEvent] = []
        /// The paths of touchscreens that could not be opened.
        private var denied: Set<String> = []
        /// Of the newest question of libinput's: whether it was for a device that is none of ours.
        private var isRefusing = false
        /// The caller knows that it comes late.
        private var isLate = false

        /// Throws when nothing can ever come: udev or libinput does not start, or there is no such seat. A touchscreen that
        /// cannot be opened is a ``DeviceEvent/problem(_:)``.
        package init(_ source: Source, clock: @escaping () -> Instant) throws(DeviceProblem) {
            guard fw_input_load() != 0 else {
                throw .unavailable(why: "libinput.so.10 is not installed (Debian: libinput10)")
            }
            guard let udev = Udev() else { throw .unavailable(why: "udev does not start") }
            let known = udev.seats
            if case .seat(let name) = source, name != "seat0", !known.contains(name) {
                throw .noSeat(name: name, known: known)
            }
            self.source = source
            self.clock = clock
            self.udev = udev
            fileDescriptor = fw_gather()
            unsafe owner = UnsafeMutablePointer.allocate(capacity: 1)
            unsafe owner.initialize(to: fw_input_owner(owner: nil, open: answerOpen, log: answerLog))
            unsafe owner.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
            // Before the devices are looked through, so that none comes in between unseen.
            monitor = UdevMonitor(udev)
            let raw: OpaquePointer? =
                switch source {
                case .seat: unsafe fw_input_new(owner, udev.raw)
                case .devices: unsafe fw_input_new(owner, nil)
                }
            unsafe input = raw
            guard let raw = unsafe raw, fileDescriptor >= 0 else { throw .unavailable(why: "libinput does not start") }
            unsafe _ = fw_gather_readable(fileDescriptor, libinput.pointee.get_fd(raw))
            if let monitor {
                _ = fw_gather_readable(fileDescriptor, monitor.fileDescriptor)
            } else {
                note(.note("udev tells nothing of touchscreens that come later"))
            }
            switch source {
            case .seat(let name):
                guard unsafe libinput.pointee.udev_assign_seat(raw, name) == 0 else {
                    throw .unavailable(why: "libinput does not find out about devices")
                }
            case .devices(let paths): for path in paths { open(path) }
            }
            isRefusing = false
        }

        deinit { close() }

        /// Ends the reading, without a word about contacts that are down. Safe within ``onEvent``.
        package func close() {
            onEvent = nil
            guard !isClosed else { return }
            isClosed = true
            if fileDescriptor >= 0 { _ = CLibc.close(fileDescriptor) }
            fileDescriptor = -1
            monitor = nil
            entries.removeAll()
            devices.removeAll()
            pending.removeAll()
            if let raw = unsafe input { unsafe _ = libinput.pointee.unref(raw) }
            unsafe input = nil
            unsafe owner.deallocate()
        }

        /// Reads what is there and reports it. Never waits.
        ///
        /// - Parameter isLate: what has come was left there on purpose, so libinput's complaint about that is not passed on.
        package func dispatch(isLate: Bool = false) {
            guard let raw = unsafe input else { return }
            self.isLate = isLate
            defer { self.isLate = false }
            let result = unsafe libinput.pointee.dispatch(raw)
            if result != 0 { note(.libinput("cannot read on: \(NodeAccess.systemText(-result))")) }
            takeEvents()
            while let device = monitor?.receive() { look(at: device) }
            takeEvents()
            isRefusing = false
            report()
        }

        private func report() {
            let events = pending
            pending.removeAll()
            for event in events {
                // close() may have been called by the one before.
                guard !isClosed else { return }
                switch event {
                case .added(let device): devices.append(device)
                case .removed(let device): devices.removeAll { $0.number == device.number }
                case .touch, .problem: break
                }
                onEvent?(event)
            }
        }

        private func note(_ problem: DeviceProblem) { pending.append(.problem(problem)) }

        // MARK: Nodes

        /// For libinput: a descriptor, or a negated errno.
        fileprivate func openNode(_ path: String) -> Int32 {
            guard let device = udev.device(at: path), device.isTouchscreen else {
                isRefusing = true
                return -ENODEV
            }
            isRefusing = false
            let descriptor = unsafe path.withCString { unsafe fw_open_for_reading($0) }
            guard descriptor < 0 else {
                denied.remove(path)
                return descriptor
            }
            let why = fw_errno()
            if denied.insert(path).inserted { note(NodeAccess.problem(path: path, name: device.name, errno: why)) }
            return -why
        }

        /// What libinput says; what it says of a device that is none of ours is none of ours either.
        fileprivate func log(_ line: String, isError: Bool, isOfLateness: Bool) {
            guard !isRefusing || isError, !(isLate && isOfLateness) else { return }
            let text = DeviceProblem.trimmed(line)
            note(isError ? .libinput(text) : .note(text))
        }

        /// Begins to read the node of a path that was asked for, or says why not.
        private func open(_ path: String) {
            if let problem = udev.problem(ofReading: path) { return note(problem) }
            // Two paths may lead to one node, which is read once.
            guard let raw = unsafe input, let node = udev.device(at: path)?.path,
                !entries.values.contains(where: { $0.device.path == node })
            else { return }
            unsafe _ = libinput.pointee.path_add_device(raw, path)
            takeEvents()
        }

        /// A device came, went or changed.
        private func look(at device: UdevDevice) {
            guard let path = device.path, let action = device.action else { return }
            if action == "remove" { denied.remove(path) }
            guard action == "add" || action == "change" else { return }
            switch source {
            case .devices(let paths):
                let number = dev_t(device.number)
                for asked in paths where NodeAccess.status(of: asked)?.st_rdev == number {
                    if !denied.contains(path) || NodeAccess.isReadable(path) { open(asked) }
                }
            case .seat:
                // libinput opens what comes, but never again what only changes its owner.
                guard action == "change", denied.contains(path), NodeAccess.isReadable(path),
                    let raw = unsafe input
                else { return }
                unsafe libinput.pointee.suspend(raw)
                if unsafe libinput.pointee.resume(raw) != 0 { note(.libinput("cannot read on after a change")) }
            }
        }

        // MARK: Events

        /// Takes what libinput has, to be reported later.
        private func takeEvents() {
            guard let raw = unsafe input else { return }
            let arrival = clock()
            while let event = unsafe libinput.pointee.get_event(raw) {
                // SAFETY: the event, and its device with it, live until it is destroyed.
                defer { unsafe libinput.pointee.event_destroy(event) }
                guard let device = unsafe libinput.pointee.event_get_device(event) else { continue }
                let number = unsafe Int32(Int(bitPattern: libinput.pointee.device_get_user_data(device)))
                switch unsafe libinput.pointee.event_get_type(event) {
                case LIBINPUT_EVENT_DEVICE_ADDED: unsafe add(device)
                case LIBINPUT_EVENT_DEVICE_REMOVED: unsafe remove(number, device, arrival)
                default:
                    guard let kind = unsafe DeviceTouch.Kind(event) else { continue }
                    pass(entries[number]?.ledger.take(kind) ?? [], number, arrival)
                }
            }
        }

        private func pass(_ kinds: [DeviceTouch.Kind], _ number: Int32, _ arrival: Instant) {
            for kind in kinds { pending.append(.touch(device: number, DeviceTouch(kind, arrival: arrival))) }
        }

        private func add(_ raw: OpaquePointer) {
            let device = unsafe TouchDevice(number: nextNumber, raw)
            guard unsafe libinput.pointee.device_has_capability(raw, LIBINPUT_DEVICE_CAP_TOUCH) != 0 else {
                // udev calls it a touchscreen, libinput something else: closed again, so that none of it is read.
                unsafe _ = libinput.pointee.device_config_send_events_set_mode(
                    raw, LIBINPUT_CONFIG_SEND_EVENTS_DISABLED.rawValue)
                return note(.notATouchscreen(path: device.path, name: device.name))
            }
            nextNumber += 1
            unsafe libinput.pointee.device_set_user_data(raw, UnsafeMutableRawPointer(bitPattern: Int(device.number)))
            entries[device.number] = Entry(device: device)
            pending.append(.added(device))
        }

        private func remove(_ number: Int32, _ raw: OpaquePointer, _ arrival: Instant) {
            guard var entry = entries.removeValue(forKey: number) else { return }
            pass(entry.ledger.end(microseconds: UInt64(max(0, arrival.nanoseconds) / 1000)), number, arrival)
            pending.append(.removed(entry.device))
            // libinput would keep the path for a resumption that never comes.
            if case .devices = source { unsafe libinput.pointee.path_remove_device(raw) }
        }
    }

    /// libinput's questions, for the reader that `owner` is.
    private func answerOpen(_ path: UnsafePointer<CChar>?, _ owner: UnsafeMutableRawPointer?) -> Int32 {
        // SAFETY: the reader outlives libinput's context, which alone asks; the text is copied.
        guard let path = unsafe path, let owner = unsafe owner else { return -EINVAL }
        return unsafe Unmanaged<TouchDeviceReader>.fromOpaque(owner).takeUnretainedValue().openNode(
            String(cString: path))
    }

    private func answerLog(_ isError: Int32, _ line: UnsafePointer<CChar>?, _ owner: UnsafeMutableRawPointer?) {
        // SAFETY: as above.
        guard let line = unsafe line, let owner = unsafe owner else { return }
        // Said when an event is more than 10 ms old (libinput 1.22).
        let isOfLateness = unsafe strstr(line, "event processing lagging behind") != nil
        unsafe Unmanaged<TouchDeviceReader>.fromOpaque(owner).takeUnretainedValue()
            .log(String(cString: line), isError: isError != 0, isOfLateness: isOfLateness)
    }
#else
    /// A build without libinput reads no touchscreen.
    package final class TouchDeviceReader {
        package enum Source: Equatable, Sendable {
            case seat(String)
            case devices([String])
        }

        package var onEvent: ((DeviceEvent) -> Void)?
        package let devices: [TouchDevice] = []
        package let fileDescriptor: Int32 = -1

        package init(_ source: Source, clock: @escaping () -> Instant) throws(DeviceProblem) {
            throw .unavailable(why: "this build has no libinput")
        }

        package func dispatch(isLate: Bool = false) {}
        package func close() {}
    }
#endif
