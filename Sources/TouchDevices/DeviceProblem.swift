/// What stands between us and a touchscreen, with what to do about it.
package enum DeviceProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The node may not be read. `group` may read it; nil when none but its owner may.
    case noPermission(path: String, name: String, group: String?)
    /// `reason`: the system's words.
    case cannotOpen(path: String, name: String, reason: String)
    case noDevice(path: String)
    /// `name` is nil when it is no input device either.
    case notATouchscreen(path: String, name: String?)
    /// The kernel has it and udev says nothing of it, so that nobody can tell what it is.
    case notDescribed(path: String)
    case noSeat(name: String, known: [String])
    /// This build is without libinput, or libinput or udev does not start.
    case unavailable(why: String)
    /// libinput's own words about something that is wrong.
    case libinput(String)
    /// libinput's own words about what goes on.
    case note(String)

    /// True for what only those want to know who look for a fault.
    package var isNote: Bool {
        switch self {
        case .libinput, .note: true
        default: false
        }
    }

    /// True for what waiting does not mend: somebody must do something.
    package var isLasting: Bool {
        switch self {
        case .noDevice, .libinput, .note: false
        default: true
        }
    }

    /// Of the node that it is about.
    package var path: String? {
        switch self {
        case .noPermission(let path, _, _), .cannotOpen(let path, _, _), .noDevice(let path),
            .notATouchscreen(let path, _), .notDescribed(let path):
            path
        case .noSeat, .unavailable, .libinput, .note: nil
        }
    }

    /// What failed, without an end.
    package var what: String {
        switch self {
        case .noPermission(let path, let name, _), .cannotOpen(let path, let name, _):
            name.isEmpty ? "cannot read the touchscreen \(path)" : "cannot read the touchscreen \(name) (\(path))"
        case .noDevice(let path), .notATouchscreen(let path, _), .notDescribed(let path): "cannot read \(path)"
        case .noSeat(let name, _): "cannot read the touchscreens of \(name)"
        case .unavailable: "cannot read touchscreens"
        case .libinput, .note: "libinput"
        }
    }

    package var why: String {
        switch self {
        case .noPermission(_, _, let group):
            "permission denied: only " + (group.map { "the group \($0)" } ?? "its owner") + " may"
        case .cannotOpen(_, _, let reason): reason
        case .noDevice: "there is no such file"
        case .notATouchscreen(_, let name): name.map { "\($0) is no touchscreen" } ?? "it is no input device"
        case .notDescribed: "udev has not described it"
        case .noSeat: "there is no such seat"
        case .unavailable(let why): why
        case .libinput(let text), .note(let text): text
        }
    }

    /// What to do; empty where nothing helps.
    package var remedy: String {
        switch self {
        case .noPermission(_, _, let group):
            (group.map { "join it (usermod -a -G \($0) USER, then log in anew), or " } ?? "")
                + "give it to whoever sits at the seat, with the line \(DeviceProblem.accessRule) in "
                + "\(DeviceProblem.accessRuleFile), or let a user read it who may: \(DeviceProblem.split)"
        case .cannotOpen: ""
        case .noDevice: "touchscreens are read as soon as they are there; fingerwave info lists them"
        case .notATouchscreen: "fingerwave info lists the touchscreens"
        case .notDescribed: "see whether udev runs; a container needs /run/udev beside /dev/input"
        case .noSeat(_, let known):
            known.isEmpty ? "there are no input devices" : "there is " + known.joined(separator: ", ")
        case .unavailable: "let another machine's or build's fingerwave read them: \(DeviceProblem.split)"
        case .libinput, .note: ""
        }
    }

    /// As the program says it, without its name and the line's end.
    package var description: String {
        remedy.isEmpty ? "\(what): \(why)" : "\(what): \(why); \(remedy)"
    }

    /// A line of libinput's log: without its end, and without the columns in which it stands.
    static func trimmed(_ line: String) -> String {
        line.split(whereSeparator: { $0 == " " || $0 == "\n" }).joined(separator: " ")
    }

    /// udev's 73-seat-late.rules gives what has this tag to the user whose session is in front.
    package static let accessRule =
        #"SUBSYSTEM=="input", ENV{ID_INPUT_TOUCHSCREEN}=="1", TAG+="uaccess""#
    package static let accessRuleFile = "/etc/udev/rules.d/70-touchscreen.rules"
    package static let split = "fingerwave events --source libinput | fingerwave overlay --source -"
}
