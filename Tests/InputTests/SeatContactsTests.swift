import Gestures
import Testing

@testable import Input

/// The rules between the seat's devices, without a compositor.
struct SeatContactsTests {
    private static let touchSource = SourceID(rawValue: 10)
    private static let pointerSource = SourceID(rawValue: 11)
    private static let penSource = SourceID(rawValue: 12)
    private static let left: UInt32 = 0x110

    /// A seat whose events arrive at the time that they carry, ms.
    private struct Seat {
        var contacts: SeatContacts
        var changes: [ContactFrame.Change] = []

        init(pointerHasFrames: Bool = true) {
            contacts = SeatContacts(
                touchSource: SeatContactsTests.touchSource, pointerSource: SeatContactsTests.pointerSource,
                penSource: SeatContactsTests.penSource, pointerHasFrames: pointerHasFrames)
        }

        mutating func take(_ frames: [ContactFrame]) { changes += frames.flatMap(\.changes) }

        mutating func take(_ frame: ContactFrame?) { changes += frame?.changes ?? [] }

        mutating func touchDown(_ id: Int32, _ x: Double, _ y: Double, target: Int? = 1, at time: UInt32) {
            take(
                contacts.touchDown(
                    id: id, time: time, at: Point(x: x, y: y), target: target, arrival: .milliseconds(Int64(time))))
        }

        mutating func touchMotion(_ id: Int32, _ x: Double, _ y: Double, at time: UInt32) {
            contacts.touchMotion(
                id: id, time: time, to: Point(x: x, y: y), arrival: .milliseconds(Int64(time)))
        }

        mutating func touchUp(_ id: Int32, at time: UInt32) {
            contacts.touchUp(id: id, time: time, arrival: .milliseconds(Int64(time)))
        }

        mutating func touchFrame(at time: UInt32) {
            take(contacts.touchFrame(arrival: .milliseconds(Int64(time))))
        }

        mutating func tap(_ x: Double, _ y: Double, at time: UInt32) {
            touchDown(0, x, y, at: time)
            touchFrame(at: time)
            touchUp(0, at: time + 60)
            touchFrame(at: time + 60)
        }

        mutating func enter(_ x: Double, _ y: Double, target: Int? = 1, at time: UInt32 = 0) {
            take(
                contacts.pointerEnter(
                    target: target, at: Point(x: x, y: y), arrival: .milliseconds(Int64(time))))
        }

        mutating func motion(_ x: Double, _ y: Double, at time: UInt32) {
            take(
                contacts.pointerMotion(
                    time: time, to: Point(x: x, y: y), arrival: .milliseconds(Int64(time))))
        }

        mutating func button(_ isPressed: Bool, at time: UInt32, code: UInt32 = SeatContactsTests.left) {
            take(
                contacts.pointerButton(
                    code, isPressed: isPressed, time: time, arrival: .milliseconds(Int64(time))))
        }

        mutating func pointerFrame(at time: UInt32) {
            take(contacts.pointerFrame(arrival: .milliseconds(Int64(time))))
        }

        mutating func click(at time: UInt32) {
            button(true, at: time)
            pointerFrame(at: time)
            button(false, at: time + 50)
            pointerFrame(at: time + 50)
        }

        mutating func endTurn(at time: UInt32) {
            take(contacts.endTurn(arrival: .milliseconds(Int64(time))))
        }

        var phases: [ContactFrame.Phase] { changes.map(\.phase) }
        var pointerPhases: [ContactFrame.Phase] {
            changes.filter { $0.contact.source == SeatContactsTests.pointerSource }.map(\.phase)
        }
        var touchPhases: [ContactFrame.Phase] {
            changes.filter { $0.contact.source == SeatContactsTests.touchSource }.map(\.phase)
        }
    }

    // MARK: The pointer as one contact

    @Test("A click without any motion lies where the pointer entered")
    func clickAtTheEnterPosition() {
        var seat = Seat()
        seat.enter(33.5, 44.25)
        seat.click(at: 100)
        #expect(seat.phases == [.began, .ended])
        #expect(seat.changes.first?.contact.position == Point(x: 33.5, y: 44.25))
        #expect(seat.changes.first?.contact.kind == .pointer)
    }

