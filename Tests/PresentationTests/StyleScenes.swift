import Gestures
import Ripples

/// What touches make of a style, acted out with gestures and hand-advanced time.
struct StyleScene {
    private(set) var controller: RippleController
    private(set) var now = Instant.milliseconds(1000)
    private var serial: UInt64 = 0

    init(_ style: RippleStyle, surfaceSize: Size? = nil) {
        controller = RippleController(style: style)
        controller.surfaceSize = surfaceSize
    }

    mutating func wait(_ milliseconds: Int64) {
        now = now + .milliseconds(milliseconds)
        controller.advance(to: now)
    }

    mutating func down(_ x: Double, _ y: Double, _ kind: Contact.Kind = .finger) -> Contact {
        serial += 1
        let contact = Contact(
            source: SourceID(rawValue: 0), id: Int32(serial), serial: serial, kind: kind,
            position: Point(x: x, y: y), began: now)
        controller.handle([.contactBegan(contact)], at: now)
        return contact
    }

    mutating func move(_ contact: inout Contact, _ x: Double, _ y: Double) {
        contact.position = Point(x: x, y: y)
        contact.instant = now
        var gestures = [Gesture.contactMoved(contact)]
        if contact.position.distance(to: contact.start) > 18 { gestures.append(.contactLeftSlop(contact)) }
        controller.handle(gestures, at: now)
    }

    mutating func lift(_ contact: Contact) { controller.handle([.contactEnded(contact)], at: now) }
    mutating func cancel(_ contact: Contact) { controller.handle([.contactCancelled(contact)], at: now) }

    mutating func tap(_ x: Double, _ y: Double, count: Int = 1) {
        let contact = down(x, y)
        wait(60)
        tap(contact, count: count)
    }

    mutating func tap(_ contact: Contact, count: Int = 1) {
        let tap = Tap(
            source: contact.source, location: contact.position, instant: now, duration: 60, count: count,
            contacts: [contact])
        controller.handle([.contactEnded(contact), .tap(tap)], at: now)
    }

    func hand(_ contacts: [Contact]) -> Hand {
        var middle = Point.zero
        for contact in contacts { middle = middle + contact.position }
        let count = Double(contacts.count)
        middle = Point(x: middle.x / count, y: middle.y / count)
        return Hand(
            number: contacts[0].serial, source: contacts[0].source, target: 0, fingers: contacts.count,
            location: middle, start: contacts[0].start, began: contacts[0].began, instant: now)
    }

    mutating func press(_ contacts: [Contact]) {
        controller.handle([.longPress(LongPress(phase: .began, hand: hand(contacts)))], at: now)
    }

    mutating func swipe(_ contact: Contact, _ direction: Swipe.Direction, edge: Swipe.Edge? = nil) {
        let swipe = Swipe(
            hand: hand([contact]), direction: direction, edge: edge, velocity: Point(x: 900, y: 0))
        controller.handle([.contactEnded(contact), .swipe(swipe)], at: now)
    }

    mutating func pinch(_ contacts: [Contact], _ phase: GesturePhase, scale: Double) {
        controller.handle([.pinch(Pinch(phase: phase, hand: hand(contacts), scale: scale))], at: now)
    }

    mutating func rotate(_ contacts: [Contact], _ phase: GesturePhase, degrees: Double) {
        controller.handle([.rotation(Rotation(phase: phase, hand: hand(contacts), degrees: degrees))], at: now)
    }

    /// Along an arc of a circle, a sample each 8 ms.
    mutating func draw(_ contact: inout Contact, samples: Int = 30) {
        for sample in 0...samples {
            let degrees = 180 + 250 * Double(sample) / Double(samples)
            let direction = Point.direction(degrees: degrees)
            wait(8)
            move(&contact, 80 + 45 * direction.x, 90 + 45 * direction.y)
        }
    }
}

/// One cell each of a style's sheet.
enum StyleScenes {
    /// Logical px.
    static let cell = Size(width: 160, height: 160)

    static let all: [@Sendable (_ scene: inout StyleScene) -> Void] = [
        { scene in  // on its way to a long press
            _ = scene.down(80, 80)
            scene.wait(320)
        },
        { scene in  // a long press
            let finger = scene.down(80, 80)
            scene.wait(500)
            scene.press([finger])
            scene.wait(100)
        },
        { scene in
            scene.tap(80, 80)
            scene.wait(120)
        },
        { scene in
            scene.tap(80, 80)
            scene.wait(400)
        },
        { scene in
            scene.tap(80, 80, count: 2)
            scene.wait(200)
        },
        { scene in
            scene.tap(80, 80, count: 3)
            scene.wait(200)
        },
        { scene in  // a drag
            var finger = scene.down(35, 90)
            scene.draw(&finger)
        },
        { scene in
            let finger = scene.down(80, 80)
            scene.wait(100)
            scene.cancel(finger)
            scene.wait(100)
        },
        { scene in  // a swipe
            var finger = scene.down(20, 80)
            for step in 1...8 {
                scene.wait(8)
                scene.move(&finger, 20 + Double(step) * 8, 80)
            }
            scene.swipe(finger, .right)
            scene.wait(100)
        },
        { scene in  // a pinch that turns too
            var (a, b) = (scene.down(60, 100), scene.down(100, 60))
            scene.wait(20)
            scene.move(&a, 25, 115)
            scene.move(&b, 135, 45)
            scene.pinch([a, b], .began, scale: 2)
            scene.rotate([a, b], .began, degrees: 40)
            scene.wait(300)
        },
        { scene in  // a pen
            var pen = scene.down(70, 90, .stylus)
            pen.pressure = 0.6
            pen.tilt = Contact.Tilt(x: 35, y: -30)
            scene.wait(8)
            scene.move(&pen, 80, 80)
            scene.wait(300)
        },
        { scene in  // lifted without a tap
            let finger = scene.down(80, 80)
            scene.wait(700)
            scene.lift(finger)
            scene.wait(90)
        },
    ]
}
