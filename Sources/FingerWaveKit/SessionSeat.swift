internal import Gestures
internal import Input

/// One seat with what its touches mean.
final class SessionSeat {
    let global: UInt32
    let input: SeatInput
    var recognizer: GestureRecognizer

    init(global: UInt32, input: SeatInput, configuration: GestureConfiguration) {
        self.global = global
        self.input = input
        recognizer = GestureRecognizer(configuration: configuration)
    }
}
