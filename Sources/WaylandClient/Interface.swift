package import CWaylandClient

/// One message of an interface, as its protocol file describes it.
public struct MessageFacts {
    /// What an object or new_id argument refers to.
    public enum TypeReference {
        /// Not an object, or an object of any interface.
        case none
        /// The interface at this place of the same protocol file.
        case own(Int)
        /// An interface of another protocol file.
        case other(Interface)
    }

    let name: StaticString
    let signature: StaticString
    let types: [TypeReference]

    /// `signature` is libwayland's notation: an optional "since" number, `?` before what may be null, one letter an
    /// argument. `types` has one entry for each letter.
    public init(_ name: StaticString, _ signature: StaticString, _ types: [TypeReference]) {
        self.name = name
        self.signature = signature
        self.types = types
    }
}

/// One interface, as its protocol file describes it.
public struct InterfaceFacts {
    let name: StaticString
    let version: Int32
    let requests: [MessageFacts]
    let events: [MessageFacts]

    public init(_ name: StaticString, version: Int32, requests: [MessageFacts], events: [MessageFacts]) {
        self.name = name
        self.version = version
        self.requests = requests
        self.events = events
    }
}

/// An interface that libwayland knows how to marshal. Immortal; compared by identity.
@safe
public struct Interface: Equatable, @unchecked Sendable {
    // SAFETY: points into an InterfaceTable's storage, which is never freed and never written after its init.
    package let raw: UnsafePointer<wl_interface>

    package init(raw: UnsafePointer<wl_interface>) { unsafe self.raw = raw }

    /// The name on the wire, such as `wl_surface`.
    public var name: String { unsafe String(cString: raw.pointee.name) }

    /// The highest version that the bindings know.
    public var version: UInt32 { unsafe UInt32(bitPattern: raw.pointee.version) }

    public static func == (a: Interface, b: Interface) -> Bool { unsafe a.raw == b.raw }
}

/// The `wl_interface` tables of one protocol file.
///
/// Interfaces refer to each other and to themselves, so the storage is laid out first and filled second. It lives for
/// ever: libwayland keeps pointers to it for as long as any proxy exists.
@safe
public struct InterfaceTable: @unchecked Sendable {
    // SAFETY: allocated here, filled in init, never freed, never written again; hence Sendable.
    private let interfaces: UnsafeMutablePointer<wl_interface>
    public let count: Int

    public init(_ facts: [InterfaceFacts]) {
        count = facts.count
        unsafe interfaces = .allocate(capacity: max(facts.count, 1))
        for (index, fact) in facts.enumerated() {
            let requests = unsafe InterfaceTable.messages(fact.requests, among: interfaces)
            let events = unsafe InterfaceTable.messages(fact.events, among: interfaces)
            unsafe (interfaces + index).initialize(
                to: wl_interface(
                    name: InterfaceTable.cString(fact.name), version: fact.version,
                    method_count: Int32(fact.requests.count), methods: requests,
                    event_count: Int32(fact.events.count), events: events))
        }
    }

    public subscript(index: Int) -> Interface {
        precondition(index >= 0 && index < count)
        return unsafe Interface(raw: UnsafePointer(interfaces + index))
    }

    private static func messages(
        _ facts: [MessageFacts], among interfaces: UnsafeMutablePointer<wl_interface>
    ) -> UnsafePointer<wl_message>? {
        guard !facts.isEmpty else { return nil }
        let messages = UnsafeMutablePointer<wl_message>.allocate(capacity: facts.count)
        for (index, fact) in facts.enumerated() {
            // libwayland reads one entry an argument, even for messages without objects.
            let types = UnsafeMutablePointer<UnsafePointer<wl_interface>?>.allocate(capacity: max(fact.types.count, 1))
            unsafe types.initialize(to: nil)
            for (place, type) in fact.types.enumerated() {
                switch type {
                case .none: unsafe (types + place).initialize(to: nil)
                case .own(let index): unsafe (types + place).initialize(to: UnsafePointer(interfaces + index))
                case .other(let interface): unsafe (types + place).initialize(to: interface.raw)
                }
            }
            unsafe (messages + index).initialize(
                to: wl_message(
                    name: cString(fact.name), signature: cString(fact.signature), types: types))
        }
        return unsafe UnsafePointer(messages)
    }

    // SAFETY: a StaticString with a pointer representation is NUL-terminated and lives in the binary's constants.
    private static func cString(_ string: StaticString) -> UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(string.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
