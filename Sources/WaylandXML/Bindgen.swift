/// From XML to Swift: what the command line tool and the tests call.
package enum Bindgen {
    package enum Side: String, CaseIterable, Sendable {
        case client, server
    }

    package struct Options: Sendable {
        package var side: Side
        /// Modules that the generated files import besides the runtime's.
        package var imports: [Import]
        /// Whether names that nothing defines are taken to come from `imports`.
        package var hasExterns: Bool
        package var limits = XMLLimits()

        package init(side: Side, imports: [Import] = [], hasExterns: Bool = false) {
            self.side = side
            self.imports = imports
            self.hasExterns = hasExterns
        }
    }

    package struct Import: Sendable {
        package var module: String
        /// The XML that the module was generated from, and for which side, when the caller knows.
        package var known: [(side: Side, source: SourceFile)]

        package init(_ module: String, known: [(side: Side, source: SourceFile)] = []) {
            self.module = module
            self.known = known
        }
    }

    package struct Output: Equatable, Sendable {
        /// Without a folder, such as `XdgShell.swift`.
        package let name: String
        package let text: String
    }

    /// All that is wrong with the input, in the order of the files and of their lines.
    package struct Failure: Error, Sendable {
        package let diagnostics: [Diagnostic]
    }

    /// One Swift file for each source, or none at all.
    package static func generate(_ sources: [SourceFile], _ options: Options) throws(Failure) -> [Output] {
        let universe = try check(sources, options)
        return universe.files.indices.map { number in
            Output(
                name: SwiftName.file(universe.files[number].source.baseName) + ".swift",
                text: Emitter(universe, file: number, options).emit())
        }
    }

    /// The protocols, once nothing is wrong with them.
    @discardableResult
    package static func check(_ sources: [SourceFile], _ options: Options) throws(Failure) -> Universe {
        var files: [ProtocolFile] = []
        var imports: [ImportedModule] = []
        var diagnostics: [Diagnostic] = []

        func parse(_ source: SourceFile) -> ProtocolFile? {
            let (file, problems) = ProtocolParser.parse(source, limits: options.limits)
            diagnostics += problems
            return file
        }

        for source in sources {
            if let file = parse(source) { files.append(file) }
        }
        for entry in options.imports {
            var module = ImportedModule(entry.module)
            for (side, source) in entry.known {
                if let file = parse(source) { module.add(file, side) }
            }
            imports.append(module)
        }
        // References into a file that could not be read would only be said to be missing.
        if diagnostics.isEmpty {
            let universe = Universe(files, imports: imports, hasExterns: options.hasExterns)
            diagnostics = universe.check()
            if diagnostics.isEmpty { return universe }
        }
        let order = Dictionary(sources.enumerated().map { ($0.element.path, $0.offset) }) { first, _ in first }
        diagnostics.sort { a, b in
            (order[a.path] ?? .max, a.line, a.column) < (order[b.path] ?? .max, b.line, b.column)
        }
        throw Failure(diagnostics: diagnostics)
    }
}
