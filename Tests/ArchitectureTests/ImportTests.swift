import Foundation
import Testing

/// Keeps the modules' dependencies pointing one way, by reading the import lines of Sources/.
@Suite struct ImportTests {
    /// Who may import whom. A module that is not listed fails the test: the table is the README's map.
    static let allowed: [String: Set<String>] = [
        "WaylandXML": ["Glibc"],
        "wayland-bindgen": ["WaylandXML", "Glibc"],
        "WaylandBindingsPlugin": ["PackagePlugin", "Foundation"],
        "WaylandClient": ["CWaylandClient", "CLibc", "CLinuxShims"],
        "WaylandProtocols": ["WaylandClient"],
        "WaylandServer": ["WaylandClient", "CWaylandClient", "CWaylandServer", "CLibc", "CLinuxShims"],
        "WaylandServerProtocols": ["WaylandClient", "WaylandProtocols", "WaylandServer"],
        "EventLoop": ["CLibc", "CLinuxShims"],
        "Pixman": ["CPixman"],
        "Gestures": [],
        "Ripples": ["Gestures"],
        "Inspection": ["Gestures", "Ripples"],
        "Recording": ["Gestures", "CYaml", "CZlib", "CLzma", "CZstd"],
        "Presentation": [
            "WaylandClient", "WaylandProtocols", "Pixman", "Ripples", "Gestures", "CFcft", "CLibc", "CLinuxShims",
        ],
        "Input": [
            "WaylandClient", "WaylandProtocols", "Gestures", "CXKBCommon", "CWaylandCursor", "CLibc", "CLinuxShims",
        ],
        "TouchDevices": ["Gestures", "CLibinput", "CUdev", "CLibc", "CLinuxShims"],
        "FingerWaveKit": [
            "WaylandClient", "WaylandProtocols", "EventLoop", "Gestures", "Ripples", "Inspection", "Presentation",
            "Input", "TouchDevices", "WireProxy", "Recording", "CLibc", "CLinuxShims", "CInih",
        ],
        "WireTables": [],
        "WireProxy": [
            "WireTables", "Gestures", "Ripples", "Inspection", "Presentation", "Pixman", "Input", "CLibc",
            "CLinuxShims",
        ],
        "TouchStage": [
            "WaylandClient", "WaylandProtocols", "WaylandServer", "WaylandServerProtocols", "CPNG", "CPixman",
            "CXKBCommon", "CLibc", "CLinuxShims",
        ],
        "fingerwave": ["FingerWaveKit", "CLibc"],
        "touch-stage": ["TouchStage", "WaylandProtocols", "WaylandServer", "EventLoop", "CLibc", "CLinuxShims"],
        "fingerwave-bench": [
            "WaylandClient", "WaylandProtocols", "Presentation", "Pixman", "Ripples", "Gestures", "CBench", "Glibc",
            "FoundationEssentials",
        ],
    ]

    /// What the panel program is made of: the Embedded subset has neither Foundation nor Glibc.
    static let panelModules = [
        "WaylandClient", "WaylandProtocols", "EventLoop", "Pixman", "Gestures", "Ripples", "Inspection",
        "Recording", "Presentation", "Input", "TouchDevices", "WireTables", "WireProxy", "FingerWaveKit", "fingerwave",
    ]

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func swiftFiles(of module: String) -> [URL] {
        let folder = root.appendingPathComponent("Sources/\(module)")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
    }

    /// The modules that a file imports, whatever stands before and after the word.
    static func imports(of source: String) -> [String] {
        source.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard let place = words.firstIndex(of: "import"), place + 1 < words.count else { return nil }
            let before: Set<Substring> = ["public", "package", "internal", "private", "@testable", "@preconcurrency"]
            guard words[..<place].allSatisfy(before.contains) else { return nil }
            let kinds: Set<Substring> = ["struct", "class", "enum", "func", "protocol", "var", "let", "typealias"]
            let name = kinds.contains(words[place + 1]) && place + 2 < words.count ? words[place + 2] : words[place + 1]
            return String(name.split(separator: ".")[0])
        }
    }

    @Test func readsImportLines() {
        let source = "internal import A\n// import B\nimport struct C.D\n    import E\nlet x = \"import F\"\n"
        #expect(ImportTests.imports(of: source) == ["A", "C", "E"])
    }

    @Test func everyModuleOfSwiftSourcesIsInTheTable() throws {
        let sources = ImportTests.root.appendingPathComponent("Sources")
        for folder in try FileManager.default.contentsOfDirectory(atPath: sources.path) {
            guard !ImportTests.swiftFiles(of: folder).isEmpty else { continue }
            #expect(ImportTests.allowed[folder] != nil, "Sources/\(folder) is missing in the table")
        }
    }

    @Test(arguments: Array(allowed.keys).sorted())
    func importsOnlyWhatTheTableAllows(module: String) throws {
        let files = ImportTests.swiftFiles(of: module)
        #expect(!files.isEmpty || module == "WaylandServerProtocols", "no sources in Sources/\(module)")
        for file in files {
            for imported in ImportTests.imports(of: try String(contentsOf: file, encoding: .utf8)) {
                #expect(
                    ImportTests.allowed[module]!.contains(imported),
                    "\(module)/\(file.lastPathComponent) imports \(imported)")
            }
        }
    }

    @Test(arguments: panelModules)
    func panelModulesStayClearOfTheBigRuntimes(module: String) throws {
        for file in ImportTests.swiftFiles(of: module) {
            let imports = ImportTests.imports(of: try String(contentsOf: file, encoding: .utf8))
            for banned in ["Foundation", "FoundationEssentials", "Glibc", "Dispatch"] {
                #expect(!imports.contains(banned), "\(module)/\(file.lastPathComponent) imports \(banned)")
            }
        }
    }

    @Test func theTableHasNoCycle() {
        var done: Set<String> = []
        func visit(_ module: String, _ path: [String]) {
            guard !done.contains(module), let next = ImportTests.allowed[module] else { return }
            #expect(!path.contains(module), "\(path.joined(separator: " -> ")) -> \(module)")
            guard !path.contains(module) else { return }
            for other in next { visit(other, path + [module]) }
            done.insert(module)
        }
        for module in ImportTests.allowed.keys { visit(module, []) }
    }

    @Test func theTopHoldsWhatBelongsThereAndNothingElse() throws {
        let allowed: Set<String> = ["Package.swift", "Sources", "Tests", "protocols", "meson-helpers", "README.md"]
        let made: Set<String> = ["demo.png"]
        for name in try FileManager.default.contentsOfDirectory(atPath: ImportTests.root.path)
        where !name.hasPrefix(".") && !made.contains(name) {
            #expect(allowed.contains(name), "\(name) stands at the top")
        }
    }
}
