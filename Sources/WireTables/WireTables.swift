/// What a program must know of protocols to pass messages on: which objects a message names or makes, and how many file
/// descriptors come with it. Made at build time from all protocol XML that could be found.
package enum WireTables {
    /// The highest number of an interface is below this.
    package static var interfaceCount: Int { WireData.names.count }

    /// The interface of this name; nil when the build knew none, so that nothing of it can be passed on.
    package static func interface(named name: UnsafeRawBufferPointer) -> InterfaceID? {
        var low = 0
        var high = WireData.names.count
        while low < high {
            let middle = (low + high) / 2
            let order = unsafe compare(name, WireData.names[middle])
            if order == 0 { return InterfaceID(rawValue: UInt16(middle)) }
            if order < 0 { high = middle } else { low = middle + 1 }
        }
        return nil
    }

    package static func interface(named name: StaticString) -> InterfaceID? {
        // SAFETY: a static string's bytes live for ever.
        unsafe interface(named: UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    /// As memcmp would say it; the shorter of two that begin alike comes first.
    private static func compare(_ a: UnsafeRawBufferPointer, _ b: StaticString) -> Int {
        // SAFETY: a static string's bytes live for ever, and the index stays below both counts.
        let other = unsafe UnsafeRawBufferPointer(start: b.utf8Start, count: b.utf8CodeUnitCount)
        for index in 0..<min(a.count, other.count) {
            let difference = unsafe Int(a[index]) - Int(other[index])
            if difference != 0 { return difference }
        }
        return a.count - other.count
    }
}

/// An interface, by its number in this build.
package struct InterfaceID: Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package var name: StaticString { WireData.names[Int(rawValue)] }
    /// The highest version whose messages are known.
    package var version: UInt32 { UInt32(WireData.versions[Int(rawValue)]) }

    private var first: Int { Int(WireData.firstMessages[Int(rawValue)]) }
    private var requests: Int { Int(WireData.requestCounts[Int(rawValue)]) }

    /// Nil when there is none with this opcode.
    package func request(_ opcode: UInt16) -> MessageID? {
        Int(opcode) < requests ? MessageID(number: first + Int(opcode)) : nil
    }

    /// Nil when there is none with this opcode.
    package func event(_ opcode: UInt16) -> MessageID? {
        let number = first + requests + Int(opcode)
        return number < Int(WireData.firstMessages[Int(rawValue) + 1]) ? MessageID(number: number) : nil
    }
}

/// A request or event of an interface.
package struct MessageID: Hashable, Sendable {
    fileprivate let number: Int

    /// How many descriptors come with it.
    package var descriptorCount: Int { Int(WireData.descriptorCounts[number]) }

    package var watched: WatchedMessage { WatchedMessage(rawValue: WireData.watched[number]) ?? .none }

    /// The indices of its arguments, for ``argument(at:)``.
    package var arguments: Range<Int> {
        Int(WireData.argumentStarts[number])..<Int(WireData.argumentStarts[number + 1])
    }

    package static func argument(at index: Int) -> WireArgument { WireArgument(code: WireData.arguments[index]) }
}

/// What one part of a message is, as far as passing it on goes.
package enum WireArgument: Hashable, Sendable {
    /// 32 bits that are no id.
    case word
    /// A length and as many bytes, up to a multiple of four.
    case string
    case array
    /// An object that there is, or 0.
    case object
    /// An object that begins with this message.
    case newObject(InterfaceID)
    /// The same, of an interface that a string two arguments before names.
    case newObjectOfNamedInterface

    init(code: UInt16) {
        switch code & 7 {
        case 0: self = .word
        case 1: self = .string
        case 2: self = .array
        case 3: self = .object
        case 4: self = .newObject(InterfaceID(rawValue: code >> 3))
        default: self = .newObjectOfNamedInterface
        }
    }
}