    @Test("A click lies where the last motion went")
    func clickAtTheLastMotion() {
        var seat = Seat()
        seat.enter(1, 1)
        seat.motion(70, 80, at: 50)
        seat.click(at: 100)
        #expect(seat.changes.map(\.contact.position) == [Point(x: 70, y: 80), Point(x: 70, y: 80)])
    }

    @Test("From version 5 nothing leaves before the pointer's frame")
    func groupedByFrame() {
        var seat = Seat()
        seat.enter(1, 1)
        seat.button(true, at: 10)
        #expect(seat.changes.isEmpty)
        seat.pointerFrame(at: 10)
        #expect(seat.phases == [.began])
    }

    @Test("Before version 5 each event is its own group")
    func ungroupedBeforeVersion5() {
        var seat = Seat(pointerHasFrames: false)
        seat.enter(1, 1)
        seat.button(true, at: 10)
        #expect(seat.phases == [.began])
        seat.motion(2, 2, at: 20)
        #expect(seat.phases == [.began, .moved])
        seat.button(false, at: 30)
        #expect(seat.phases == [.began, .moved, .ended])
    }

    @Test("A compositor that forgets the pointer's frame loses no click: the end of the turn closes it")
    func missingPointerFrame() {
        var seat = Seat()
        seat.enter(1, 1)
        seat.button(true, at: 10)
        seat.endTurn(at: 11)
        seat.button(false, at: 50)
        seat.endTurn(at: 51)
        #expect(seat.phases == [.began, .ended])
    }

    @Test("Hovering and scrolling make no contact and no fault")
    func hovering() {
        var seat = Seat()
        seat.enter(1, 1)
        for time: UInt32 in 1...20 {
            seat.motion(Double(time), 1, at: time)
            seat.pointerFrame(at: time)
        }
        #expect(seat.changes.isEmpty)
        #expect(seat.contacts.pointer.tracker.faults.total == 0)
    }

    @Test("Other buttons are no contact")
    func secondaryButton() {
        var seat = Seat()
        seat.enter(1, 1)
        seat.button(true, at: 10, code: 0x111)
        seat.button(false, at: 20, code: 0x111)
        seat.pointerFrame(at: 20)
        #expect(seat.changes.isEmpty)
    }

    @Test("A drag out of the surface stays one contact until the release")
    func implicitGrab() {
        var seat = Seat()
        seat.enter(1, 1)
        seat.button(true, at: 10)
        seat.motion(-50, 2000, at: 20)
        seat.button(false, at: 30)
        seat.pointerFrame(at: 30)
        #expect(seat.phases == [.began, .moved, .ended])
        #expect(seat.changes.last?.contact.position == Point(x: -50, y: 2000))
    }

    @Test("A grab that the compositor breaks ends the contact as cancelled, and the late release means nothing")
    func leaveWithTheButtonDown() {
        var seat = Seat()
        seat.enter(1, 1)
        seat.button(true, at: 10)
        seat.pointerFrame(at: 10)
        seat.take(seat.contacts.pointerLeave(arrival: .milliseconds(20)))
        #expect(seat.phases == [.began, .cancelled])
        seat.enter(5, 5, at: 30)
        seat.button(false, at: 40)
        seat.pointerFrame(at: 40)
        #expect(seat.phases == [.began, .cancelled])
        #expect(seat.contacts.pointer.tracker.faults.unknownUp == 0)
    }

    @Test("The pointer's capability goes with the button down: the contact is cancelled")
    func pointerLost() {
        var seat = Seat()
        seat.enter(1, 1)
        seat.button(true, at: 10)
        seat.pointerFrame(at: 10)
        seat.take(seat.contacts.endPointer(arrival: .milliseconds(20)))
        #expect(seat.phases == [.began, .cancelled])
        #expect(seat.contacts.pointer.tracker.contacts.isEmpty)
    }

    @Test("A press on a surface that is not ours is no contact")
    func pressElsewhere() {
        var seat = Seat()
        seat.enter(1, 1, target: nil)
        seat.click(at: 10)
        #expect(seat.changes.isEmpty)
    }

