import Ripples
import Testing

@Suite struct ColorTests {
    @Test(arguments: [
        ("336699", Color(red: 0x33, green: 0x66, blue: 0x99)),
        ("#336699", Color(red: 0x33, green: 0x66, blue: 0x99)),
        ("fFaA0080", Color(red: 0xFF, green: 0xAA, blue: 0x00, alpha: 0x80)),
        ("#FFAA0080", Color(red: 0xFF, green: 0xAA, blue: 0x00, alpha: 0x80)),
        ("#f80", Color(red: 0xFF, green: 0x88, blue: 0x00)),
        ("f808", Color(red: 0xFF, green: 0x88, blue: 0x00, alpha: 0x88)),
        ("white", .white),
        ("Black", .black),
        ("GREEN", Color(red: 0, green: 0x80, blue: 0)),
        ("lime", Color(red: 0, green: 0xFF, blue: 0)),
        ("grey", Color(red: 0x80, green: 0x80, blue: 0x80)),
        ("transparent", .clear),
    ])
    func readsWhatPeopleWrite(text: String, color: Color) {
        #expect(Color(text) == color)
    }

    @Test(arguments: [
        "", "#", "12", "12345", "1234567", "123456789", "0x336699", "33669g", "##336699", " white", "whit", "wh\u{0}te",
        "ｆｆｆ",
    ])
    func refusesWhatIsNoColour(text: String) {
        #expect(Color(text) == nil)
    }

    @Test func writesWhatItReads() {
        #expect(Color(red: 1, green: 0xAB, blue: 0xFF).text == "#01ABFF")
        #expect(Color(red: 1, green: 0xAB, blue: 0xFF, alpha: 9).text == "#01ABFF09")
        for value in stride(from: 0, through: 255, by: 5) {
            let color = Color(red: UInt8(value), green: 255 - UInt8(value), blue: 7, alpha: UInt8(value))
            #expect(Color(color.text) == color)
        }
    }

    @Test func fadingTouchesTheAlphaOnlyAndClamps() {
        let color = Color(red: 10, green: 20, blue: 30, alpha: 200)
        #expect(color.fading(to: 0.5) == Color(red: 10, green: 20, blue: 30, alpha: 100))
        #expect(color.fading(to: 1).alpha == 200)
        #expect(color.fading(to: 7).alpha == 200)
        #expect(color.fading(to: -1).alpha == 0)
        #expect(color.fading(to: .nan).alpha == 0)
    }
}

@Suite struct EasingTests {
    private static let all: [Easing] = [.linear, .easeIn, .easeOut, .easeInOut]

    @Test(arguments: all) func endsMapToThemselvesAndTimeIsClamped(easing: Easing) {
        #expect(easing.progress(at: 0) == 0)
        #expect(easing.progress(at: 1) == 1)
        #expect(easing.progress(at: -5) == 0)
        #expect(easing.progress(at: 5) == 1)
        #expect(easing.progress(at: .nan) == 0)
    }

    @Test(arguments: all) func neverGoesBackwards(easing: Easing) {
        let values = (0...1000).map { easing.progress(at: Double($0) / 1000) }
        #expect(values == values.sorted())
    }

    @Test func bendsTheWayItsNameSays() {
        #expect(Easing.linear.progress(at: 0.25) == 0.25)
        #expect(Easing.easeIn.progress(at: 0.25) < 0.25)
        #expect(Easing.easeOut.progress(at: 0.25) > 0.25)
        #expect(Easing.easeInOut.progress(at: 0.25) < 0.25)
        #expect(Easing.easeInOut.progress(at: 0.5) == 0.5)
        #expect(Easing.easeInOut.progress(at: 0.75) > 0.75)
    }
}
