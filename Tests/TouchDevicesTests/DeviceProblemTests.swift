import CLibc
import Gestures
import Testing

@testable import TouchDevices

/// What people read who have no touches yet.
@Suite struct DeviceProblemTests {
    private static let path = "/dev/input/event3"
    private static let name = "Goodix Capacitive TouchScreen"

    @Test func deniedReadingNamesTheDeviceAndEveryWayOut() {
        let problem = DeviceProblem.noPermission(
            path: DeviceProblemTests.path, name: DeviceProblemTests.name, group: "input")
        #expect(
            problem.description
                == "cannot read the touchscreen Goodix Capacitive TouchScreen (/dev/input/event3): permission denied: only "
                + "the group input may; join it (usermod -a -G input USER, then log in anew), or give it to whoever sits "
                + "at the seat, with the line SUBSYSTEM==\"input\", ENV{ID_INPUT_TOUCHSCREEN}==\"1\", TAG+=\"uaccess\" in "
                + "/etc/udev/rules.d/70-touchscreen.rules, or let a user read it who may: fingerwave events --source "
                + "libinput | fingerwave overlay --source -")
        #expect(!problem.isNote)
    }

    /// Nobody is told to join root's group, nor one that may not read either.
    @Test(
        arguments: [
            (0o660, 104, "input", "input"), (0o640, 104, nil, "104"), (0o600, 104, "input", nil),
            (0o660, 0, "root", nil),
        ] as [(UInt32, UInt32, String?, String?)])
    func theGroupIsOneThatHelps(mode: UInt32, group: UInt32, name: String?, expected: String?) {
        #expect(NodeAccess.readingGroup(mode: mode, group: group, name: name) == expected)
    }

    @Test func withoutAGroupTheRuleAndTheSplitAreLeft() {
        let problem = DeviceProblem.noPermission(path: DeviceProblemTests.path, name: "", group: nil)
        #expect(problem.what == "cannot read the touchscreen /dev/input/event3")
        #expect(problem.why == "permission denied: only its owner may")
        #expect(problem.remedy.hasPrefix("give it to whoever sits at the seat, with the line SUBSYSTEM"))
        #expect(problem.remedy.hasSuffix(DeviceProblem.split))
    }

    @Test(arguments: [
        (
            DeviceProblem.cannotOpen(path: path, name: name, reason: "Device or resource busy"),
            "cannot read the touchscreen Goodix Capacitive TouchScreen (/dev/input/event3): Device or resource busy"
        ),
        (
            .noDevice(path: path),
            "cannot read /dev/input/event3: there is no such file; touchscreens are read as soon as they are there; "
                + "fingerwave info lists them"
        ),
        (
            .notATouchscreen(path: path, name: "AT Translated Set 2 keyboard"),
            "cannot read /dev/input/event3: AT Translated Set 2 keyboard is no touchscreen; fingerwave info lists the "
                + "touchscreens"
        ),
        (
            .notATouchscreen(path: "/dev/null", name: nil),
            "cannot read /dev/null: it is no input device; fingerwave info lists the touchscreens"
        ),
        (
            .notDescribed(path: path),
            "cannot read /dev/input/event3: udev has not described it; see whether udev runs; a container needs "
                + "/run/udev beside /dev/input"
        ),
        (
            .noSeat(name: "seat7", known: ["seat0", "seat1"]),
            "cannot read the touchscreens of seat7: there is no such seat; there is seat0, seat1"
        ),
        (
            .noSeat(name: "seat7", known: []),
            "cannot read the touchscreens of seat7: there is no such seat; there are no input devices"
        ),
        (.libinput("event3 - X: kernel bug: y"), "libinput: event3 - X: kernel bug: y"),
    ])
    func problemsSayWhatWhyAndWhatToDo(problem: DeviceProblem, text: String) { #expect(problem.description == text) }

    @Test func libinputsLinesLoseTheirColumns() {
        #expect(
            DeviceProblem.trimmed("event0  - A  panel: SYN_DROPPED event\n") == "event0 - A panel: SYN_DROPPED event")
        #expect(DeviceProblem.note("x").isNote && DeviceProblem.libinput("x").isNote)
    }

    @Test func anErrnoBecomesWhatItMeans() {
        let path = "/no/such/node"
        #expect(NodeAccess.problem(path: path, name: "A", errno: ENOENT) == .noDevice(path: path))
        #expect(
            NodeAccess.problem(path: path, name: "A", errno: EBUSY)
                == .cannotOpen(path: path, name: "A", reason: "Device or resource busy"))
        // The node's group cannot be told when it is not there.
        #expect(
            NodeAccess.problem(path: path, name: "A", errno: EACCES) == .noPermission(path: path, name: "A", group: nil)
        )
    }
}

