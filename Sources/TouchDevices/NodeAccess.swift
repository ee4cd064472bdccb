internal import CLibc
internal import CLinuxShims

/// Who may read a device's node.
enum NodeAccess {
    /// The group that a person can join to read a node of this mode: none when the group may not read, and not root's,
    /// which nobody should join for that.
    static func readingGroup(mode: UInt32, group: UInt32, name: String?) -> String? {
        guard mode & 0o040 != 0, group != 0 else { return nil }
        return name ?? String(group)
    }

    /// Why opening `path` for reading failed with this errno.
    static func problem(path: String, name: String, errno number: Int32) -> DeviceProblem {
        switch number {
        case EACCES, EPERM: .noPermission(path: path, name: name, group: readingGroup(of: path))
        case ENOENT: .noDevice(path: path)
        default: .cannotOpen(path: path, name: name, reason: systemText(number))
        }
    }

    private static func readingGroup(of path: String) -> String? {
        guard let facts = status(of: path) else { return nil }
        // SAFETY: the group's facts live until the next call; the name is copied before it.
        let name = unsafe getgrgid(facts.st_gid).map { unsafe String(cString: $0.pointee.gr_name) }
        return readingGroup(mode: facts.st_mode, group: facts.st_gid, name: name)
    }

    /// nil when there is no such file.
    static func status(of path: String) -> stat? {
        var facts = stat()
        let result = unsafe path.withCString { unsafe stat($0, &facts) }
        return result == 0 ? facts : nil
    }

    /// Why opening `path` for reading would fail, as far as can be told without opening it.
    static func problem(toRead path: String, name: String) -> DeviceProblem? {
        isReadable(path) ? nil : problem(path: path, name: name, errno: fw_errno())
    }

    static func isReadable(_ path: String) -> Bool { unsafe path.withCString { unsafe access($0, R_OK) } == 0 }

    static func systemText(_ number: Int32) -> String {
        // SAFETY: the text is copied before the next call.
        unsafe String(cString: strerror(number))
    }
}
