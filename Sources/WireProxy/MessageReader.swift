/// Reads a message's arguments one after the other. What is not there reads as 0 or nothing, and sets ``isShort``.
///
/// Refers to the message's own bytes: it must not outlive the call that it came with.
@safe
package struct MessageReader {
    // SAFETY: the message without its header, alive as the type's comment says.
    private let body: UnsafeRawBufferPointer
    private var offset = 0
    /// Something was read that is not there.
    package private(set) var isShort = false

    /// `body` is the message without its header.
    init(_ body: UnsafeRawBufferPointer) { unsafe self.body = body }

    package mutating func uint() -> UInt32 {
        guard unsafe offset + 4 <= body.count else {
            isShort = true
            return 0
        }
        defer { offset += 4 }
        return unsafe body.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    }

    package mutating func int() -> Int32 { Int32(bitPattern: uint()) }

    /// 24.8 fixed point.
    package mutating func fixed() -> Double { Double(int()) / 256 }

    /// Without its final zero; empty when there is none.
    package mutating func string() -> UnsafeRawBufferPointer {
        let length = Int(uint())
        guard length > 0, unsafe offset + length <= body.count else {
            if length > 0 { isShort = true }
            return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        }
        defer { offset += (length + 3) & ~3 }
        return unsafe UnsafeRawBufferPointer(rebasing: body[offset..<offset + length - 1])
    }

    package mutating func text() -> String { unsafe String(decoding: string(), as: UTF8.self) }
}
