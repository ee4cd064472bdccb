package import Gestures

/// One wl_touch event as it came, before any rule of contacts: what a log writes and a recording keeps.
package struct RawTouchEvent: Hashable, Sendable {
    /// `time` is the protocol's: ms of unknown base, modulo 2^32. Positions and diameters are surface-local logical px.
    package enum Kind: Hashable, Sendable {
        /// `target` is nil for a surface that is not registered, or that was destroyed while the event was under way.
        case down(id: Int32, time: UInt32, position: Point, target: Int?)
        case motion(id: Int32, time: UInt32, position: Point)
        case up(id: Int32, time: UInt32)
        case frame
        case cancel
        /// The contact ellipse's two diameters. Only from version 6.
        case shape(id: Int32, major: Double, minor: Double)
        /// Degrees clockwise from the surface's y axis. Only from version 6.
        case orientation(id: Int32, degrees: Double)
    }

    package var kind: Kind
    /// When the client got it.
    package var arrival: Instant
    /// Of `down` and `up`, where they came over the wire.
    package var serial: UInt32?

    package init(kind: Kind, arrival: Instant, serial: UInt32? = nil) {
        self.kind = kind
        self.arrival = arrival
        self.serial = serial
    }

    /// What is touched with it, by fingers of `contacts`, which are those that were down before it.
    package func targets(among contacts: [Contact]) -> [Int] {
        var meant: Int32?
        switch kind {
        case .down(_, _, _, let target): return target.map { [$0] } ?? []
        case .frame: return []
        case .cancel: break
        case .motion(let id, _, _), .up(let id, _), .shape(let id, _, _), .orientation(let id, _): meant = id
        }
        return contacts.compactMap { $0.kind == .finger && $0.id == meant ?? $0.id ? $0.target : nil }
    }
}
