internal import CLibc

#if INIH
    /// Reads a configuration file and what it includes, to the end, whatever is wrong in between.
    struct ConfigurationReader {
        /// One key with its value.
        struct Entry {
            /// The profile; empty for what always applies.
            var section: String
            var option: ParsedOption
        }

        /// In the order in which they count: a later one wins.
        private(set) var entries: [Entry] = []
        /// In the order of their first lines.
        private(set) var profiles: [String] = []
        /// `profile = NAME`, the last one.
        private(set) var chosenProfile: ParsedOption?
        /// All that were read.
        private(set) var files: [String] = []
        private(set) var problems: [Failure] = []

        private let environment: Environment
        /// From the outermost file to the one being read.
        private var open: [TextFile.Identity] = []

        /// How deep files may include one another.
        static let deepest = 8
        /// How many files are read in all.
        static let mostFiles = 64
        /// No more is said about one configuration: a file that is something else would fill the screen.
        static let mostProblems = 20
        /// libinih cuts longer names of sections.
        private static let longestSection = 48

        init(environment: Environment) { self.environment = environment }

        private var isFull: Bool { problems.count >= ConfigurationReader.mostProblems }

        /// Reads the file of this path.
        mutating func read(path: String) throws(TextFile.Problem) {
            let file = try TextFile(path: path)
            files.append(path)
            open.append(file.identity)
            read(file.bytes, path: path)
            open.removeLast()
        }

        /// Reads text as if it stood in the file of this path.
        mutating func read(_ bytes: [UInt8], path: String) {
            var rest = bytes[...]
            if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
            if rest.contains(0) {
                problems.append(.inFile(path, nil, "it is no text", remedy: "name another file"))
                return
            }
            var section = ""
            var number = 0
            while !rest.isEmpty, !isFull {
                let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
                var line = rest[..<end]
                rest = rest[end...].dropFirst()
                number += 1
                if line.last == 0x0D { line = line.dropLast() }
                read(line, &section, path, number)
            }
        }

        private mutating func read(_ line: ArraySlice<UInt8>, _ section: inout String, _ path: String, _ number: Int) {
            guard ConfigurationReader.isText(line) else {
                report(path, number, "the line is no UTF-8 text", remedy: "write it anew")
                return
            }
            switch IniLine(line) {
            case .nothing: break
            case .tooLong(let limit):
                report(path, number, "the line is too long", remedy: "keep it within \(limit) bytes")
            case .broken:
                let isSection = line.first { $0 != 0x20 && $0 != 0x09 } == UInt8(ascii: "[")
                report(
                    path, number, isSection ? "a section's name ends with ]" : "the line is no KEY = VALUE",
                    remedy: isSection ? "write [NAME]" : "write a flag as NAME = yes, a comment behind ;")
            case .section(let name):
                section = name
                enter(name, line, path, number)
            case .entry(let key, let value):
                take(ParsedOption(key, value, from: .file(path: path, line: number)), section, path, number)
            }
        }

        private mutating func enter(_ name: String, _ line: ArraySlice<UInt8>, _ path: String, _ number: Int) {
            let behind = line[line.firstIndex(of: UInt8(ascii: "]"))!...].dropFirst()
            let first = behind.first { $0 != 0x20 && $0 != 0x09 }
            if name.isEmpty {
                report(path, number, "the section has no name", remedy: "write [NAME]")
            } else if name.utf8.count > ConfigurationReader.longestSection {
                report(
                    path, number, "the section's name is too long",
                    remedy: "keep it within \(ConfigurationReader.longestSection) bytes")
            } else if let first, first != UInt8(ascii: ";"), first != UInt8(ascii: "#") {
                report(path, number, "something stands behind the section's ]", remedy: "put it on a line of its own")
            } else if !profiles.contains(name) {
                profiles.append(name)
            }
        }

        private mutating func take(_ option: ParsedOption, _ section: String, _ path: String, _ number: Int) {
            switch option.name {
            case "include" where section.isEmpty: include(option.value, path, number)
            case "profile" where section.isEmpty: chosenProfile = option.value.isEmpty ? nil : option
            case "include", "profile":
                report(
                    path, number, "\(option.name) cannot stand in a section", remedy: "put it before the first section")
            default: entries.append(Entry(section: section, option: option))
            }
        }

        private mutating func include(_ written: String, _ path: String, _ number: Int) {
            guard !written.isEmpty else {
                report(path, number, "include names no file", remedy: "write include = FILE")
                return
            }
            let included = environment.resolve(written, in: Environment.folder(of: path))
            guard open.count < ConfigurationReader.deepest else {
                report(
                    path, number, "\(included) is included too deep",
                    remedy: "at most \(ConfigurationReader.deepest) files may include one another")
                return
            }
            guard files.count < ConfigurationReader.mostFiles else {
                report(
                    path, number, "\(included) is one file too many",
                    remedy: "at most \(ConfigurationReader.mostFiles) are read")
                return
            }
            do throws(TextFile.Problem) {
                let file = try TextFile(path: included)
                guard !open.contains(file.identity) else {
                    report(path, number, "\(included) includes itself", remedy: "take this line out")
                    return
                }
                files.append(included)
                open.append(file.identity)
                read(file.bytes, path: included)
                open.removeLast()
            } catch {
                report(path, number, "cannot read \(included): \(error.text)", remedy: "correct the path or the file")
            }
        }

        private mutating func report(_ path: String, _ line: Int, _ what: String, remedy: String) {
            guard !isFull else { return }
            problems.append(.inFile(path, line, what, remedy: remedy))
        }

        /// Valid UTF-8 without control characters but tabs.
        private static func isText(_ line: ArraySlice<UInt8>) -> Bool {
            if line.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }) { return false }
            if line.allSatisfy({ $0 < 0x80 }) { return true }
            return String(decoding: line, as: UTF8.self).utf8.elementsEqual(line)
        }
    }
#endif

extension TextFile.Problem {
    var text: String {
        switch self {
        case .missing: errorText(ENOENT)
        case .hidden: errorText(EACCES)
        case .unreadable(let why): why
        }
    }
}

extension Failure {
    /// Something is wrong in a configuration file.
    static func inFile(_ path: String, _ line: Int?, _ what: String, remedy: String) -> Failure {
        Failure(line.map { "\(path):\($0)" } ?? path, why: what, remedy: remedy, code: .badInput)
    }
}
