/// A file that is read, as bytes: the one thing that every position in it refers to.
package struct SourceFile: Sendable {
    /// As errors name it.
    package let path: String
    package let bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    /// The path without folders and without `.xml`.
    package var baseName: String {
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) } ?? ""
        return name.hasSuffix(".xml") ? String(name.dropLast(4)) : name
    }

    /// Line and column of a byte, both from 1. Columns count bytes, as compilers do; a byte order mark takes none.
    package func place(of offset: Int) -> (line: Int, column: Int) {
        var line = 1
        var start = bytes.starts(with: XMLReader.byteOrderMark) ? XMLReader.byteOrderMark.count : 0
        let end = min(offset, bytes.count)
        var index = start
        while index < end {
            let isLoneReturn =
                bytes[index] == UInt8(ascii: "\r")
                && !(index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\n"))
            if bytes[index] == UInt8(ascii: "\n") || isLoneReturn {
                line += 1
                start = index + 1
            }
            index += 1
        }
        return (line, max(end - start, 0) + 1)
    }

    /// What `message` quotes of the file is made fit for a terminal, and cut when it is very long.
    package func error(_ offset: Int, _ message: String) -> Diagnostic {
        let (line, column) = place(of: offset)
        var clean = Documentation.lines(message).joined(separator: " ")
        if clean.utf8.count > 400 { clean = String(clean.prefix(200)) + "..." }
        return Diagnostic(path: path, line: line, column: column, message: clean)
    }
}

/// What is wrong with a file, and where.
package struct Diagnostic: Error, Equatable, Sendable, CustomStringConvertible {
    package let path: String
    package let line: Int
    package let column: Int
    package let message: String

    /// In the form that editors and build systems turn into a link.
    package var description: String { "\(path):\(line):\(column): error: \(message)" }
}
