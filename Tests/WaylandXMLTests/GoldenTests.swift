import Foundation
import Testing

@testable import WaylandXML

@Suite("Golden file")
struct GoldenTests {
    /// Fixtures/everything.xml uses each feature of the format and each special case of the emitter.
    @Test("everything becomes exactly the Swift that was reviewed", arguments: Bindgen.Side.allCases)
    func everything(side: Bindgen.Side) throws {
        let core = try SourceFile.load(Project.protocols.appending(path: "wayland.xml"))
        var options = Bindgen.Options(
            side: side, imports: [Bindgen.Import("WaylandProtocols", known: [(.client, core)])])
        if side == .server {
            options.imports.append(Bindgen.Import("WaylandServerProtocols", known: [(.server, core)]))
        }
        let source = try SourceFile.load(Project.fixtures.appending(path: "everything.xml"))

        let outputs = try Bindgen.generate([source], options)

        #expect(outputs.map(\.name) == ["Everything.swift"])
        let golden = Project.fixtures.appending(path: "Everything.\(side.rawValue).swift")
        if Project.isUpdating { try outputs[0].text.write(to: golden, atomically: true, encoding: .utf8) }
        let expected = try String(contentsOf: golden, encoding: .utf8)
        let difference = firstDifference(outputs[0].text, expected)
        #expect(
            difference == nil,
            "\(golden.lastPathComponent): \(difference ?? ""); review, then run again with UPDATE_GOLDEN=1")
    }

    @Test("the same input gives the same text")
    func isDeterministic() throws {
        let sources = try Project.boundProtocols.map { try SourceFile.load($0) }
        let once = try Bindgen.generate(sources, Bindgen.Options(side: .client))
        let again = try Bindgen.generate(sources, Bindgen.Options(side: .client))
        #expect(once == again)
    }

    /// The first line in which two texts differ, for people.
    private func firstDifference(_ a: String, _ b: String) -> String? {
        let ours = a.split(separator: "\n", omittingEmptySubsequences: false)
        let theirs = b.split(separator: "\n", omittingEmptySubsequences: false)
        for index in 0..<max(ours.count, theirs.count) {
            let one = index < ours.count ? ours[index] : "(end)"
            let other = index < theirs.count ? theirs[index] : "(end)"
            if one != other { return "line \(index + 1) is \"\(one)\", was \"\(other)\"" }
        }
        return nil
    }
}

@Suite("Bad input")
struct BadInputTests {
    /// Each XML in Fixtures/Bad has beside it the errors that it must give.
    @Test(
        "is refused, with the place and the reason", arguments: Project.xml(in: Project.fixtures.appending(path: "Bad"))
    )
    func isRefused(url: URL) throws {
        let source = try SourceFile.load(url)
        let (_, lines) = attempt([source])
        #expect(!lines.isEmpty, "\(source.path) was accepted")
        let expected = url.deletingPathExtension().appendingPathExtension("txt")
        if Project.isUpdating {
            try (lines.joined(separator: "\n") + "\n").write(to: expected, atomically: true, encoding: .utf8)
        }
        #expect(lines.joined(separator: "\n") + "\n" == (try String(contentsOf: expected, encoding: .utf8)))
    }

    private func attempt(_ sources: [SourceFile]) -> (outputs: [Bindgen.Output], errors: [String]) {
        do throws(Bindgen.Failure) {
            return (try Bindgen.generate(sources, Bindgen.Options(side: .client)), [])
        } catch {
            return ([], error.diagnostics.map(\.description))
        }
    }

    private func source(_ path: String, _ interface: String, needing other: String? = nil) -> SourceFile {
        let argument = other.map { "<arg name=\"a\" type=\"object\" interface=\"\($0)\"/>" } ?? ""
        let text =
            "<protocol name=\"p\">\n<interface name=\"\(interface)\" version=\"1\">"
            + "<request name=\"r\">\(argument)</request></interface>\n</protocol>"
        return SourceFile(path: path, bytes: Array(text.utf8))
    }

    @Test("two files with one interface")
    func twiceInTwoFiles() {
        let (_, errors) = attempt([source("a.xml", "x"), source("b.xml", "x")])
        #expect(errors == ["b.xml:2:1: error: interface 'x' is in a.xml too"])
    }

    @Test("two files that would become one")
    func sameOutput() {
        let (_, errors) = attempt([source("one/a-b.xml", "x"), source("two/a_b.xml", "y")])
        #expect(errors == ["two/a_b.xml:1:1: error: this file and one/a-b.xml would both become AB.swift"])
    }

    @Test("files that need each other in a circle")
    func circle() {
        let (_, errors) = attempt([
            source("a.xml", "a", needing: "b"), source("b.xml", "b", needing: "c"), source("c.xml", "c", needing: "b"),
        ])
        #expect(errors == ["b.xml:2:90: error: files need each other in a circle: b.xml -> c.xml -> b.xml"])
    }

    @Test("a chain of files is no circle")
    func chain() {
        let (outputs, errors) = attempt([
            source("a.xml", "a", needing: "b"), source("b.xml", "b", needing: "c"), source("c.xml", "c"),
        ])
        #expect(errors == [])
        #expect(outputs.map(\.name) == ["A.swift", "B.swift", "C.swift"])
    }

    @Test("one wrong file of several: nothing is generated, all errors come in the files' order")
    func oneOfSeveral() {
        let broken = SourceFile(path: "broken.xml", bytes: Array("<protocol".utf8))
        let wrong = SourceFile(path: "wrong.xml", bytes: Array("<protocol name=\"w\"/>".utf8))
        let (outputs, errors) = attempt([broken, source("a.xml", "a"), wrong])
        #expect(outputs == [])
        #expect(
            errors == [
                "broken.xml:1:1: error: the tag <protocol> is never closed",
                "wrong.xml:1:1: error: protocol 'w' has no interface",
            ])
    }
}
