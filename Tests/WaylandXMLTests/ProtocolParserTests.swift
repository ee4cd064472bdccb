import Testing

@testable import WaylandXML

@Suite("Protocol model")
struct ProtocolParserTests {
    @Test(
        "numbers are read as C reads them",
        arguments: [
            ("0", 0), ("10", 10), ("010", 8), ("0x1F", 31), ("0XfF", 255), ("-1", 4_294_967_295),
            ("-2147483648", 2_147_483_648), ("4294967295", 4_294_967_295), ("1 << 4", 16), ("1<<31", 2_147_483_648),
            (" 7 ", 7), ("0x1 << 0", 1),
        ] as [(String, UInt32)])
    func numbers(text: String, value: UInt32) {
        #expect(UInt32(cConstant: text) == value)
    }

    @Test(
        "what C would not read as a number of 32 bits is none",
        arguments: [
            "", " ", "x", "0x", "08", "1 << ", "<< 1", "1 << 32", "1 << -1", "-1 << 1", "3 << 31", "4294967296",
            "-2147483649", "1.0", "+1", "0x+1", "1 2", "1 << 2 << 3", "- 1", "١",
        ])
    func noNumbers(text: String) {
        #expect(UInt32(cConstant: text) == nil)
    }

    @Test("attributes and elements of newer files are passed over")
    func unknownIsTolerated() {
        let text = """
            <protocol name="p" newer="1">
              <newer><interface name="hidden" version="x"/></newer>
              <interface name="p_one" version="2" frozen="true">
                <request name="a" since="1" newer="b" deprecated-since="2">
                  <arg name="b" type="uint" newer="c"><newer/></arg><newer type="nonsense"/>
                </request>
                <newer name="c"/>
                <enum name="d" newer="e"><entry name="f" value="0" newer="g"/><newer/></enum>
              </interface>
            </protocol>
            """
        #expect(errors(in: text) == [])
        let file = ProtocolParser.parse(SourceFile(text)).file
        #expect(file?.interfaces.map(\.name) == ["p_one"])
        #expect(file?.interfaces.first?.requests.first?.deprecatedSince == 2)
        #expect(file?.interfaces.first?.requests.first?.signature == "u")
    }

    @Test("a signature has the version, what may be null, and three letters for an object of any interface")
    func signatures() {
        let text = protocolText(
            """
            <request name="a" since="3">
              <arg name="a" type="string" allow-null="true"/><arg name="b" type="object" allow-null="true"/>
              <arg name="c" type="new_id"/><arg name="d" type="fd"/><arg name="e" type="array"/>
              <arg name="f" type="fixed"/><arg name="g" type="int"/>
            </request>
            """, version: 3)
        #expect(ProtocolParser.parse(SourceFile(text)).file?.interfaces[0].requests[0].signature == "3?s?osunhafi")
    }

    @Test("20 arguments are the most that libwayland takes")
    func mostArguments() {
        let arguments = (1...20).map { "<arg name=\"a\($0)\" type=\"int\"/>" }
        #expect(errors(in: protocolText("<event name=\"e\">" + arguments.joined() + "</event>")) == [])
        let tooMany = arguments.joined() + "<arg name=\"last\" type=\"int\"/>"
        #expect(errors(in: protocolText("<event name=\"e\">" + tooMany + "</event>")).count == 1)
    }

    @Test("what an imported module has needs no extern, what it has not is missed")
    func knownModules() {
        let core = SourceFile(
            path: "core.xml",
            bytes: Array(
                """
                <protocol name="core"><interface name="wl_output" version="1">
                  <enum name="transform"><entry name="normal" value="0"/></enum>
                  <enum name="flags" bitfield="true"><entry name="a" value="1"/></enum>
                </interface></protocol>
                """.utf8))
        let options = Bindgen.Options(side: .client, imports: [Bindgen.Import("Core", known: [(.client, core)])])
        func request(_ enumeration: String) -> String {
            protocolText("<request name=\"r\"><arg name=\"a\" type=\"int\" enum=\"\(enumeration)\"/></request>")
        }
        #expect(errors(in: request("wl_output.transform"), options: options) == [])
        #expect(
            errors(in: request("wl_output.none"), options: options)
                == ["1:105: interface 'wl_output' has no enum 'none'"])
        #expect(
            errors(in: request("wl_output.flags"), options: options)
                == ["1:105: 'wl_output.flags' is a bitfield, which only a uint can carry"])
        #expect(
            errors(in: request("wl_seat.x"), options: options) == ["1:105: no interface 'wl_seat' in the files given"])
        var externs = options
        externs.hasExterns = true
        #expect(errors(in: request("wl_seat.x"), options: externs) == [])
    }
}

