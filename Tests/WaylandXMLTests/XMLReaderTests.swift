import Glibc
import Testing

@testable import WaylandXML

@Suite("XML reader")
struct XMLReaderTests {
    private func read(_ text: String) throws(Diagnostic) -> XMLElement { try XMLReader.read(SourceFile(text)) }

    @Test("elements, attributes and text")
    func tree() throws {
        let root = try read("<a b = 'c' d=\"'\"  ><e/>one<e f=''>two</e>three</a>\n")
        #expect(root.name == "a")
        #expect(root.attributes.map(\.name) == ["b", "d"])
        #expect(root.attributes.map(\.value) == ["c", "'"])
        #expect(root.children.map(\.name) == ["e", "e"])
        #expect(root.children.map(\.text) == ["", "two"])
        #expect(root.text == "onethree")
    }

    @Test("references, in text and in values")
    func references() throws {
        let root = try read("<a b='&lt;&gt;&amp;&quot;&apos;'>&#65;&#x1F30A;&#xe9;&amp;lt;</a>")
        #expect(root.attribute("b")?.value == "<>&\"'")
        #expect(root.text == "A\u{1F30A}é&lt;")
    }

    @Test("CDATA is text as it stands, comments and instructions are nothing")
    func skipped() throws {
        let root = try read(
            "<?xml version='1.0'?><!-- <b> --><a>x<![CDATA[<&]]]>]]>y<!-- -- <c> --><?z <d> ?></a><!-- -->")
        // The first ]]> ends the section.
        #expect(root.text == "x<&]]]>y")
        #expect(root.children.isEmpty)
    }

    @Test("a DOCTYPE is skipped, whatever is in it")
    func doctype() throws {
        let root = try read("<!DOCTYPE a SYSTEM 'x>' [ <!ENTITY b \"]>\"> <!-- ' ]> --> ]><a/>")
        #expect(root.name == "a")
    }

    @Test("line ends are one LF in text, white space one space in values", arguments: ["\n", "\r\n", "\r"])
    func lineEnds(end: String) throws {
        let root = try read("<a b='1\(end)2\t3'>one\(end)two\(end)\(end)three</a>")
        #expect(root.attribute("b")?.value == "1 2 3")
        #expect(root.text == "one\ntwo\n\nthree")
    }

    @Test("positions count lines by any line end and columns by bytes", arguments: ["\n", "\r\n", "\r"])
    func positions(end: String) throws {
        let text = "<a>\(end)\(end)é<b c='d'/></a>"
        let root = try read(text)
        let place = SourceFile(text).place(of: root.children[0].offset)
        #expect(place == (3, 3))
        let value = SourceFile(text).place(of: root.children[0].attributes[0].valueOffset)
        #expect(value == (3, 9))
    }

    @Test("a byte order mark is skipped and takes no column")
    func byteOrderMark() throws {
        let text = "\u{FEFF}<a/>"
        #expect(try read(text).name == "a")
        #expect(SourceFile(text).place(of: 3) == (1, 1))
    }

    @Test("limits end a hostile file with an error, not the process")
    func limits() {
        var limits = XMLLimits()
        limits.bytes = 1 << 20
        limits.elements = 10
        limits.depth = 3
        let texts = [
            String(repeating: " ", count: (1 << 20) + 1): "1:1: the file is larger than 1 MiB",
            "<a>" + String(repeating: "<b/>", count: 10) + "</a>": "1:40: more than 10 elements",
            "<a><a><a><a></a></a></a></a>": "1:10: elements are nested more than 3 deep",
        ]
        for (text, expected) in texts {
            do throws(Diagnostic) {
                _ = try XMLReader.read(SourceFile(text), limits: limits)
                Issue.record("accepted what should end with: \(expected)")
            } catch {
                #expect("\(error.line):\(error.column): \(error.message)" == expected)
            }
        }
    }

    @Test("every prefix of a right file is refused without a crash")
    func prefixes() throws {
        let bytes = try SourceFile.load(Project.fixtures.appending(path: "everything.xml")).bytes
        let end = bytes.lastIndex(of: UInt8(ascii: ">"))!
        for length in stride(from: 0, through: end, by: 53) {
            let file = SourceFile(path: "cut.xml", bytes: Array(bytes[..<length]))
            #expect(throws: Diagnostic.self, "cut after \(length) bytes") { try XMLReader.read(file) }
        }
    }

    /// CPU time of this thread, in ns, which has no part of what others are waiting for.
    private func cost(of body: () -> Void) -> Int64 {
        func now() -> Int64 {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        }
        let begin = now()
        body()
        return now() - begin
    }

    @Test(
        "the cost of a hostile file grows with its size and no faster",
        arguments: [
            { protocolText("<description summary='x'>" + String(repeating: "\n", count: $0) + "</description>") },
            { protocolText("<description summary='x'>a" + String(repeating: "\u{301}", count: $0) + "</description>") },
            { protocolText("<description summary='" + String(repeating: "&#10;", count: $0) + "'/>") },
            { protocolText(String(repeating: "<request/>", count: $0)) },
            { "<!--" + String(repeating: "-", count: $0) + "->" },
        ] as [@Sendable (Int) -> String])
    func hostileFiles(text: @Sendable (Int) -> String) {
        func cost(count: Int) -> Int64 {
            let text = text(count)
            return self.cost { #expect(errors(in: text).count <= ProtocolParser.mostDiagnostics) }
        }
        // 16 times the text: 16 times the cost, or 256 times were it quadratic. Whatever disturbs, disturbs rarely.
        let ratios = (0..<3).map { _ in Double(cost(count: 48_000)) / Double(max(1, cost(count: 3_000))) }
        #expect(ratios.min()! < 64, "\(ratios)")
    }
}
