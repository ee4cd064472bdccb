/// Four pixels', or four areas', numbers at once.
typealias Lanes = SIMD4<Float>

extension Lanes {
    /// From 0 to `limit`. The standard library's pointwiseMin and pointwiseMax are calls, this is two instructions.
    @inline(__always)
    func clamped(to limit: Self) -> Self {
        let positive = replacing(with: 0, where: self .< 0)
        return positive.replacing(with: limit, where: positive .> limit)
    }

    /// From 0 to 1.
    @inline(__always)
    var clampedToUnit: Self { clamped(to: Self(repeating: 1)) }

    /// Without signs, by which the compiler sees that a square root needs no look at errno.
    @inline(__always)
    var magnitudes: Self {
        Self(self[0].magnitude, self[1].magnitude, self[2].magnitude, self[3].magnitude)
    }

    /// Coverages in units of 1/32768, clamped to 0 to 1.
    @inline(__always)
    var shares: SIMD4<UInt32> {
        // At 2 to the 23 a float's last place is 1, so that adding it rounds; the integer is in the low bits.
        let shifted = clampedToUnit * 32768 + 8_388_608
        return SIMD4<UInt32>(shifted[0].bitPattern, shifted[1].bitPattern, shifted[2].bitPattern, shifted[3].bitPattern)
            & SIMD4<UInt32>(repeating: 0xffff)
    }

    @inline(__always)
    var swappedHalves: Self { Self(self[2], self[3], self[0], self[1]) }
}
