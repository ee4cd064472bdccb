/// The touchscreens that udev knows now, found without opening any.
package enum TouchDeviceList {
    /// In the order of their nodes' numbers; an error when udev cannot be asked.
    package static func all() throws(DeviceProblem) -> [ListedDevice] {
        #if LIBINPUT
            guard let udev = Udev() else { throw .unavailable(why: "udev does not start") }
            var listed: [ListedDevice] = []
            for device in udev.inputDevices() where device.isTouchscreen {
                let facts = device.touchDevice
                listed.append(ListedDevice(facts, problem: NodeAccess.problem(toRead: facts.path, name: facts.name)))
            }
            return listed
        #else
            throw .unavailable(why: "this build has no libinput")
        #endif
    }
}
