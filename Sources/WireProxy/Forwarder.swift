internal import CLibc
package import WireTables

/// Looks into what passes. All ids are the app's. Whatever it does, the messages go on as they are.
package protocol ForwarderObserver: AnyObject {
    /// A request that somebody watches, before it goes on. What is injected now goes before it.
    func willForward(_ message: WatchedMessage, of object: UInt32, _ arguments: MessageReader)
    /// The same request went on. What is injected now goes right after it.
    func didForward(_ message: WatchedMessage, of object: UInt32)
    /// An event that somebody watches; it goes to the app in any case.
    func received(_ message: WatchedMessage, of object: UInt32, _ arguments: MessageReader)
    /// An event of an object of our own, by its number on the compositor's side.
    func receivedOwn(_ opcode: UInt16, of object: UInt32, _ arguments: MessageReader)
    /// An object of our own is gone for good; its number may be used again.
    func deletedOwn(_ object: UInt32)
    /// The compositor has seen an error in one of the app's objects; nil for one of our own.
    func failed(over object: UInt32?, code: UInt32, _ text: String)
    /// The app is not told of this global, since its messages are unknown.
    func hid(_ interface: String)
}

/// Passes the messages of one connection on, both ways, so that the connection's first numbers are ours: what the app calls
/// `n` is `n + reserved` for the compositor. Has no sockets; its owner fills the inputs and empties the outputs.
package final class Forwarder {
    /// Why the connection cannot go on.
    package enum Fault: Error, Equatable {
        case badSize(fromApp: Bool)
        case unknownObject(UInt32, fromApp: Bool)
        case badNewObject(UInt32, fromApp: Bool)
        case unknownMessage(StaticString, opcode: UInt16, fromApp: Bool)
        case missingDescriptor(StaticString, opcode: UInt16, fromApp: Bool)
        case unknownInterface(String)

        package static func == (a: Fault, b: Fault) -> Bool { a.description == b.description }

        package var description: String {
            switch self {
            case .badSize(let fromApp): "\(Fault.side(fromApp)) sent a message of no possible size"
            case .unknownObject(let id, let fromApp): "\(Fault.side(fromApp)) named object \(id), which never was"
            case .badNewObject(let id, let fromApp):
                "\(Fault.side(fromApp)) made object \(id), a number that it cannot have yet"
            case .unknownMessage(let interface, let opcode, let fromApp):
                "\(Fault.side(fromApp)) sent message \(opcode) of \(interface), which has no such message"
            case .missingDescriptor(let interface, let opcode, let fromApp):
                "\(Fault.side(fromApp)) sent message \(opcode) of \(interface) without its descriptor"
            case .unknownInterface(let name): "the app bound \(name), which it was not offered"
            }
        }

        private static func side(_ fromApp: Bool) -> StaticString { fromApp ? "the app" : "the compositor" }
    }

    private static let display: UInt32 = 1

    /// How many numbers are ours: 2 to `reserved + 1`.
    package let reserved: UInt32
    package let fromApp = WireInput()
    package let fromCompositor = WireInput()
    package let toApp = WireOutput()
    package let toCompositor = WireOutput()
    // SAFETY (unowned): set and taken away by the owner of both.
    package unowned(unsafe) var observer: (any ForwarderObserver)?

    private var types: ObjectTypes
    private var hiddenGlobals: Set<UInt32> = []
    /// Descriptors of the messages that are about to go on, each with where its message begins.
    private var passing: [(message: Int, descriptor: Int32)] = []
    private var injected = MessageWriter()
    /// While requests are passed on, injected ones wait for their place among them.
    private var isForwardingRequests = false

    /// Nil when the build has no tables of Wayland itself.
    package init?(reserving reserved: UInt32) {
        guard let display = WireTables.interface(named: "wl_display") else { return nil }
        self.reserved = reserved
        types = ObjectTypes(display: display)
    }

    deinit {
        // Of a message that was not passed on after all.
        for (_, descriptor) in passing { _ = close(descriptor) }
    }

    /// Sends requests of our own, here and now in the order of things. `body` writes them.
    package func inject(_ body: (inout MessageWriter) -> Void) {
        body(&injected)
        if !isForwardingRequests { flushInjected() }
    }

    private func flushInjected() {
        if injected.isEmpty { return }
        unsafe injected.withBytes { unsafe toCompositor.append($0, descriptors: injected.descriptors) }
        injected.removeAll()
    }

    // MARK: Numbers

    package func isOwn(_ id: UInt32) -> Bool { id > 1 && id <= reserved + 1 }

    /// The compositor's number for an object of the app; those of the server are the same on both sides.
    package func compositorID(_ id: UInt32) -> UInt32 {
        id > Forwarder.display && id < ObjectTypes.firstServerID ? id &+ reserved : id
    }

    /// Nil for an id that was never used.
    package func interface(of id: UInt32) -> InterfaceID? { types[id] }

    private func appID(_ id: UInt32) -> UInt32 {
        id > Forwarder.display && id < ObjectTypes.firstServerID ? id &- reserved : id
    }

    // MARK: Requests

    /// Passes on all whole messages that the app has sent.
    package func forwardRequests() throws(Fault) {
        isForwardingRequests = true
        var fault: Fault?
        let done = unsafe fromApp.withBytes { bytes in
            var next = 0
            var start = 0
            while fault == nil, let message = unsafe Header(bytes, at: next) {
                do throws(Fault) {
                    guard message.size >= 8 else { throw .badSize(fromApp: true) }
                    guard next + message.size <= bytes.count else { break }
                    try unsafe forwardRequest(message, bytes, next, &start)
                    next += message.size
                } catch {
                    fault = error
                }
            }
            unsafe passOn(bytes, &start, to: next, toCompositor)
            return next
        }
        fromApp.drop(done)
        isForwardingRequests = false
        flushInjected()
        if let fault { throw fault }
    }

    /// `start` is where the messages begin that were patched and not passed on yet.
    private func forwardRequest(
        _ header: Header, _ bytes: UnsafeMutableRawBufferPointer, _ place: Int, _ start: inout Int
    ) throws(Fault) {
        guard let interface = types[header.object] else { throw .unknownObject(header.object, fromApp: true) }
        guard let message = interface.request(header.opcode) else {
            throw .unknownMessage(interface.name, opcode: header.opcode, fromApp: true)
        }
        let watched = message.watched
        // Not by ==, which is another module's generic function and costs more than all the rest.
        let observer: (any ForwarderObserver)? = if case .none = watched { nil } else { unsafe self.observer }
        if let observer {
            unsafe observer.willForward(watched, of: header.object, reader(bytes, place, header))
            if !injected.isEmpty {
                unsafe passOn(bytes, &start, to: place, toCompositor)
                flushInjected()
            }
        }
        try takeDescriptors(of: message, interface, header, fromApp, place - start, fromApp: true)
        unsafe bytes.store(compositorID(header.object), at: place)
        try unsafe patch(message, bytes, place, header, fromApp: true) { (id) throws(Fault) in
            // Moved on, it would be one of the server's.
            guard ObjectTypes.mayExist(id) else { throw .unknownObject(id, fromApp: true) }
            return self.compositorID(id)
        }
        if let observer {
            observer.didForward(watched, of: header.object)
            if !injected.isEmpty {
                unsafe passOn(bytes, &start, to: place + header.size, toCompositor)
                flushInjected()
            }
        }
    }

    // MARK: Events

    /// Passes on all whole messages that the compositor has sent, but for those that are ours.
    package func forwardEvents() throws(Fault) {
        var fault: Fault?
        let done = unsafe fromCompositor.withBytes { bytes in
            var next = 0
            var start = 0
            while fault == nil, let message = unsafe Header(bytes, at: next) {
                do throws(Fault) {
                    guard message.size >= 8 else { throw .badSize(fromApp: false) }
                    guard next + message.size <= bytes.count else { break }
                    let isKept = try unsafe forwardEvent(message, bytes, next, start)
                    if !isKept {
                        unsafe passOn(bytes, &start, to: next, toApp)
                        start = next + message.size
                    }
                    next += message.size
                } catch {
                    fault = error
                }
            }
            unsafe passOn(bytes, &start, to: next, toApp)
            return next
        }
        fromCompositor.drop(done)
        if let fault { throw fault }
    }

    /// False when the app must not see it.
    private func forwardEvent(
        _ header: Header, _ bytes: UnsafeMutableRawBufferPointer, _ place: Int, _ start: Int
    ) throws(Fault) -> Bool {
        if isOwn(header.object) {
            unsafe observer?.receivedOwn(header.opcode, of: header.object, reader(bytes, place, header))
            return false
        }
        let object = appID(header.object)
        if object == Forwarder.display { return unsafe forwardDisplayEvent(header, bytes, place) }
        guard let interface = types[object] else { throw .unknownObject(object, fromApp: false) }
        guard let message = interface.event(header.opcode) else {
            throw .unknownMessage(interface.name, opcode: header.opcode, fromApp: false)
        }
        try takeDescriptors(of: message, interface, header, fromCompositor, place - start, fromApp: false)
        unsafe bytes.store(object, at: place)
        try unsafe patch(message, bytes, place, header, fromApp: false) { (id) throws(Fault) in
            // An object of ours that an event names has no number for the app: null is what a gone object would be.
            self.isOwn(id) ? 0 : self.appID(id)
        }
        let watched = message.watched
        switch watched {
        case .none: break
        case .wlRegistryGlobal: return unsafe offer(bytes, place, header)
        case .wlRegistryGlobalRemove:
            var arguments = unsafe reader(bytes, place, header)
            if hiddenGlobals.contains(arguments.uint()) { return false }
            unsafe observer?.received(watched, of: object, reader(bytes, place, header))
        default: unsafe observer?.received(watched, of: object, reader(bytes, place, header))
        }
        return true
    }

    private func forwardDisplayEvent(
        _ header: Header, _ bytes: UnsafeMutableRawBufferPointer, _ place: Int
    ) -> Bool {
        guard header.size >= 12 else { return true }
        var arguments = unsafe reader(bytes, place, header)
        let id = arguments.uint()
        switch header.opcode {
        case 0:
            let code = arguments.uint()
            unsafe observer?.failed(over: isOwn(id) ? nil : appID(id), code: code, arguments.text())
            // An error in an object of ours ends the app all the same: the display is all that it knows of it.
            unsafe bytes.store(isOwn(id) ? Forwarder.display : appID(id), at: place + 8)
        case 1:
            if isOwn(id) {
                unsafe observer?.deletedOwn(id)
                return false
            }
            unsafe bytes.store(appID(id), at: place + 8)
        default: break
        }
        return true
    }

    /// A global that the app may know of, at most at the version whose messages are known.
    private func offer(_ bytes: UnsafeMutableRawBufferPointer, _ place: Int, _ header: Header) -> Bool {
        var arguments = unsafe reader(bytes, place, header)
        let name = arguments.uint()
        let interface = unsafe arguments.string()
        let version = arguments.uint()
        guard !arguments.isShort, let known = unsafe WireTables.interface(named: interface) else {
            hiddenGlobals.insert(name)
            unsafe observer?.hid(String(decoding: interface, as: UTF8.self))
            return false
        }
        // A hidden one may have had the number before.
        hiddenGlobals.remove(name)
        // The version is the last word.
        if version > known.version { unsafe bytes.store(known.version, at: place + header.size - 4) }
        return true
    }

    // MARK: Parts

    /// Puts the messages from `start` to `end` into an output.
    private func passOn(
        _ bytes: UnsafeMutableRawBufferPointer, _ start: inout Int, to end: Int, _ output: WireOutput
    ) {
        if end > start {
            unsafe output.append(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), descriptors: passing)
            passing.removeAll(keepingCapacity: true)
        }
        start = max(start, end)
    }

    private func takeDescriptors(
        of message: MessageID, _ interface: InterfaceID, _ header: Header, _ input: WireInput, _ place: Int,
        fromApp: Bool
    ) throws(Fault) {
        for _ in 0..<message.descriptorCount {
            guard let descriptor = input.takeDescriptor() else {
                throw .missingDescriptor(interface.name, opcode: header.opcode, fromApp: fromApp)
            }
            passing.append((place, descriptor))
        }
    }

    /// Changes the ids among a message's arguments, and notes the objects that it makes. A message that is too short for its
    /// arguments goes on as far as it was changed: its receiver refuses it.
    private func patch(
        _ message: MessageID, _ bytes: UnsafeMutableRawBufferPointer, _ place: Int, _ header: Header, fromApp: Bool,
        _ changed: (UInt32) throws(Fault) -> UInt32
    ) throws(Fault) {
        let end = place + header.size
        var offset = place + 8
        var named: Range<Int>?
        for index in message.arguments {
            guard offset + 4 <= end else { return }
            let word = unsafe bytes.load(at: offset)
            switch MessageID.argument(at: index) {
            case .word: break
            case .string, .array:
                let length = Int(word)
                guard offset + 4 + length <= end else { return }
                named = offset + 4..<offset + 4 + max(0, length - 1)
                offset += (length + 3) & ~3
            case .object: try unsafe bytes.store(changed(word), at: offset)
            case .newObject(let interface):
                guard types.begin(word, interface, byServer: !fromApp) else {
                    throw .badNewObject(word, fromApp: fromApp)
                }
                unsafe bytes.store(compositorID(word), at: offset)
            case .newObjectOfNamedInterface:
                let name = unsafe UnsafeRawBufferPointer(rebasing: bytes[named ?? 0..<0])
                guard let interface = unsafe WireTables.interface(named: name) else {
                    throw unsafe .unknownInterface(String(decoding: name, as: UTF8.self))
                }
                guard types.begin(word, interface, byServer: !fromApp) else {
                    throw .badNewObject(word, fromApp: fromApp)
                }
                unsafe bytes.store(compositorID(word), at: offset)
            }
            offset += 4
        }
    }

    private func reader(
        _ bytes: UnsafeMutableRawBufferPointer, _ place: Int, _ header: Header
    ) -> MessageReader {
        unsafe MessageReader(UnsafeRawBufferPointer(rebasing: bytes[place + 8..<place + header.size]))
    }
}

/// The two words that every message begins with.
private struct Header {
    let object: UInt32
    let opcode: UInt16
    /// With the header, bytes.
    let size: Int

    init?(_ bytes: UnsafeMutableRawBufferPointer, at place: Int) {
        guard place + 8 <= bytes.count else { return nil }
        object = unsafe bytes.load(at: place)
        let word = unsafe bytes.load(at: place + 4)
        opcode = UInt16(truncatingIfNeeded: word)
        size = Int(word >> 16)
    }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate func load(at offset: Int) -> UInt32 { unsafe loadUnaligned(fromByteOffset: offset, as: UInt32.self) }

    fileprivate func store(_ value: UInt32, at offset: Int) {
        unsafe storeBytes(of: value, toByteOffset: offset, as: UInt32.self)
    }
}
