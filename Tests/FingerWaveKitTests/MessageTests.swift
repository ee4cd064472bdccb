import EventLoop
import Foundation
import Gestures
import Recording
import Ripples
import Testing

@testable import FingerWaveKit

/// What people are told when something is not as they thought.
@Suite(.serialized) struct MessageTests {
    /// Of the program, started as a user does, with `input` on its standard input: its status, and what it said.
    private func said(_ words: String..., input: String = "") throws -> (status: Int32, text: String) {
        let environment = ["XDG_RUNTIME_DIR=/nonexistent", "HOME=/nonexistent"]
        let program = try Running(words, environment: environment)
        program.say(input)
        program.closeInput()
        let text = program.rest()
        return (program.wait(), text)
    }

    // MARK: Command lines

    @Test func anAppsOwnOptionsStandBehindTwoDashes() throws {
        let app = try said("run", "weston-simple-shm", "--foo")
        #expect(app.status == 1 && app.text.contains("stands behind --: fingerwave run -- weston-simple-shm"), "\(app)")
        let short = try said("run", "ls", "-l")
        #expect(short.status == 1 && short.text.contains("fingerwave run -- ls"), "\(short)")
        let before = try said("run", "--foo", "--", "true")
        #expect(before.text == "fingerwave: unknown option --foo; see fingerwave --help\n")
    }

