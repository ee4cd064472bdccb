/// Writes what a program must know that passes on the messages of any interface: where the ids are, and how many
/// descriptors come with each message. Nothing else of a protocol matters to it.
package enum WireEmitter {
    /// What is read, and what of it gets a name of its own.
    package struct Input: Sendable {
        /// Each must be right.
        package var required: [SourceFile]
        /// Files of the machine: what is wrong with one is no error, and its interfaces are left out.
        package var optional: [SourceFile]
        /// `interface.message`, for each message that somebody looks into.
        package var watched: [String]
        package var limits = XMLLimits()

        package init(required: [SourceFile], optional: [SourceFile] = [], watched: [String] = []) {
            self.required = required
            self.optional = optional
            self.watched = watched
        }
    }

    /// One Swift file, `WireData.swift`. Of two files with the same interface the newer version is taken.
    package static func generate(_ input: Input) throws(Bindgen.Failure) -> Bindgen.Output {
        var interfaces: [String: ProtocolInterface] = [:]
        var diagnostics: [Diagnostic] = []
        func add(_ file: ProtocolFile) {
            for interface in file.interfaces {
                if let other = interfaces[interface.name], other.version >= interface.version { continue }
                interfaces[interface.name] = interface
            }
        }
        for source in input.required {
            let (file, problems) = ProtocolParser.parse(source, limits: input.limits)
            diagnostics += problems
            if let file { add(file) }
        }
        guard diagnostics.isEmpty else { throw Bindgen.Failure(diagnostics: diagnostics) }
        for source in input.optional {
            let (file, problems) = ProtocolParser.parse(source, limits: input.limits)
            if problems.isEmpty, let file { add(file) }
        }
        removeUnresolved(from: &interfaces)
        let table = WireTable(interfaces.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
        let watched = try resolve(input.watched, in: table)
        return Bindgen.Output(name: "WireData.swift", text: table.text(watched))
    }

    /// An interface whose messages make objects of an unknown kind cannot be passed on: what comes to those objects would
    /// not be understood. Leaves none that refers to what is not there.
    private static func removeUnresolved(from interfaces: inout [String: ProtocolInterface]) {
        while true {
            let unresolved = interfaces.values.filter { interface in
                (interface.requests + interface.events).contains { message in
                    message.arguments.contains { argument in
                        guard argument.kind == .newID, let target = argument.interface else { return false }
                        return interfaces[target.name] == nil
                    }
                }
            }
            if unresolved.isEmpty { return }
            for interface in unresolved { interfaces[interface.name] = nil }
        }
    }

    private static func resolve(_ names: [String], in table: WireTable) throws(Bindgen.Failure) -> [WatchedMessage] {
        var watched: [WatchedMessage] = []
        for name in names {
            let places = table.places(of: name)
            guard places.count == 1, let place = places.first else {
                let what = places.isEmpty ? "no message is named" : "a request and an event are both named"
                throw Bindgen.Failure(
                    diagnostics: [Diagnostic(path: "watch", line: 1, column: 1, message: "\(what) '\(name)'")])
            }
            let words = name.split { $0 == "." || $0 == "_" }.joined(separator: "_")
            watched.append(WatchedMessage(name: SwiftName.member(words), place: place))
        }
        return watched
    }
}

/// A message that gets a name of its own.
struct WatchedMessage {
    var name: String
    /// Its index among all messages.
    var place: Int
}

/// All messages of all interfaces in one row: an interface's requests, then its events, then the next interface's.
struct WireTable {
    private struct Message {
        var name: String
        var arguments: [UInt16]
        var descriptors: Int
    }

    private let interfaces: [ProtocolInterface]
    private var messages: [Message] = []

    init(_ interfaces: [ProtocolInterface]) {
        self.interfaces = interfaces
        let numbers = Dictionary(uniqueKeysWithValues: interfaces.enumerated().map { ($0.element.name, $0.offset) })
        for interface in interfaces {
            for message in interface.requests + interface.events {
                messages.append(
                    Message(
                        name: "\(interface.name).\(message.name)",
                        arguments: message.arguments.flatMap { WireTable.codes($0, numbers) },
                        descriptors: message.arguments.filter { $0.kind == .fd }.count))
            }
        }
    }

    /// The indices of the messages of this name: at most a request and an event.
    func places(of name: String) -> [Int] { messages.indices.filter { messages[$0].name == name } }

    /// One code for each 32-bit word or each string or array on the wire; descriptors are not among the bytes.
    private static func codes(_ argument: ProtocolArgument, _ numbers: [String: Int]) -> [UInt16] {
        switch argument.kind {
        case .int, .uint, .fixed: [0]
        case .string: [1]
        case .array: [2]
        case .object: [3]
        case .newID:
            if let target = argument.interface, let number = numbers[target.name] {
                [UInt16(4 + number * 8)]
            } else {
                // The kind of object comes first: a name and a version.
                [1, 0, 5]
            }
        case .fd: []
        }
    }

    func text(_ watched: [WatchedMessage]) -> String {
        let writer = SourceWriter()
        writer.line("// Generated by wayland-bindgen. Do not edit.")
        writer.blank()
        writer.line("/// The messages that somebody looks into; all others are passed on unread.")
        writer.block("package enum WatchedMessage: UInt8, Sendable") {
            writer.line("case none")
            for message in watched { writer.line("case \(message.name)") }
        }
        writer.blank()
        writer.line("/// See WireTables.")
        writer.block("enum WireData") {
            row("names", "StaticString", interfaces.map { "\"\($0.name)\"" }, writer)
            row("versions", "UInt8", interfaces.map { String(min($0.version, 255)) }, writer)
            var first = 0
            var starts: [String] = []
            for interface in interfaces {
                starts.append(String(first))
                first += interface.requests.count + interface.events.count
            }
            row("firstMessages", "UInt16", starts + [String(first)], writer)
            row("requestCounts", "UInt8", interfaces.map { String($0.requests.count) }, writer)
            var argument = 0
            var argumentStarts: [String] = []
            for message in messages {
                argumentStarts.append(String(argument))
                argument += message.arguments.count
            }
            row("argumentStarts", "UInt16", argumentStarts + [String(argument)], writer)
            row("arguments", "UInt16", messages.flatMap { $0.arguments.map { String($0) } }, writer)
            row("descriptorCounts", "UInt8", messages.map { String($0.descriptors) }, writer)
            var marks = [String](repeating: "0", count: messages.count)
            for (number, message) in watched.enumerated() { marks[message.place] = String(number + 1) }
            row("watched", "UInt8", marks, writer)
        }
        return writer.text
    }

    /// An array, as many elements to a line as fit.
    private func row(_ name: String, _ type: String, _ elements: [String], _ writer: SourceWriter) {
        writer.line("static let \(name): [\(type)] = [")
        writer.indented {
            var line = ""
            for element in elements {
                if !line.isEmpty, line.utf8.count + element.utf8.count + 10 > SourceWriter.width {
                    writer.line(line)
                    line = ""
                }
                line += line.isEmpty ? element + "," : " " + element + ","
            }
            writer.line(line)
        }
        writer.line("]")
    }
}
