/// What a source did that the protocol does not allow, or that a healthy panel does not do. Each was survived; the
/// counts say how often.
public struct FaultCounters: Hashable, Sendable {
    /// A `down` for an id that is down: its `up` or `cancel` was lost.
    public var duplicateDown = 0
    /// A `motion` for an id that is not down.
    public var unknownMotion = 0
    /// An `up` for an id that is not down.
    public var unknownUp = 0
    /// A `shape` or `orientation` for an id that is not down.
    public var unknownShape = 0
    /// Events with different stamps and no `frame` between them.
    public var missingFrame = 0
    /// A `frame` after nothing.
    public var emptyFrame = 0
    /// A `cancel` while nothing is down.
    public var repeatedCancel = 0
    /// A stamp earlier than the one before.
    public var timeBackwards = 0
    /// A first motion too far for a finger.
    public var jump = 0
    /// A place or size that is no number.
    public var badNumber = 0
    /// A contact dropped because more were down than anybody has fingers.
    public var overflow = 0

    public init() {}

    public var total: Int {
        duplicateDown + unknownMotion + unknownUp + unknownShape + missingFrame + emptyFrame + repeatedCancel
            + timeBackwards + jump + badNumber + overflow
    }

    public static func + (a: FaultCounters, b: FaultCounters) -> FaultCounters {
        var sum = a
        sum.duplicateDown += b.duplicateDown
        sum.unknownMotion += b.unknownMotion
        sum.unknownUp += b.unknownUp
        sum.unknownShape += b.unknownShape
        sum.missingFrame += b.missingFrame
        sum.emptyFrame += b.emptyFrame
        sum.repeatedCancel += b.repeatedCancel
        sum.timeBackwards += b.timeBackwards
        sum.jump += b.jump
        sum.badNumber += b.badNumber
        sum.overflow += b.overflow
        return sum
    }
}
