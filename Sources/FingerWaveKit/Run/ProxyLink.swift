internal import CLibc
internal import CLinuxShims
internal import EventLoop
internal import WireProxy

/// One connection of the app with its connection to the compositor: reads, passes on, writes, and ends both together.
final class ProxyLink {
    /// While so many bytes wait for one side the other is not read: the sender waits, as it would without us.
    private static let limit = 1 << 20
    /// The same of descriptors. Little more than the 28 that a peer's library sends at once, which may come on top: all
    /// connections live on what one process may have open, often 1024. What the kernel keeps for the other side does not
    /// count.
    private static let descriptorLimit = 32

    /// What a socket is watched for. Kept here: the loop is told of changes alone.
    private struct Wish: Equatable {
        var readable = false
        var writable = false

        var interest: EventLoop.Interest { .when(readable: readable, writable: writable) }
    }

    let connection: AppConnection
    private let app: Int32
    private let compositor: Int32
    private let loop: EventLoop
    private var appWatch: EventLoop.Token?
    private var compositorWatch: EventLoop.Token?
    private var ofApp = Wish()
    private var ofCompositor = Wish(readable: true)
    /// Both sides are listened to, and neither is written to later: most turns leave it so.
    private var isSteady = false
    /// Nothing more is passed on; what was is still written to the app.
    private var isEnding = false
    /// The app has gone; what it has asked for is still read and written to the compositor.
    private var isAppGone = false
    /// What it had sent before is not to be read further.
    private var isAppRead = false
    private(set) var isEnded = false
    private let note: (String) -> Void

    /// Takes both sockets over.
    init(
        app: Int32, compositor: Int32, _ connection: AppConnection, _ loop: EventLoop, note: @escaping (String) -> Void
    ) {
        self.app = app
        self.compositor = compositor
        self.connection = connection
        self.loop = loop
        self.note = note
        // SAFETY: `end` takes the watches away; the owner ends a link before it lets go of it.
        compositorWatch = loop.watch(compositor, .readable) { [unowned(unsafe) self] ready in
            unsafe self.readCompositor(ready)
        }
    }

    func end() {
        if isEnded { return }
        isEnded = true
        connection.end()
        if let appWatch { loop.unwatch(appWatch) }
        if let compositorWatch { loop.unwatch(compositorWatch) }
        _ = close(app)
        _ = close(compositor)
    }

    // MARK: Reading

    private func readApp(_ ready: EventLoop.Interest) {
        guard !isEnding, !isAppGone, ready.isReadableOrHungUp else { return }
        let forwarder = connection.forwarder
        if ProxyLink.isFull(forwarder.toCompositor) {
            // A hang-up is always reported: what was sent before it is read as the compositor takes it.
            if ready.rawValue & EventLoop.Interest.hungUp.rawValue != 0 { loseApp() }
            return
        }
        switch forwarder.fromApp.receive(from: app) {
        case .nothing: return
        case .received:
            do throws(Forwarder.Fault) {
                try connection.forwardRequests()
                // At once: what is drawn can wait, the app cannot. What goes wrong here goes wrong at the turn's end again.
                _ = forwarder.toCompositor.flush(to: compositor)
            } catch {
                refuse(error)
            }
        case .lostDescriptors:
            note("the connection ends: the app sent more descriptors than may be open here (ulimit -n)")
            end()
        case .closed, .failed:
            loseApp()
        }
    }

    /// What the app has asked for reaches the compositor before the end of it.
    private func loseApp() {
        isAppGone = true
        if let appWatch { loop.unwatch(appWatch) }
        appWatch = nil
    }

    private func readCompositor(_ ready: EventLoop.Interest) {
        guard !isEnding, ready.isReadableOrHungUp else { return }
        if isAppGone { return discardEvents() }
        switch connection.forwarder.fromCompositor.receive(from: compositor) {
        case .nothing: break
        case .received: forwardEvents()
        case .closed, .failed:
            noteLoss()
            finishAfterFlush()
        case .lostDescriptors:
            note("the connection ends: the compositor sent more descriptors than may be open here (ulimit -n)")
            finishAfterFlush()
        }
    }

    /// The compositor has gone, or has thrown the app out: it is the app's end, but not its doing.
    private func noteLoss() {
        if connection.hasFailed || isEnding { return }
        note("the compositor closed the connection")
    }

    /// Nobody is there to hear them; a compositor whose events are not read may stop reading.
    private func discardEvents() {
        let input = connection.forwarder.fromCompositor
        let result = input.receive(from: compositor)
        input.drop(input.count)
        while let descriptor = input.takeDescriptor() { _ = close(descriptor) }
        if result != .received, result != .nothing { end() }
    }