@Suite("Swift names")
struct SwiftNameTests {
    @Test(
        "types",
        arguments: [
            ("wl_surface", "WlSurface"), ("zwp_tablet_tool_v2", "ZwpTabletToolV2"),
            ("org_kde_kwin_fake_input", "OrgKdeKwinFakeInput"), ("proxy", "ProxyObject"), ("_2nd", "_2nd"),
        ])
    func types(name: String, swift: String) {
        #expect(SwiftName.type(name) == swift)
    }

    @Test(
        "enums",
        arguments: [
            ("error", "Error"), ("event", "EventValue"), ("request", "RequestValue"), ("since", "SinceValue"),
            ("type", "TypeValue"), ("protocol", "ProtocolValue"), ("self", "SelfValue"), ("string", "StringValue"),
            ("dnd_action", "DndAction"),
        ])
    func enums(name: String, swift: String) {
        #expect(SwiftName.enumeration(name) == swift)
    }

    @Test(
        "members",
        arguments: [
            ("set_title", "setTitle"), ("90", "_90"), ("flipped_270", "flipped270"), ("yuv420_8bit", "yuv420_8bit"),
            ("ARGB8888", "argb8888"), ("XdgName", "xdgName"), ("default", "`default`"), ("_hidden_", "hidden"),
        ])
    func members(name: String, swift: String) {
        #expect(SwiftName.escaped(name) == swift)
    }

    @Test(
        "files",
        arguments: [
            ("wayland", "Wayland"), ("xdg-shell", "XdgShell"), ("tablet-v2", "TabletV2"), ("a.b c", "ABC"),
            ("é", "_"), ("1-2", "_1_2"), ("", "_"),
        ])
    func files(name: String, swift: String) {
        #expect(SwiftName.file(name) == swift)
    }
}

@Suite("Doc comments")
struct DocumentationTests {
    @Test("lose what all lines have of indentation, and blank lines at the ends")
    func indentation() {
        #expect(Documentation.lines("\n\n    a\n      b\n\n    c\n  \n") == ["a", "  b", "", "c"])
        #expect(Documentation.lines("a\n    b\n    c") == ["a", "b", "c"])
        #expect(Documentation.lines("   alone ") == ["alone"])
        #expect(Documentation.lines("") == [])
    }

    @Test(
        "no character of a file ends a comment",
        arguments: [
            "&#10;", "&#13;", "&#13;&#10;", "&#x85;", "&#x2028;", "&#x2029;", "&#x202E;", "&#x200B;", "&#xFEFF;",
        ])
    func noEscape(reference: String) throws {
        let text = """
            <protocol name="p"><copyright>c\(reference)BREAK</copyright>
            <interface name="p_one" version="1">
              <description summary="s\(reference)BREAK">d\(reference)BREAK</description>
              <request name="r"><arg name="a" type="int" summary="t\(reference)BREAK"/></request>
              <enum name="e"><entry name="f" value="0" summary="u\(reference)BREAK"/></enum>
            </interface></protocol>
            """
        for side in Bindgen.Side.allCases {
            let source = SourceFile(path: "a\n.xml", bytes: Array(text.utf8))
            let output = try Bindgen.generate([source], Bindgen.Options(side: side))[0].text
            // Split at all that any reader of Swift could take for a line end.
            let lines = output.split(whereSeparator: \.isNewline)
            let breaks = lines.filter { $0.contains("BREAK") }
            #expect(breaks.count >= 4)
            #expect(breaks.allSatisfy { $0.drop { $0 == " " }.hasPrefix("//") }, "\(breaks)")
        }
    }
}
