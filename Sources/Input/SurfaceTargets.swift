package import WaylandProtocols

/// The surfaces whose touches count, and the numbers that contacts name them by. One for all seats.
package final class SurfaceTargets {
    // The surface is kept with its number, so that no other object takes its address while it is registered.
    private var numbers: [ObjectIdentifier: (surface: WlSurface, target: Int)] = [:]
    private var next = 1

    package init() {}

    /// The number that contacts on `surface` carry as their target; the same one when it is registered already.
    /// Numbers are never used twice.
    @discardableResult
    package func register(_ surface: WlSurface) -> Int {
        if let known = numbers[ObjectIdentifier(surface)] { return known.target }
        defer { next += 1 }
        numbers[ObjectIdentifier(surface)] = (surface, next)
        return next
    }

    /// Forgets a surface that is about to be destroyed. Tell every ``SeatInput`` by
    /// ``SeatInput/endContacts(target:arrival:)`` too: a finger may be on it.
    package func unregister(_ surface: WlSurface) {
        numbers[ObjectIdentifier(surface)] = nil
    }

    /// nil for a surface that is not registered, and for none.
    package func target(of surface: WlSurface?) -> Int? {
        guard let surface else { return nil }
        return numbers[ObjectIdentifier(surface)]?.target
    }

    package func surface(of target: Int) -> WlSurface? {
        for entry in numbers.values where entry.target == target { return entry.surface }
        return nil
    }
}
