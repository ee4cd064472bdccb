// A libFuzzer target: any bytes as a protocol file. Built by `meson-helpers/fuzz xml` together with Sources/WaylandXML.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    let source = SourceFile(path: "fuzz.xml", bytes: bytes)
    for side in Bindgen.Side.allCases {
        let options = Bindgen.Options(side: side, imports: [Bindgen.Import("Other")], hasExterns: true)
        do throws(Bindgen.Failure) {
            for output in try Bindgen.generate([source], options) { check(output) }
        } catch {
            precondition(!error.diagnostics.isEmpty, "refused without a reason")
            precondition(error.diagnostics.count <= 200, "more errors than anybody reads")
            for diagnostic in error.diagnostics {
                precondition(diagnostic.line >= 1 && diagnostic.column >= 1, "a place before the file")
                precondition(diagnostic.column <= count + 1 && diagnostic.line <= count + 1, "a place after the file")
                precondition(!diagnostic.message.isEmpty && diagnostic.message.utf8.count <= 1000)
                precondition(diagnostic.message.utf8.allSatisfy { $0 >= 0x20 }, "a control character for a terminal")
            }
        }
    }
    return 0
}

/// Generated code is made of names that were checked; anything else that the file said stays in comments.
private func check(_ output: Bindgen.Output) {
    var depth = 0
    // Split at all that any reader of Swift could take for a line end.
    for line in output.text.split(whereSeparator: \.isNewline) {
        let code = line.drop { $0 == " " }
        if code.hasPrefix("//") { continue }
        for byte in code.utf8 {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                break
            default: precondition(" _`\"?:;.,=<>-@".utf8.contains(byte), "a stray character in code")
            }
        }
        precondition(depth >= 0)
    }
    precondition(depth == 0, "unbalanced code")
}
