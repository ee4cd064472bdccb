internal import EventLoop
internal import WaylandClient

/// A connection in a loop: read when there is something, and flushed after each turn by its owner.
///
/// The loop's handler refers to it unowned: its owner ends it, or leaves the loop, before it lets go of it.
final class LoopConnection {
    private let connection: Connection
    private let loop: EventLoop
    private var watch: EventLoop.Token?
    /// Reading or flushing has failed: the connection is of no more use.
    private let onError: (ConnectionError) -> Void

    init(_ connection: Connection, _ loop: EventLoop, onError: @escaping (ConnectionError) -> Void) {
        self.connection = connection
        self.loop = loop
        self.onError = onError
        // SAFETY: see the type's comment.
        watch = loop.watch(connection.fileDescriptor, .readable) { [unowned(unsafe) self] ready in
            unsafe self.receive(ready)
        }
    }

    private func receive(_ ready: EventLoop.Interest) {
        // What came before a hang-up is read first: it may say why.
        guard ready.isReadableOrHungUp else { return }
        do throws(ConnectionError) { try connection.readAndDispatch() } catch { onError(error) }
    }

    /// Sends what the socket takes; the rest goes when it takes more.
    func flush() {
        guard let watch else { return }
        do throws(ConnectionError) {
            let result = try connection.flush()
            loop.setInterest(result == .done ? .readable : [.readable, .writable], of: watch)
        } catch {
            onError(error)
        }
    }

    /// - Parameter flushes: what is still to be sent is sent as far as the socket takes it.
    func end(flushes: Bool = false) {
        if flushes { _ = try? connection.flush() }
        if let watch { loop.unwatch(watch) }
        watch = nil
        connection.disconnect()
    }
}
