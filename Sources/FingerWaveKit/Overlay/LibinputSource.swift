internal import EventLoop
internal import Gestures
internal import TouchDevices

/// The kernel's touchscreens, by libinput.
final class LibinputSource: TouchSource {
    private let source: TouchDeviceReader.Source
    private let loop: EventLoop
    private var reader: TouchDeviceReader?
    private var watch: EventLoop.Token?
    /// What was wrong at the start, until it is known whether anything can be read at all.
    private var problems: [DeviceProblem]? = []
    var onEvent: ((SourceEvent, Instant) -> Void)?

    init(_ source: TouchDeviceReader.Source, _ loop: EventLoop) {
        self.source = source
        self.loop = loop
    }

    /// Throws when there are touchscreens and none can be read: that nobody mends by waiting.
    func begin() throws(Failure) {
        let reader: TouchDeviceReader
        do throws(DeviceProblem) {
            reader = try TouchDeviceReader(source) { Instant(nanoseconds: EventLoop.now) }
        } catch {
            throw Failure(error)
        }
        self.reader = reader
        // SAFETY: `end()`, which the owner calls, closes the reader.
        reader.onEvent = { [unowned(unsafe) self] event in unsafe self.receive(event) }
        reader.dispatch()
        try judgeStart()
        watch = loop.watch(reader.fileDescriptor, .readable) { _ in reader.dispatch() }
    }

    func rest() {
        if let watch { loop.setInterest(.hangUpAlone, of: watch) }
    }

    func catchUp() {
        guard let watch else { return }
        loop.setInterest(.readable, of: watch)
        reader?.dispatch(isLate: true)
    }

    func end() {
        if let watch { loop.unwatch(watch) }
        watch = nil
        reader?.close()
        reader = nil
    }

    private func judgeStart() throws(Failure) {
        let problems = problems ?? []
        self.problems = nil
        if reader?.devices.isEmpty ?? true {
            let lasting = problems.filter { $0.isLasting }.map { Failure($0) }
            if var failure = lasting.first {
                failure.others = Array(lasting.dropFirst())
                throw failure
            }
        }
        for problem in problems { tell(problem) }
    }

    /// Where nothing could be shown anyway that is the first thing to know.
    func beginShowing() {
        if reader?.devices.isEmpty ?? true {
            say(.problem("no touchscreen is there: waiting for one to come", isNote: false))
        }
    }

    private func tell(_ problem: DeviceProblem) { say(.problem(problem.description, isNote: problem.isNote)) }

    private func say(_ event: SourceEvent) { onEvent?(event, Instant(nanoseconds: EventLoop.now)) }

    private func receive(_ event: DeviceEvent) {
        switch event {
        case .added(let device): say(.device(device, isThere: true))
        case .removed(let device): say(.device(device, isThere: false))
        case .touch(let number, let touch):
            guard let device = reader?.devices.first(where: { $0.number == number }) else { return }
            onEvent?(.touch(DeviceLine.touch(touch.kind, of: device)), touch.arrival)
        case .problem(let problem):
            if problems != nil { problems?.append(problem) } else { tell(problem) }
        }
    }
}
