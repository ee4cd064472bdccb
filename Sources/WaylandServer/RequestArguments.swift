internal import CWaylandServer
public import WaylandClient

/// A descriptor that came with a request. It is closed when the handler returns, unless the handler took it.
public struct ReceivedDescriptor {
    let client: ServerClient
    let dispatch: UInt64
    let index: Int

    /// The descriptor, which the caller now owns and must close; nil when it was taken before or the handler is over.
    public func take() -> Int32? { client.takeDescriptor(at: index, of: dispatch) }
}

/// The arguments of one request, valid while it is dispatched. Read by generated code.
@safe
public struct RequestArguments {
    // SAFETY: libwayland's closure, alive until the dispatcher returns; this struct never leaves the dispatcher's stack.
    let values: UnsafeMutablePointer<wl_argument>
    let parent: Resource
    let dispatch: UInt64

    public func int(_ index: Int) -> Int32 { unsafe values[index].i }

    public func uint(_ index: Int) -> UInt32 { unsafe values[index].u }

    /// 24.8 fixed point; every value is exact in a Double.
    public func fixed(_ index: Int) -> Double { unsafe Double(values[index].f) / 256 }

    /// A string that the protocol says is never null (libwayland refuses a null one); invalid UTF-8 is repaired.
    public func string(_ index: Int) -> String { optionalString(index) ?? "" }

    public func optionalString(_ index: Int) -> String? {
        guard let pointer = unsafe values[index].s else { return nil }
        return unsafe String(cString: pointer)
    }

    public func array(_ index: Int) -> WireArray {
        guard let array = unsafe values[index].a, let data = unsafe array.pointee.data else { return WireArray() }
        return unsafe WireArray(bytes: Array(UnsafeRawBufferPointer(start: data, count: array.pointee.size)))
    }

    public func fd(_ index: Int) -> ReceivedDescriptor {
        ReceivedDescriptor(client: parent.client, dispatch: dispatch, index: index)
    }

    /// The object; nil when null on the wire, or libwayland's own.
    public func object<T: ServerObject>(_ index: Int, _ type: T.Type) -> T? {
        guard let resource = anyObject(index), resource.interface == T.interface else { return nil }
        // SAFETY: every object of ours with T's table was made by T's init.
        return unsafe unsafeDowncast(resource, to: T.self)
    }

    /// The object of any interface.
    public func anyObject(_ index: Int) -> Resource? {
        guard let raw = unsafe values[index].o else { return nil }
        return unsafe parent.client.resource(raw)
    }

    /// Makes the object that the request asks for, with the parent's version. When libwayland refuses the id, it has
    /// posted the error, and the object is inert.
    public func newObject<T: ServerObject>(_ index: Int, _ type: T.Type) -> T {
        T(parent.client.seed(T.interface, version: parent.version, id: unsafe values[index].n))
    }

    /// The number of an object whose interface the request does not fix.
    public func newID(_ index: Int) -> UInt32 { unsafe values[index].n }
}