    @Test func anOptionOfOtherCommandsIsSaidToBeTheirs() throws {
        #expect(
            try said("run", "--fullscreen", "--", "true").text
                == "fingerwave: unknown option --fullscreen: it is for window, record, replay; "
                + "see fingerwave help window\n"
        )
        #expect(try said("events", "--map=a=b").text.contains("it is for overlay, info; see fingerwave help overlay"))
        let presented = try said("events", "--log-presented").text
        #expect(
            presented
                == "fingerwave: unknown option --log-presented: it is for window, run, overlay, record, replay; "
                + "see fingerwave help log\n")
        for command in ["run", "overlay"] {
            #expect(try said(command, "--background=red").text.contains("it is for window, record, replay, render;"))
        }
        #expect(try said("convert", "--no-draw").text.contains("it is for run; see fingerwave help run"))
    }

    @Test func onlyWhatIsNearIsSuggested() {
        let styles = RippleStyle.Kind.allCases.map { $0.name }
        #expect(nearest(to: "foo", among: styles) == nil && nearest(to: "--foo", among: ["--log", "--to"]) == nil)
        #expect(nearest(to: "dto", among: styles) == "dot" && nearest(to: "hlep", among: ["help"]) == "help")
        #expect(nearest(to: "wav", among: styles) == "wave" && nearest(to: "wide", among: styles) == nil)
    }

    @Test(arguments: ["mp4", "gif", "WebM", "mkv"])
    func filmsForOthersAreAnEncodersWork(ending: String) throws {
        for words in [[], ["--as", "y4m"]] {
            do throws(Failure) {
                let parsed = try ParsedArguments(words + ["-o", "a.\(ending)"], specs: RenderSettings.specs)
                try RenderCommand(RenderSettings(parsed.options)).run(["touches.jsonl"])
                Issue.record("it is made")
            } catch {
                #expect(error.code == .usage)
                #expect(error.remedy == "fingerwave render touches.jsonl -o - | ffmpeg -i - a.\(ending)")
            }
        }
    }

    @Test func aNameThatIsEmptyIsSeen() throws {
        #expect(try said("").text == "fingerwave: unknown command \"\"; see fingerwave --help\n")
        #expect(try said("info", "").text.hasPrefix("fingerwave: cannot read \"\": No such file"))
        #expect(try said("ctl", "").text.hasPrefix("fingerwave: unknown command \"\";"))
    }

    @Test func whatCannotBePrintedIsStandardOutput() throws {
        let folder = try TestFolder()
        let path = try folder.write("a.jsonl", #"{"type":"down","id":1,"time":1,"x":1,"y":1}"# + "\n")
        for words in [["convert", "--to", "json", path, "-"], ["render", "--as", "y4m", "-o", "-", path]] {
            let program = try Running(words, environment: [], redirections: ">/dev/full")
            #expect(program.rest().contains("fingerwave: cannot write standard output: No space left on device"))
            #expect(program.wait() == 5)
        }
    }

    @Test func operandsAreCounted() throws {
        #expect(try said("render", "a.jsonl", "a.png").text.contains("-o: fingerwave render a.jsonl -o a.png"))
        #expect(try said("convert", "a.jsonl").text.contains("takes two files: 1 was given;"))
        #expect(try said("convert").text.contains("takes two files: none was given;"))
    }

    /// As every program ends: no crash is told of.
    @Test(arguments: [SIGQUIT, SIGABRT, SIGSEGV]) func aSignalFromOutsideIsNoCrash(number: Int32) throws {
        let program = try Running(["events", "--source", "-"], environment: [])
        program.say("nonsense\n")
        #expect(program.line()?.contains("standard input:1:") == true)
        program.send(number)
        #expect(program.wait() == 128 + number && program.rest() == "")
    }

    /// It goes on where it is kept from the end of its session.
    @Test func aHangUpThatIsIgnoredEndsNothing() throws {
        for isHeld in [true, false] {
            let program = try Running(["events", "--source", "-"], environment: [], isHeld: isHeld)
            program.say("nonsense\n")
            #expect(program.line()?.contains("standard input:1:") == true)
            program.send(SIGHUP)
            if isHeld {
                program.say("{\"type\":\"up\",\"id\":1}\n")
                #expect(program.line()?.contains("\"up\"") == true)
                program.send(SIGTERM)
            }
            #expect(program.wait() == 0)
        }
    }

    // MARK: Recordings

    @Test func whatIsNoRecordingIsNamedWithWhatWasRead() throws {
        let folder = try TestFolder()
        func told(_ text: String) throws -> String {
            let path = try folder.write("file", text)
            let (status, text) = try said("info", path)
            #expect(status == 5)
            return text.replacingOccurrences(of: folder.path + "/", with: "")
        }
        #expect(
            try told("hello\n\nworld\n")
                == "fingerwave: file:3: no recording that is known: 3 lines and none of a recording; "
                + "fingerwave help convert lists what is known\n")
        #expect(try told("") == "fingerwave: file:1: it is empty; name another file\n")
        for (script, line) in [("# For touch-stage --size 1x1\ndown 0 1 1\n", 1), ("\nwait-window\ndown 0 1 1\n", 2)] {
            #expect(
                try told(script)
                    == "fingerwave: file:\(line): a script of touch-stage is not read; "
                    + "touch-stage --script file -- APP plays it\n")
        }
    }

    @Test(arguments: [["record", "--source", "-"], ["events", "--source", "-"]])
    func aStreamOfNonsenseIsNoSource(words: [String]) throws {
        let nonsense = try said(words[0], words[1], words[2], input: "nonsense\nnonsense\n")
        #expect(nonsense.status == 5, "\(nonsense)")
        #expect(nonsense.text.contains("JSON Lines alone are read here"), "\(nonsense)")
        #expect(nonsense.text.contains("not one of its lines tells of touches"), "\(nonsense)")
        let one = try said(words[0], words[1], words[2], input: "nonsense\n{\"type\":\"frame\"}\n")
        #expect(one.status == 0, "\(one)")
        #expect(try said(words[0], words[1], words[2]).status == 0, "nothing is no nonsense")
    }

    // MARK: The log

    private final class Sink: LineSink {
        var text = ""

        func write(_ line: String) { text += line }
    }

    @Test func whereNobodyToldTheSeatTheColumnStays() throws {
        let sink = Sink()
        let log = EventLog(sink, format: .text, start: Instant(nanoseconds: 0))
        log.touch(try TouchLine(#"{"type":"up","device":"evdev0","id":1,"time":5}"#), at: Instant(nanoseconds: 0))
        #expect(sink.text == "    0.000  -  up          evdev0 1\n")
    }

    @Test func oneIsNoPlural() throws {
        let harness = try SessionHarness("--log")
        harness.stage.seat.touch.down(1, x: 50, y: 50, time: 1000)
        harness.stage.seat.touch.frame()
        harness.pump()
        harness.play(milliseconds: 1500)
        let figures = harness.printed().filter { $0.contains("statistics") }
        #expect(figures.first?.contains("  1 contact, at most 1, 1 in all; 1 event, ") == true, "\(figures)")
    }

    @Test func theListOfKeysIsNoLineOfTheLog() throws {
        let harness = try SessionHarness("--log=json")
        harness.stage.seat.keyboard.enter(harness.stage.surfaces[0])
        harness.stage.seat.keyboard.tap(35)
        harness.pump()
        let printed = harness.printed()
        #expect(!printed.isEmpty && printed.allSatisfy { $0.hasPrefix("{") }, "\(printed)")
    }

    // MARK: What is not there

    @Test func thatNoTouchscreenIsThereIsSaidWhenOneCouldBeShown() throws {
        let source = LibinputSource(.seat("seat-of-nobody"), EventLoop())
        var said: [SourceEvent] = []
        source.onEvent = { event, _ in said.append(event) }
        defer { source.end() }
        // Where there is no libinput nothing can be said of it.
        do throws(Failure) { try source.begin() } catch { return }
        #expect(said.isEmpty, "\(said)")
        source.beginShowing()
        #expect(said.count == 1, "\(said)")
    }
}