/// udev's texts come from people's rule files.
@Suite struct UdevTextTests {
    @Test(
        arguments: [
            ("0 -1 1 1 0 0", [0, -1, 1, 1, 0, 0]), ("1.5 0 -0.25  0 1 0", [1.5, 0, -0.25, 0, 1, 0]),
            ("1 0 0 0 1 0", nil), ("1 0 0 0 1", nil), ("1 0 0 0 1 0 0", nil), ("1 0 0 0 1 x", nil), ("", nil),
            ("1 0 0 0 1 nan", nil),
        ] as [(String, [Double]?)])
    func calibrationMatricesAreSixNumbers(text: String, matrix: [Double]?) {
        #expect(UdevText.calibration(text) == matrix)
    }

    @Test func sizesAreTwoLengths() {
        #expect(UdevText.millimetres("154", "86") == Size(width: 154, height: 86))
        #expect(UdevText.millimetres("154", nil) == nil && UdevText.millimetres("0", "86") == nil)
        #expect(UdevText.millimetres("-1", "86") == nil && UdevText.millimetres("a", "b") == nil)
    }

    @Test func identifiersAreHexadecimal() {
        #expect(UdevText.identifier("0eef") == 0x0EEF && UdevText.identifier(nil) == 0 && UdevText.identifier("?") == 0)
    }
}

#if LIBINPUT
    /// Without touchscreens, as on a build machine; the rigs have mocked ones.
    @Suite struct TouchDeviceReaderTests {
        private func events(_ source: TouchDeviceReader.Source) throws -> [DeviceEvent] {
            let reader = try TouchDeviceReader(source) { Instant(nanoseconds: 0) }
            var events: [DeviceEvent] = []
            reader.onEvent = { events.append($0) }
            reader.dispatch()
            reader.onEvent = nil
            return events
        }

        @Test func aPathThatIsNoTouchscreenIsSaid() throws {
            let events = try events(.devices(["/no/such/node", "/dev/null"]))
            #expect(
                events == [
                    .problem(.noDevice(path: "/no/such/node")),
                    .problem(.notATouchscreen(path: "/dev/null", name: nil)),
                ])
        }

        @Test func aSeatThatIsNotThereIsSaid() {
            do throws(DeviceProblem) {
                _ = try TouchDeviceReader(.seat("no-such-seat")) { Instant(nanoseconds: 0) }
                Issue.record("it is read")
            } catch {
                guard case .noSeat("no-such-seat", _) = error else {
                    Issue.record("\(error)")
                    return
                }
            }
        }

        @Test func closingIsSafeTwiceAndFromWithin() throws {
            let reader = try TouchDeviceReader(.devices(["/no/such/node", "/dev/null"])) { Instant(nanoseconds: 0) }
            var count = 0
            reader.onEvent = { [unowned reader] _ in
                count += 1
                reader.close()
            }
            reader.dispatch()
            #expect(count == 1 && reader.fileDescriptor == -1)
            reader.close()
            reader.dispatch()
        }
    }
#endif