    private func forwardEvents() {
        do throws(Forwarder.Fault) {
            try connection.forwarder.forwardEvents()
            _ = connection.forwarder.toApp.flush(to: app)
        } catch {
            note("the connection ends: \(error.description)")
            finishAfterFlush()
        }
    }

    /// Tells the app what a compositor would.
    private func refuse(_ fault: Forwarder.Fault) {
        note("the connection ends: \(fault.description)")
        var message = MessageWriter()
        // wl_display.error, of the display, invalid_object or invalid_method.
        let code: UInt32 = if case .unknownObject = fault { 0 } else { 1 }
        message.message(1, 0, 1, code)
        message.append(string: "fingerwave: \(fault.description)")
        unsafe message.withBytes { unsafe connection.forwarder.toApp.append($0) }
        finishAfterFlush()
    }

    // MARK: Writing

    /// After each turn: pictures, then everything goes out.
    func endTurn() {
        if isEnded { return }
        if isAppGone { return finishRequests() }
        if !isEnding { connection.endTurn() }
        let forwarder = connection.forwarder
        if isSteady, forwarder.toApp.isEmpty, forwarder.toCompositor.isEmpty || connection.isHoldingPicture { return }
        let sent = forwarder.toCompositor.flush(to: compositor)
        if !isEnding, case .failed = sent {
            // Why the compositor has gone is what it sent last.
            drainCompositor()
            if isEnded { return }
        }
        switch forwarder.toApp.flush(to: app) {
        case .failed where isEnding: return end()
        case .failed:
            // It has gone without reading.
            loseApp()
            return finishRequests()
        case .done where isEnding: return end()
        default: break
        }
        updateInterests()
    }

    /// What the app had sent before it went reaches the compositor as that takes it.
    private func finishRequests() {
        while true {
            switch connection.forwarder.toCompositor.flush(to: compositor) {
            case .blocked: return setWishes(ofApp: ofApp, ofCompositor: Wish(readable: true, writable: true))
            case .done where readRest(): continue
            case .done, .failed: return end()
            }
        }
    }

    /// The next piece of what an app that has gone had sent. False when there is no more.
    private func readRest() -> Bool {
        let forwarder = connection.forwarder
        guard !isAppRead, connection.isReady, case .received = forwarder.fromApp.receive(from: app)
        else { return false }
        do throws(Forwarder.Fault) {
            try forwarder.forwardRequests()
        } catch {
            note("the connection ends: \(error.description)")
            isAppRead = true
        }
        return true
    }

    private func drainCompositor() {
        let input = connection.forwarder.fromCompositor
        while !isEnding, case .received = input.receive(from: compositor) { forwardEvents() }
        noteLoss()
        finishAfterFlush()
    }

    private func updateInterests() {
        if connection.isReady, appWatch == nil, !isEnding {
            // Until then the app is not even listened to: nothing of it could be passed on.
            // SAFETY: see init.
            appWatch = loop.watch(app, .hangUpAlone) { [unowned(unsafe) self] ready in unsafe self.readApp(ready) }
            ofApp = Wish()
        }
        let forwarder = connection.forwarder
        let (toApp, toCompositor) = (forwarder.toApp, forwarder.toCompositor)
        isSteady = toApp.isEmpty && toCompositor.isEmpty && connection.isReady && !isEnding
        setWishes(
            ofApp: Wish(
                readable: !isEnding && connection.isReady && !ProxyLink.isFull(toCompositor),
                writable: !toApp.isEmpty),
            ofCompositor: Wish(
                readable: !isEnding && !ProxyLink.isFull(toApp), writable: !isEnding && !toCompositor.isEmpty))
    }

    private static func isFull(_ output: WireOutput) -> Bool {
        output.count >= limit || output.descriptorCount >= descriptorLimit
    }

    private func setWishes(ofApp: Wish, ofCompositor: Wish) {
        if ofApp != self.ofApp, let appWatch { loop.setInterest(ofApp.interest, of: appWatch) }
        if ofCompositor != self.ofCompositor, let compositorWatch {
            loop.setInterest(ofCompositor.interest, of: compositorWatch)
        }
        (self.ofApp, self.ofCompositor) = (ofApp, ofCompositor)
    }

    // MARK: Ends

    /// What the app has not read yet is still its own.
    private func finishAfterFlush() {
        isEnding = true
        isSteady = false
        if let compositorWatch { loop.unwatch(compositorWatch) }
        compositorWatch = nil
    }
}