    @Test("A surface destroyed under the held button ends the contact; the release that follows is no fault")
    func surfaceDestroyedUnderThePointer() {
        var seat = Seat()
        seat.enter(1, 1)
        seat.button(true, at: 10)
        seat.pointerFrame(at: 10)
        seat.take(seat.contacts.endContacts(target: 1, arrival: .milliseconds(20)))
        seat.button(false, at: 30)
        seat.pointerFrame(at: 30)
        seat.click(at: 40)
        #expect(seat.phases == [.began, .cancelled])
        #expect(seat.contacts.pointer.tracker.faults.total == 0)
    }

    @Test("A release that got lost does not stick: the next press cancels and begins anew")
    func lostRelease() {
        var seat = Seat()
        seat.enter(1, 1)
        seat.button(true, at: 10)
        seat.pointerFrame(at: 10)
        seat.click(at: 500)
        #expect(seat.phases == [.began, .cancelled, .began, .ended])
    }

    // MARK: Clicks never double a touch

    @Test(
        "A tap that also comes as a click is one tap, however the compositor orders the two",
        arguments: [0, 1, 2, 3])
    func tapAndClick(order: Int) {
        var seat = Seat()
        seat.enter(100, 100)
        switch order {
        case 0:  // A full touch, then the full click.
            seat.tap(100, 100, at: 1000)
            seat.click(at: 1063)
        case 1:  // Touch first, within each pair.
            seat.touchDown(0, 100, 100, at: 1000)
            seat.touchFrame(at: 1000)
            seat.button(true, at: 1001)
            seat.pointerFrame(at: 1001)
            seat.touchUp(0, at: 1060)
            seat.touchFrame(at: 1060)
            seat.button(false, at: 1061)
            seat.pointerFrame(at: 1061)
        case 2:  // Pointer first, within each pair.
            seat.button(true, at: 1000)
            seat.pointerFrame(at: 1000)
            seat.touchDown(0, 100, 100, at: 1001)
            seat.touchFrame(at: 1001)
            seat.button(false, at: 1060)
            seat.pointerFrame(at: 1060)
            seat.touchUp(0, at: 1061)
            seat.touchFrame(at: 1061)
        default:  // The pointer is moved there, and its events come without frames.
            seat.touchDown(0, 300, 200, at: 1000)
            seat.touchFrame(at: 1000)
            seat.motion(300, 200, at: 1000)
            seat.button(true, at: 1000)
            seat.endTurn(at: 1001)
            seat.touchUp(0, at: 1060)
            seat.touchFrame(at: 1060)
            seat.button(false, at: 1060)
            seat.endTurn(at: 1061)
        }
        #expect(seat.touchPhases == [.began, .ended])
        #expect(!seat.pointerPhases.contains(.ended), "the click was counted as a tap")
        #expect(seat.contacts.emulatedPresses == 1)
        #expect(seat.contacts.pointer.tracker.contacts.isEmpty)
    }

    @Test("A press far from a finger that is down is held back all the same")
    func pressDuringATouch() {
        var seat = Seat()
        seat.enter(900, 900)
        seat.touchDown(0, 100, 100, at: 1000)
        seat.touchFrame(at: 1000)
        seat.click(at: 1200)
        #expect(seat.pointerPhases.isEmpty)
    }

    @Test("A mouse press in the middle of a touch takes the up away: the mouse works on, the touch recovers")
    func lostUpAfterAMousePress() {
        var seat = Seat()
        seat.enter(900, 900)
        seat.touchDown(0, 100, 100, at: 1000)
        seat.touchFrame(at: 1000)
        seat.click(at: 1100)
        #expect(seat.pointerPhases.isEmpty, "mixed into the touch")
        #expect(seat.contacts.touch.tracker.contacts.count == 1, "stuck, and listed so")
        seat.click(at: 2101)
        #expect(seat.pointerPhases == [.began, .ended], "a stuck contact must not block the mouse elsewhere")
        seat.tap(100, 100, at: 5000)
        #expect(seat.touchPhases == [.began, .cancelled, .began, .ended])
        #expect(seat.contacts.touch.tracker.contacts.isEmpty)
    }

    @Test("A mouse click at another place right after a tap counts")
    func clickElsewhereAfterATap() {
        var seat = Seat()
        seat.enter(200, 100)
        seat.tap(100, 100, at: 1000)
        seat.click(at: 1070)
        #expect(seat.pointerPhases == [.began, .ended])
    }

