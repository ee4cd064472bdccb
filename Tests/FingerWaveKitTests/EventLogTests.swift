import Testing
import TouchStage

@testable import FingerWaveKit

/// Keeps the JSON schema of the README: these lines are other people's input.
@Suite struct EventLogTests {
    @Test func theSchemaStands() throws {
        let harness = try SessionHarness("--log=json")
        let touch = harness.stage.seat.touch
        touch.down(7, x: 10.5, y: 20.25, time: 123_456)
        touch.shape(7, major: 12, minor: 8.5)
        touch.orientation(7, degrees: -45)
        touch.frame()
        touch.motion(7, x: 11, y: 20.25, time: 123_500)
        touch.frame()
        touch.up(7, time: 123_540)
        touch.frame()
        touch.down(-3, x: 100, y: 100, time: 4_294_967_295)
        touch.frame()
        touch.cancel()
        harness.pump()
        #expect(
            harness.printed() == [
                #"{"type":"ready","width":400,"height":300,"scale":1}"#,
                #"{"type":"down","seat":"seat0","id":7,"time":123456,"x":10.5,"y":20.25}"#,
                #"{"type":"shape","seat":"seat0","id":7,"major":12,"minor":8.5}"#,
                #"{"type":"orientation","seat":"seat0","id":7,"orientation":-45}"#,
                #"{"type":"frame","seat":"seat0"}"#,
                #"{"type":"motion","seat":"seat0","id":7,"time":123500,"x":11,"y":20.25}"#,
                #"{"type":"frame","seat":"seat0"}"#,
                #"{"type":"up","seat":"seat0","id":7,"time":123540}"#,
                #"{"type":"frame","seat":"seat0"}"#,
                #"{"type":"gesture","gesture":"tap","phase":"ended","seat":"seat0","count":1,"fingers":1,"x":11,"#
                    + #""y":20.25,"duration":84}"#,
                #"{"type":"down","seat":"seat0","id":-3,"time":4294967295,"x":100,"y":100}"#,
                #"{"type":"frame","seat":"seat0"}"#,
                #"{"type":"cancel","seat":"seat0"}"#,
                #"{"type":"fault","seat":"seat0","fault":"time-backwards","count":1}"#,
                #"{"type":"statistics","contacts":0,"most":1,"begun":2,"events":5,"rate":5,"interval":{"count":1,"#
                    + #""median":44,"p99":44},"histogram":[0,0,0,0,0,0,0,0,0,1,0],"last":"tap","#
                    + #""faults":[{"fault":"time-backwards","count":1}]}"#,
            ])
    }

    @Test func otherGesturesNameWhatTheyAre() throws {
        let harness = try SessionHarness("--log=json")
        let touch = harness.stage.seat.touch
        touch.down(1, x: 100, y: 100, time: 1000)
        touch.frame()
        harness.pump()
        for step in 1...10 {
            harness.stage.advance(milliseconds: 10)
            touch.motion(1, x: 100 + 20 * Double(step), y: 100, time: 1000 + 10 * UInt32(step))
            touch.frame()
            harness.pump()
        }
        touch.up(1, time: 1105)
        touch.frame()
        harness.pump()
        let gestures = harness.printed().filter { $0.contains("\"type\":\"gesture\"") }
        #expect(gestures.first?.hasPrefix(#"{"type":"gesture","gesture":"pan","phase":"began","seat":"seat0""#) == true)
        #expect(gestures.filter { $0.contains(#""pan","phase":"ended""#) }.count == 1)
        let swipe = try #require(gestures.first { $0.contains("\"swipe\"") })
        #expect(swipe.contains(#""fingers":1,"x":300,"y":100,"#) && swipe.contains(#""direction":"right""#), "\(swipe)")
        #expect(!gestures.contains { $0.contains("\"tap\"") })
    }

    @Test func aHeldFingerIsALongPressByTimeAlone() throws {
        let harness = try SessionHarness("--log=json")
        harness.stage.seat.touch.down(1, x: 100, y: 100, time: 1000)
        harness.stage.seat.touch.frame()
        harness.pump()
        var deadline = try #require(harness.session.nextDeadline)
        #expect(deadline.nanoseconds - harness.stage.now == 150_000_000, "its progress is shown from then on")
        harness.stage.advance(milliseconds: 150)
        harness.pump()
        deadline = try #require(harness.session.nextDeadline)
        #expect(deadline.nanoseconds - harness.stage.now == 350_000_000)
        harness.stage.advance(milliseconds: 350)
        harness.pump()
        #expect(harness.printed().contains { $0.contains(#""long-press","phase":"began""#) })
        #expect(harness.session.nextDeadline == nil)
    }

    @Test func theTextIsForPeople() throws {
        let harness = try SessionHarness("--log")
        let touch = harness.stage.seat.touch
        touch.down(7, x: 10.5, y: 20.25, time: 1000)
        touch.frame()
        harness.pump()
        harness.stage.advance(milliseconds: 84)
        touch.up(7, time: 1084)
        touch.frame()
        harness.pump()
        let lines = harness.printed()
        #expect(lines.first == "ready: 400x300 logical px at scale 1")
        #expect(lines.contains("    0.000  seat0  down        7 at 10.5, 20.25"), "\(lines)")
        #expect(lines.contains("    0.084  seat0  tap         at 10.5, 20.25, 1 finger, 84 ms"), "\(lines)")
        let figures =
            "    0.084  all  statistics  0 contacts, at most 1, 1 in all; 2 events, 2/s; "
            + "arrival to commit 0 ms (p99 0)"
        #expect(lines.contains(figures), "\(lines)")
    }
}
