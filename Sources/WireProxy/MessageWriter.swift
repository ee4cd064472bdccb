/// Writes requests of our own, one after the other, as they go over the wire.
package struct MessageWriter {
    package private(set) var bytes: [UInt8] = []
    package private(set) var descriptors: [(message: Int, descriptor: Int32)] = []
    private var start = 0

    package init() {}

    package var isEmpty: Bool { bytes.isEmpty }

    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        descriptors.removeAll(keepingCapacity: true)
    }

    /// A message of whole words; ``string(_:)`` and ``descriptor(_:)`` add what is none.
    package mutating func message(_ object: UInt32, _ opcode: UInt16, _ words: UInt32...) {
        start = bytes.count
        word(object)
        word(UInt32(opcode))
        for value in words { word(value) }
        finish()
    }

    /// Adds a word to the last message.
    package mutating func append(_ value: UInt32) {
        word(value)
        finish()
    }

    package mutating func append(_ value: Int32) { append(UInt32(bitPattern: value)) }

    /// Adds a string to the last message.
    package mutating func append(string: StaticString) {
        let length = string.utf8CodeUnitCount
        word(UInt32(length + 1))
        // SAFETY: a static string's bytes live for ever.
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: string.utf8Start, count: length))
        pad(after: length)
    }

    /// Adds a string to the last message.
    package mutating func append(string: String) {
        let length = string.utf8.count
        word(UInt32(length + 1))
        bytes.append(contentsOf: string.utf8)
        pad(after: length)
    }

    /// Adds a descriptor to the last message, which is closed once it was sent.
    package mutating func append(descriptor: Int32) { descriptors.append((start, descriptor)) }

    private mutating func pad(after length: Int) {
        for _ in length..<((length + 4) & ~3) { bytes.append(0) }
        finish()
    }

    private mutating func word(_ value: UInt32) {
        unsafe withUnsafeBytes(of: value) { unsafe bytes.append(contentsOf: $0) }
    }

    /// The size goes with the opcode, in the upper half of the second word.
    private mutating func finish() {
        let size = UInt16(truncatingIfNeeded: bytes.count - start)
        unsafe withUnsafeBytes(of: size) { size in
            unsafe bytes[start + 6] = size[0]
            unsafe bytes[start + 7] = size[1]
        }
    }
}
