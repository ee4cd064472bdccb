/// The contacts of one touchscreen that are down: each begins once and ends once, whatever libinput says.
///
/// libinput ends contacts itself in most cases, and says so; nothing here relies on it.
struct ContactLedger: Equatable {
    /// In the order of their coming.
    private(set) var ids: [Int32] = []
    /// Whether anything was passed on since the last frame.
    private var hasNews = false

    /// What is to be passed on for what libinput said: nothing for a contact that is not down, a `cancel` before the `down`
    /// of one that is.
    mutating func take(_ kind: DeviceTouch.Kind) -> [DeviceTouch.Kind] {
        switch kind {
        case .down(let id, let microseconds, _):
            hasNews = true
            if ids.contains(id) { return [.cancel(id: id, microseconds: microseconds), kind] }
            ids.append(id)
            return [kind]
        case .motion(let id, _, _):
            guard ids.contains(id) else { return [] }
            hasNews = true
            return [kind]
        case .up(let id, _), .cancel(let id, _):
            guard let index = ids.firstIndex(of: id) else { return [] }
            ids.remove(at: index)
            hasNews = true
            return [kind]
        case .frame:
            guard hasNews else { return [] }
            hasNews = false
            return [kind]
        }
    }

    /// The device is gone: cancels what is down, and closes the frame.
    mutating func end(microseconds: UInt64) -> [DeviceTouch.Kind] {
        var kinds = ids.map { DeviceTouch.Kind.cancel(id: $0, microseconds: microseconds) }
        ids.removeAll()
        if hasNews || !kinds.isEmpty { kinds.append(.frame) }
        hasNews = false
        return kinds
    }
}
