internal import CPixman

/// A set of pixels, kept as disjoint rectangles in bands: pixman's region32 as a value.
package struct Region {
    // SAFETY: shared between copies until one of them changes; `unique()` is called before every change.
    private var storage: Storage

    /// No pixel.
    package init() { storage = Storage() }

    /// The pixels of `rect`.
    package init(_ rect: PixelRect) {
        storage = Storage()
        if !rect.isEmpty { formUnion(rect) }
    }

    package var isEmpty: Bool { unsafe pixman_region32_not_empty(storage.raw) == 0 }

    /// The smallest rectangle that holds it all.
    package var bounds: PixelRect {
        let extents = unsafe storage.raw.pointee.extents
        return PixelRect(left: extents.x1, top: extents.y1, right: extents.x2, bottom: extents.y2)
    }

    /// How many rectangles it is made of.
    package var rectCount: Int { unsafe Int(pixman_region32_n_rects(storage.raw)) }

    /// Its rectangles, none of which overlap, from top to bottom and from left to right.
    package var rects: [PixelRect] {
        unsafe withBoxes { boxes in
            var rects: [PixelRect] = []
            rects.reserveCapacity(boxes.count)
            for index in boxes.indices {
                let box = unsafe boxes[index]
                rects.append(PixelRect(left: box.x1, top: box.y1, right: box.x2, bottom: box.y2))
            }
            return rects
        }
    }

    package func contains(x: Int32, y: Int32) -> Bool {
        unsafe pixman_region32_contains_point(storage.raw, x, y, nil) != 0
    }

    /// Whether any pixel of `rect` is in it.
    package func intersects(_ rect: PixelRect) -> Bool {
        if rect.isEmpty { return false }
        var box = pixman_box32(x1: rect.x, y1: rect.y, x2: rect.right, y2: rect.bottom)
        return unsafe pixman_region32_contains_rectangle(storage.raw, &box) != PIXMAN_REGION_OUT
    }

    package mutating func formUnion(_ other: Region) {
        if other.isEmpty { return }
        let target = unique()
        check(unsafe pixman_region32_union(target.raw, target.raw, other.storage.raw))
    }

    package mutating func formUnion(_ rect: PixelRect) {
        if rect.isEmpty { return }
        let target = unique()
        check(
            unsafe pixman_region32_union_rect(
                target.raw, target.raw, rect.x, rect.y, UInt32(rect.width), UInt32(rect.height)))
    }

    package mutating func formIntersection(_ rect: PixelRect) {
        let target = unique()
        check(
            unsafe pixman_region32_intersect_rect(
                target.raw, target.raw, rect.x, rect.y, UInt32(max(0, rect.width)), UInt32(max(0, rect.height))))
    }

    /// Without a copy where all of it lies in `rect`.
    package func intersection(_ rect: PixelRect) -> Region {
        if rect.contains(bounds) { return self }
        var part = self
        part.formIntersection(rect)
        return part
    }

    package mutating func formIntersection(_ other: Region) {
        let target = unique()
        check(unsafe pixman_region32_intersect(target.raw, target.raw, other.storage.raw))
    }

    package mutating func subtract(_ other: Region) {
        if other.isEmpty { return }
        let target = unique()
        check(unsafe pixman_region32_subtract(target.raw, target.raw, other.storage.raw))
    }

    package mutating func translate(x: Int32, y: Int32) {
        unsafe pixman_region32_translate(unique().raw, x, y)
    }

    /// Calls `body` with pixman's own form. The pointer must not outlive the call.
    func withRaw<R>(_ body: (UnsafeMutablePointer<pixman_region32>) -> R) -> R {
        unsafe body(storage.raw)
    }

    func withBoxes<R>(_ body: (UnsafeBufferPointer<pixman_box32>) -> R) -> R {
        var count: Int32 = 0
        // SAFETY: the boxes belong to the region, which `self` keeps unchanged during `body`.
        let first = unsafe pixman_region32_rectangles(storage.raw, &count)
        return unsafe body(UnsafeBufferPointer(start: first, count: Int(count)))
    }

    /// This value's own storage, no longer shared with copies.
    private mutating func unique() -> Storage {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(copying: storage) }
        return storage
    }

    /// pixman says false when memory has run out, which ends a Swift program everywhere else too.
    private func check(_ succeeded: pixman_bool_t) {
        if succeeded == 0 { fatalError("no memory for a region") }
    }

    @safe
    private final class Storage {
        // SAFETY: allocated and initialised by init, freed by deinit alone.
        let raw = UnsafeMutablePointer<pixman_region32>.allocate(capacity: 1)

        init() { unsafe pixman_region32_init(raw) }

        init(copying other: Storage) {
            unsafe pixman_region32_init(raw)
            if unsafe pixman_region32_copy(raw, other.raw) == 0 { fatalError("no memory for a region") }
        }

        deinit {
            unsafe pixman_region32_fini(raw)
            unsafe raw.deallocate()
        }
    }
}

extension Region: Equatable {
    package static func == (a: Region, b: Region) -> Bool {
        unsafe pixman_region32_equal(a.storage.raw, b.storage.raw) != 0
    }
}
