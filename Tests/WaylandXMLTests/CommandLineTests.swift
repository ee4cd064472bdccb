import Foundation
import Testing
import WaylandXML

@testable import wayland_bindgen

@Suite("Command line")
struct CommandLineTests {
    private func parse(_ line: String) throws(CommandError) -> CommandLineOptions? {
        if case .run(let options) = try CommandLineOptions.parse(line.split(separator: " ").map(String.init)) {
            return options
        }
        return nil
    }

    @Test("all options together")
    func allOptions() throws {
        let line =
            "--side server --out d --import A --known B client b.xml --known B server c.xml --extern a.xml -- -x.xml"
        let options = try #require(try parse(line))
        #expect(options.product == .bindings(.server))
        #expect(options.outputFolder == "d")
        #expect(options.hasExterns)
        #expect(options.paths == ["a.xml", "-x.xml"])
        #expect(options.imports.map(\.module) == ["A", "B"])
        #expect(options.imports[1].known.map(\.side) == [.client, .server])
        #expect(options.imports[1].known.map(\.path) == ["b.xml", "c.xml"])
    }

    @Test("--check needs neither side nor folder and writes nothing")
    func check() throws {
        let options = try #require(try parse("--check --out d a.xml"))
        #expect(options.outputFolder == nil)
    }

    @Test(
        "what cannot be meant is refused with a hint",
        arguments: [
            ("", "no file given; see --help"),
            ("a.xml", "--side and --out are needed, or --check; see --help"),
            ("--side client a.xml", "--side and --out are needed, or --check; see --help"),
            ("--side both --out d a.xml", "--side both: there are only 'client' and 'server'"),
            ("--wrong a.xml", "unknown option --wrong; see --help"),
            ("--out", "--out needs a value; see --help"),
            ("--import 1a --check a.xml", "--import 1a: that is no module's name"),
            ("--known A b --check a.xml", "--known b: there are only 'client' and 'server'"),
        ])
    func refused(line: String, reason: String) {
        do throws(CommandError) {
            _ = try parse(line)
            Issue.record("accepted")
        } catch {
            #expect(error.lines == ["wayland-bindgen: \(reason)"])
        }
    }

    @Test("a file that cannot be read is named with the reason")
    func unreadable() {
        do throws(CommandError) {
            _ = try Files.read("/nonexistent/a.xml", limit: 10)
            Issue.record("read what is not there")
        } catch {
            #expect(error.lines == ["wayland-bindgen: cannot read /nonexistent/a.xml: No such file or directory"])
        }
    }

    // MARK: Writing

    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bindgen-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private func outputs(_ names: [String]) throws -> [Bindgen.Output] {
        let sources = names.map { name in
            SourceFile(
                path: "\(name).xml",
                bytes: Array("<protocol name=\"\(name)\"><interface name=\"\(name)\" version=\"1\"/></protocol>".utf8))
        }
        return try Bindgen.generate(sources, Bindgen.Options(side: .client))
    }

    @Test("makes the folder, writes each file, leaves what would not change")
    func writing() throws {
        try withFolder { folder in
            let target = folder.appending(path: "new/deep")
            try Files.write(try outputs(["a", "b"]), to: target.path)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: target.path).sorted() == ["A.swift", "B.swift"])
            let path = target.appending(path: "A.swift").path
            let old = Date(timeIntervalSince1970: 1_000_000)
            try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
            try Files.write(try outputs(["a", "b"]), to: target.path)
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.modificationDate] as? Date == old, "an unchanged file was written again")
        }
    }

    @Test("a failure leaves nothing half written")
    func nothingHalfWritten() throws {
        try withFolder { folder in
            // A folder stands where the second file is to go: its rename fails.
            let obstacle = folder.appending(path: "B.swift")
            try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: true)
            let outputs = try outputs(["b"])
            #expect(throws: CommandError.self) { try Files.write(outputs, to: folder.path) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["B.swift"])
        }
    }
}
