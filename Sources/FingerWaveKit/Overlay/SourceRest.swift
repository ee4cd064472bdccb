/// When the source of touches rests: while every output waits for its next frame, so that a finger's movement wakes the
/// program once for each picture and not for each report too.
struct SourceRest {
    /// How long touches may wait for the compositor's next frame, ns: a frame at 60 Hz and a little. The kernel keeps eight
    /// full reports of a device at least (evdev.c: EVDEV_BUF_PACKETS).
    static let longest: Int64 = 20_000_000

    /// When touches are read again at the latest, in the loop's ns; nil while the source does not rest.
    private(set) var deadline: Int64?
    /// The frame that the last rest was for has not come yet. One that does not come must not wake anybody time and again.
    private var isFrameLate = false

    /// Before anything is drawn: true when the source is to catch up now, so that what has come is part of the picture.
    mutating func end(canLeaveTouches: Bool, now: Int64) -> Bool {
        let isOver = deadline.map { !canLeaveTouches || $0 <= now } ?? false
        if isOver { deadline = nil }
        isFrameLate = canLeaveTouches && (isFrameLate || isOver)
        return isOver
    }

    /// After the drawing: true when the source is to rest now.
    mutating func begin(canLeaveTouches: Bool, now: Int64) -> Bool {
        guard canLeaveTouches, deadline == nil, !isFrameLate else { return false }
        deadline = now + SourceRest.longest
        return true
    }
}
