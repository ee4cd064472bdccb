/// Writes requests of our own, one after the other, as they go over the wire: in whole words of the machine's byte order.
package struct MessageWriter {
    private var words: [UInt32] = []
    /// Where a descriptor's message begins, in bytes.
    package private(set) var descriptors: [(message: Int, descriptor: Int32)] = []
    private var start = 0

    package init() {}

    package var isEmpty: Bool { words.isEmpty }

    /// Calls `body` with all messages.
    package func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        unsafe words.withUnsafeBytes { unsafe body($0) }
    }

    package mutating func removeAll() {
        words.removeAll(keepingCapacity: true)
        descriptors.removeAll(keepingCapacity: true)
    }

    /// A message of whole words; ``append(string:)-(String)`` and ``append(descriptor:)`` add what is none.
    package mutating func message(_ object: UInt32, _ opcode: UInt16, _ arguments: UInt32...) {
        start = words.count
        words.append(object)
        words.append(UInt32(opcode))
        for value in arguments { words.append(value) }
        finish()
    }

    /// Adds a word to the last message.
    package mutating func append(_ value: UInt32) {
        words.append(value)
        finish()
    }

    package mutating func append(_ value: Int32) { append(UInt32(bitPattern: value)) }

    /// Adds a string to the last message.
    package mutating func append(string: StaticString) {
        // SAFETY: a static string's bytes live for ever.
        unsafe append(
            text: UnsafeBufferPointer(start: string.utf8Start, count: string.utf8CodeUnitCount),
            count: string.utf8CodeUnitCount)
    }

    /// Adds a string to the last message.
    package mutating func append(string: String) { append(text: string.utf8, count: string.utf8.count) }

    /// Adds a descriptor to the last message, which is closed once it was sent.
    package mutating func append(descriptor: Int32) { descriptors.append((start * 4, descriptor)) }

    private mutating func append(text: some Sequence<UInt8>, count: Int) {
        words.append(UInt32(count + 1))
        var word: UInt32 = 0
        var shift: UInt32 = 0
        for byte in text {
            word |= UInt32(byte) << shift
            shift += 8
            if shift < 32 { continue }
            words.append(UInt32(littleEndian: word))
            (word, shift) = (0, 0)
        }
        // With the zero at its end.
        words.append(UInt32(littleEndian: word))
        finish()
    }

    /// The size goes with the opcode, in the upper half of the second word.
    private mutating func finish() {
        let size = UInt32((words.count - start) * 4)
        words[start + 1] = words[start + 1] & 0xffff | size << 16
    }
}
