/// Reads the XML that protocol files are written in: UTF-8 (or its subset ASCII), no entities but the five of XML and
/// character references. Declarations, comments and processing instructions are skipped, a DOCTYPE unread.
///
/// Stops at the first error: what follows one could not be trusted.
package struct XMLReader {
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    let file: SourceFile
    let limits: XMLLimits
    var index = 0
    private var elementCount = 0

    private init(_ file: SourceFile, _ limits: XMLLimits) {
        self.file = file
        self.limits = limits
    }

    /// The root element.
    package static func read(_ file: SourceFile, limits: XMLLimits = XMLLimits()) throws(Diagnostic) -> XMLElement {
        var reader = XMLReader(file, limits)
        return try reader.document()
    }

    // MARK: The document

    private mutating func document() throws(Diagnostic) -> XMLElement {
        try checkBytes()
        if file.bytes.starts(with: XMLReader.byteOrderMark) { index = XMLReader.byteOrderMark.count }
        // Open elements, outermost first, with their text so far. A list rather than recursion: no depth of a hostile
        // file touches our own stack.
        var open: [(element: XMLElement, text: [UInt8])] = []
        var root: XMLElement?
        while index < file.bytes.count {
            let start = index
            if skip("<?") {
                try skipPast("?>", what: "processing instruction", from: start)
            } else if skip("<!--") {
                try skipPast("-->", what: "comment", from: start)
            } else if skip("<![CDATA[") {
                guard !open.isEmpty else { throw error(start, "text outside the root element") }
                let textStart = index
                try skipPast("]]>", what: "CDATA section", from: start)
                append(file.bytes[textStart..<index - 3], to: &open[open.count - 1].text)
            } else if skip("<!") {
                guard root == nil, open.isEmpty else { throw error(start, "a declaration inside the document") }
                try skipDeclaration(from: start)
            } else if skip("</") {
                let name = try readName("the name of the element that ends here")
                skipSpace()
                guard skip(">") else { throw error(index, "'>' expected after '</\(name)'") }
                guard var (element, text) = open.popLast() else {
                    throw error(start, "</\(name)> ends an element that was not begun")
                }
                guard element.name == name else {
                    let line = file.place(of: element.offset).line
                    throw error(start, "</\(name)> where <\(element.name)> of line \(line) is to end")
                }
                element.text = String(decoding: text, as: UTF8.self)
                text = []
                if open.isEmpty { root = element } else { open[open.count - 1].element.children.append(element) }
            } else if skip("<") {
                guard root == nil else { throw error(start, "a second root element") }
                let (element, isEmpty) = try startTag(from: start)
                if !isEmpty {
                    guard open.count < limits.depth else {
                        throw error(start, "elements are nested more than \(limits.depth) deep")
                    }
                    open.append((element, []))
                } else if open.isEmpty {
                    root = element
                } else {
                    open[open.count - 1].element.children.append(element)
                }
            } else if open.isEmpty {
                guard isSpace(file.bytes[index]) else { throw error(index, "text outside the root element") }
                index += 1
            } else {
                try readText(&open[open.count - 1].text)
            }
        }
        if let (element, _) = open.last { throw error(element.offset, "<\(element.name)> is never ended") }
        guard let root else { throw error(file.bytes.count, "no element: the file is empty or cut off") }
        return root
    }

    /// What holds for every byte of the file, so that nothing later need ask again.
    private func checkBytes() throws(Diagnostic) {
        guard file.bytes.count <= limits.bytes else {
            throw error(0, "the file is larger than \(limits.bytes >> 20) MiB")
        }
        if file.bytes.starts(with: [0xFE, 0xFF]) || file.bytes.starts(with: [0xFF, 0xFE]) {
            throw error(0, "the file is UTF-16; it must be UTF-8")
        }
        let repaired = Array(String(decoding: file.bytes, as: UTF8.self).utf8)
        if repaired != file.bytes {
            let offset = zip(repaired, file.bytes).enumerated().first { $0.element.0 != $0.element.1 }?.offset
            throw error(offset ?? min(repaired.count, file.bytes.count), "the bytes here are not UTF-8")
        }
        if let control = file.bytes.firstIndex(where: { $0 < 0x20 && !isSpace($0) }) {
            throw error(control, "control character \(file.bytes[control]) is not allowed")
        }
    }

    /// `<!DOCTYPE ...>` with its internal subset: not read, since nothing in it means anything here.
    private mutating func skipDeclaration(from start: Int) throws(Diagnostic) {
        var brackets = 0
        while index < file.bytes.count {
            let place = index
            let byte = file.bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard let end = file.bytes[index...].firstIndex(of: byte) else {
                    throw error(place, "the quote in this declaration is never closed")
                }
                index = end + 1
            case UInt8(ascii: "["): brackets += 1
            case UInt8(ascii: "]"): brackets -= 1
            case UInt8(ascii: "<"):
                if skip("!--") { try skipPast("-->", what: "comment", from: place) }
            case UInt8(ascii: ">"):
                if brackets <= 0 { return }
            default: break
            }
        }
        throw error(start, "the declaration is never ended")
    }

    // MARK: Tags

    private mutating func startTag(from start: Int) throws(Diagnostic) -> (XMLElement, isEmpty: Bool) {
        elementCount += 1
        guard elementCount <= limits.elements else { throw error(start, "more than \(limits.elements) elements") }
        let name = try readName("the name of an element")
        var attributes: [XMLElement.Attribute] = []
        while true {
            let hadSpace = skipSpace()
            let place = index
            if skip("/>") { return (XMLElement(name: name, attributes: attributes, offset: start), true) }
            if skip(">") { return (XMLElement(name: name, attributes: attributes, offset: start), false) }
            guard index < file.bytes.count else { throw error(start, "the tag <\(name)> is never closed") }
            guard hadSpace else { throw error(place, "a space, '>' or '/>' expected in the tag <\(name)>") }
            let attribute = try readAttribute(of: name)
            guard !attributes.contains(where: { $0.name == attribute.name }) else {
                throw error(place, "attribute '\(attribute.name)' of <\(name)> is given twice")
            }
            guard attributes.count < limits.attributes else {
                throw error(place, "<\(name)> has more than \(limits.attributes) attributes")
            }
            attributes.append(attribute)
        }
    }

    private mutating func readAttribute(of element: String) throws(Diagnostic) -> XMLElement.Attribute {
        let place = index
        let name = try readName("an attribute of <\(element)>")
        skipSpace()
        guard skip("=") else { throw error(index, "'=' expected after attribute '\(name)'") }
        skipSpace()
        guard index < file.bytes.count,
            file.bytes[index] == UInt8(ascii: "\"") || file.bytes[index] == UInt8(ascii: "'")
        else { throw error(index, "the value of attribute '\(name)' must be in quotes") }
        let quote = file.bytes[index]
        index += 1
        let valueStart = index
        var value: [UInt8] = []
        while index < file.bytes.count, file.bytes[index] != quote {
            switch file.bytes[index] {
            case UInt8(ascii: "<"): throw error(index, "'<' in the value of attribute '\(name)': write &lt;")
            case UInt8(ascii: "&"): try readReference(&value)
            case let byte:
                // XML turns every white space in a value into a space, CR LF into one.
                if !(byte == UInt8(ascii: "\n") && file.bytes[index - 1] == UInt8(ascii: "\r")) {
                    value.append(isSpace(byte) ? UInt8(ascii: " ") : byte)
                }
                index += 1
            }
        }
        guard index < file.bytes.count else {
            throw error(valueStart - 1, "the value of attribute '\(name)' is never closed")
        }
        index += 1
        return XMLElement.Attribute(
            name: name, value: String(decoding: value, as: UTF8.self), offset: place, valueOffset: valueStart)
    }

    private mutating func readName(_ what: String) throws(Diagnostic) -> String {
        let start = index
        while index < file.bytes.count, isNameByte(file.bytes[index], first: index == start) { index += 1 }
        guard index > start else { throw error(start, "\(what) expected") }
        guard index - start <= limits.nameBytes else {
            throw error(start, "a name is longer than \(limits.nameBytes) bytes")
        }
        return String(decoding: file.bytes[start..<index], as: UTF8.self)
    }
}
