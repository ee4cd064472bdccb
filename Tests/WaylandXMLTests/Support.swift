import Foundation

@testable import WaylandXML

/// Where things are, from this file's own place.
enum Project {
    static let tests = URL(filePath: #filePath).deletingLastPathComponent()
    static let fixtures = tests.appending(path: "Fixtures")
    static let protocols = tests.deletingLastPathComponent().deletingLastPathComponent().appending(path: "protocols")

    /// The files from which bindings are made: those in `protocols` itself, not in a folder below it.
    static let boundProtocols = xml(in: protocols).filter {
        $0.deletingLastPathComponent().lastPathComponent == protocols.lastPathComponent
    }

    /// Set to 1 to write golden files and expected errors anew instead of comparing with them.
    static let isUpdating = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"

    /// The XML files in a folder, by name; empty when there is no such folder.
    static func xml(in folder: URL) -> [URL] {
        let all =
            FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? []
        return all.filter { $0.pathExtension == "xml" }.sorted { $0.path < $1.path }
    }
}

extension SourceFile {
    /// A file under its bare name, so that messages do not depend on where the project is.
    static func load(_ url: URL) throws -> SourceFile {
        SourceFile(path: url.lastPathComponent, bytes: Array(try Data(contentsOf: url)))
    }

    init(_ text: String) { self.init(path: "test.xml", bytes: Array(text.utf8)) }
}

/// The protocol in a file, which must be right.
func parse(_ url: URL) throws -> ProtocolFile {
    let (file, diagnostics) = ProtocolParser.parse(try SourceFile.load(url))
    guard let file, diagnostics.isEmpty else { throw Bindgen.Failure(diagnostics: diagnostics) }
    return file
}

/// What is wrong with a text, each as `line:column: message`.
func errors(in text: String, options: Bindgen.Options = Bindgen.Options(side: .client)) -> [String] {
    do throws(Bindgen.Failure) {
        try Bindgen.check([SourceFile(text)], options)
        return []
    } catch {
        return error.diagnostics.map { "\($0.line):\($0.column): \($0.message)" }
    }
}

/// A protocol around one interface's content, for texts in tests.
func protocolText(_ content: String, version: Int = 1) -> String {
    "<protocol name=\"p\"><interface name=\"p_one\" version=\"\(version)\">\(content)</interface></protocol>"
}