    @Test("A mouse click at the place of a tap counts once the window is over", arguments: [400, 401])
    func clickAfterTheWindow(wait: UInt32) {
        var seat = Seat()
        seat.enter(100, 100)
        seat.tap(100, 100, at: 1000)
        seat.click(at: 1060 + wait)
        #expect(seat.pointerPhases == (wait > 400 ? [.began, .ended] : []))
    }

    @Test("The emulated press may lie where a drag began, not where it ended")
    func emulationAtTheStartOfADrag() {
        var seat = Seat()
        seat.enter(100, 100)
        seat.touchDown(0, 100, 100, at: 1000)
        seat.touchMotion(0, 800, 800, at: 1100)
        seat.touchUp(0, at: 1110)
        seat.touchFrame(at: 1110)
        seat.click(at: 1115)
        #expect(seat.pointerPhases.isEmpty)
    }

    @Test("After wl_touch.cancel too no click of the same finger counts")
    func clickAfterCancel() {
        var seat = Seat()
        seat.enter(100, 100)
        seat.touchDown(0, 100, 100, at: 1000)
        seat.touchFrame(at: 1000)
        seat.take(seat.contacts.touchCancel(arrival: .milliseconds(1050)))
        seat.click(at: 1060)
        #expect(seat.touchPhases == [.began, .cancelled])
        #expect(seat.pointerPhases.isEmpty)
    }

    @Test("A touch elsewhere does not take a held mouse button back")
    func touchElsewhereDuringADrag() {
        var seat = Seat()
        seat.enter(100, 100)
        seat.button(true, at: 1000)
        seat.pointerFrame(at: 1000)
        seat.tap(500, 500, at: 1100)
        seat.button(false, at: 1300)
        seat.pointerFrame(at: 1300)
        #expect(seat.pointerPhases == [.began, .ended])
    }

    // MARK: Whose surface

    @Test("A touch on a surface that is not ours is counted, makes no contact, and its other events are no faults")
    func touchOnAForeignSurface() {
        var seat = Seat()
        seat.touchDown(3, 1, 1, target: nil, at: 10)
        seat.touchFrame(at: 10)
        seat.touchMotion(3, 2, 2, at: 20)
        seat.touchFrame(at: 20)
        seat.contacts.touchShape(id: 3, major: 5, minor: 4)
        seat.touchFrame(at: 21)
        seat.contacts.touchOrientation(id: 3, degrees: 10)
        seat.touchFrame(at: 22)
        seat.touchUp(3, at: 30)
        seat.touchFrame(at: 30)
        seat.endTurn(at: 31)
        #expect(seat.changes.isEmpty)
        #expect(seat.contacts.touch.foreignDowns == 1)
        #expect(seat.contacts.touch.tracker.faults.total == 0)
        seat.touchUp(3, at: 40)
        #expect(seat.contacts.touch.tracker.faults.unknownUp == 1, "the id was forgotten with its up")
    }

    @Test("An id that is down on our surface and comes down on another's has ended here, as cancelled")
    func idMovesToAForeignSurface() {
        var seat = Seat()
        seat.touchDown(0, 1, 1, at: 10)
        seat.touchFrame(at: 10)
        seat.touchDown(0, 1, 1, target: nil, at: 20)
        seat.touchUp(0, at: 30)
        seat.touchFrame(at: 30)
        #expect(seat.phases == [.began, .cancelled])
        #expect(seat.contacts.touch.tracker.contacts.isEmpty)
    }

    @Test("The touched surface is destroyed: its contact alone is cancelled, and no event for it is needed or a fault")
    func surfaceDestroyedUnderTheFinger() {
        var seat = Seat()
        seat.touchDown(0, 1, 1, target: 1, at: 10)
        seat.touchDown(1, 2, 2, target: 2, at: 10)
        seat.touchFrame(at: 10)
        seat.take(seat.contacts.endContacts(target: 1, arrival: .milliseconds(20)))
        #expect(seat.phases == [.began, .began, .cancelled])
        #expect(seat.contacts.touch.tracker.contacts.map(\.id) == [1])
        seat.touchUp(0, at: 30)
        seat.touchUp(1, at: 40)
        seat.touchFrame(at: 40)
        #expect(seat.phases == [.began, .began, .cancelled, .ended])
        #expect(seat.contacts.touch.tracker.faults.total == 0)
    }
}
