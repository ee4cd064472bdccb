internal import Gestures
internal import Input

/// One seat with what its touches mean.
final class SessionSeat: ContactSource {
    let global: UInt32
    let input: SeatInput
    var recognizer: GestureRecognizer

    init(global: UInt32, input: SeatInput, configuration: GestureConfiguration) {
        self.global = global
        self.input = input
        recognizer = GestureRecognizer(configuration: configuration)
    }

    var number: UInt32 { global }
    var name: String { input.name }
    var touchFaults: FaultCounters { input.touchFaults }
    func noteEnd() { input.noteEnd() }
    var liveContacts: [Contact] { input.liveContacts }
}
