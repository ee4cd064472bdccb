// swift-tools-version: 6.2
import Foundation
import PackageDescription

// FINGERWAVE_PANEL=1 builds the panel program in Embedded Swift mode: a small binary with no Swift runtime beside it.
let panel = Context.environment["FINGERWAVE_PANEL"] == "1"
let embeddedTriple = Context.environment["FINGERWAVE_PANEL_TRIPLE"] ?? "x86_64-unknown-linux-gnu"

/// Settings of everything that a user runs or links.
let common: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Libraries that a panel may lack. FINGERWAVE_WITHOUT="fcft inih" leaves them out; the panel build has none of them unless
/// FINGERWAVE_WITH names it.
func has(_ library: String) -> Bool {
    words(panel ? "FINGERWAVE_WITH" : "FINGERWAVE_WITHOUT").contains(library) == panel
}

func words(_ variable: String) -> [String] {
    (Context.environment[variable] ?? "").split(separator: " ").map(String.init)
}

let fcft = has("fcft")
let inih = has("inih")
let yaml = has("yaml")
let zlib = has("zlib")
let lzma = has("lzma")
let zstd = has("zstd")
let png = has("png")
let webp = has("webp")
/// On every panel with a compositor, so the panel build has it too; FINGERWAVE_WITHOUT leaves it out of either.
let libinput = !words("FINGERWAVE_WITHOUT").contains("libinput")
/// What the code of such a build asks with `#if`.
let definitions: [SwiftSetting] =
    (fcft ? [.define("FCFT")] : []) + (inih ? [.define("INIH")] : []) + (yaml ? [.define("YAML")] : [])
    + (libinput ? [.define("LIBINPUT")] : []) + (zlib ? [.define("ZLIB")] : []) + (lzma ? [.define("LZMA")] : [])
    + (zstd ? [.define("ZSTD")] : []) + (png ? [.define("PNG")] : []) + (webp ? [.define("WEBP")] : [])

// FINGERWAVE_FUZZ=1 builds what libFuzzer drives, and everything in it so that it learns where the input led: see
// meson-helpers/fuzz.
let fuzzing = Context.environment["FINGERWAVE_FUZZ"] == "1"

/// Modules of the panel program keep inside the Embedded subset; `panel` holds them to it.
let product: [SwiftSetting] =
    common
    + (panel
        ? [
            .enableExperimentalFeature("Embedded"),
            .unsafeFlags(["-wmo", "-Osize", "-Xfrontend", "-function-sections"]),
        ] : [.define("WAYLAND_CURSOR")])
    + (fuzzing ? [.unsafeFlags(["-sanitize=fuzzer,address"])] : [])
    + definitions

/// `#expect` on raw pointers does not compile under strict memory safety, so tests go without it.
let tests: [SwiftSetting] = [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny")] + definitions

/// - Parameter isFast: built for speed also where all else is built for size.
func module(
    _ name: String, _ dependencies: [Target.Dependency] = [], generated: Bool = false, isFast: Bool = false
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(name)",
        exclude: generated ? ["bindings.list"] : [],
        swiftSettings: product + (panel && isFast ? [.unsafeFlags(["-O"])] : []),
        plugins: generated ? ["WaylandBindingsPlugin"] : [])
}

func hostModule(_ name: String, _ dependencies: [Target.Dependency] = [], generated: Bool = false) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(name)",
        exclude: generated ? ["bindings.list"] : [], swiftSettings: common,
        plugins: generated ? ["WaylandBindingsPlugin"] : [])
}

func system(_ name: String, pkgConfig: String? = nil, apt: String) -> Target {
    .systemLibrary(name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

func test(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], plugins: [Target.PluginUsage] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/\(name)", exclude: exclude, swiftSettings: tests,
        plugins: plugins)
}

let cursor: [Target.Dependency] = panel ? [] : ["CWaylandCursor"]

let package = Package(
    name: "FingerWave",
    products: [
        .executable(name: "fingerwave", targets: ["fingerwave"]),
        .executable(name: "touch-stage", targets: ["touch-stage"]),
        .executable(name: "wayland-bindgen", targets: ["wayland-bindgen"]),
        .plugin(name: "WaylandBindingsPlugin", targets: ["WaylandBindingsPlugin"]),
        .library(name: "WaylandClient", targets: ["WaylandClient", "WaylandProtocols"]),
        .library(name: "WaylandServer", targets: ["WaylandServer", "WaylandServerProtocols"]),
        .library(name: "Gestures", targets: ["Gestures"]),
        .library(name: "Ripples", targets: ["Ripples"]),
        .library(name: "TouchStage", targets: ["TouchStage"]),
    ],
    targets: [
        // C libraries: a module map and one header each.
        system("CLibc", apt: "libc6-dev"),
        system("CLinuxShims", apt: "libc6-dev"),
        system("CWaylandClient", pkgConfig: "wayland-client", apt: "libwayland-dev"),
        system("CWaylandServer", pkgConfig: "wayland-server", apt: "libwayland-dev"),
        system("CWaylandCursor", pkgConfig: "wayland-cursor", apt: "libwayland-dev"),
        system("CPixman", pkgConfig: "pixman-1", apt: "libpixman-1-dev"),
        system("CXKBCommon", pkgConfig: "xkbcommon", apt: "libxkbcommon-dev"),
        // fcft's own file names flags of libraries behind it that SwiftPM refuses; its header needs pixman's folder alone.
        system("CFcft", pkgConfig: "pixman-1", apt: "libfcft-dev"),
        system("CInih", pkgConfig: "inih", apt: "libinih-dev"),
        system("CYaml", pkgConfig: "yaml-0.1", apt: "libyaml-dev"),
        system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
        system("CLzma", pkgConfig: "liblzma", apt: "liblzma-dev"),
        system("CZstd", pkgConfig: "libzstd", apt: "libzstd-dev"),
        // libinput is loaded when it is needed: its own pkg-config file would link it.
        system("CLibinput", pkgConfig: "libudev", apt: "libinput-dev"),
        system("CUdev", pkgConfig: "libudev", apt: "libudev-dev"),
        system("CPNG", pkgConfig: "libpng", apt: "libpng-dev"),
        system("CWebP", pkgConfig: "libwebpmux", apt: "libwebp-dev"),
        system("CBench", pkgConfig: "wayland-client", apt: "libwayland-dev"),

        // The bindings: a host tool, its plugin, the runtime, what is generated.
        hostModule("WaylandXML"),
        .executableTarget(
            name: "wayland-bindgen", dependencies: ["WaylandXML"], path: "Sources/wayland-bindgen",
            swiftSettings: common),
        .plugin(
            name: "WaylandBindingsPlugin", capability: .buildTool(), dependencies: ["wayland-bindgen"],
            path: "Sources/WaylandBindingsPlugin"),
        module("WaylandClient", ["CWaylandClient", "CLibc", "CLinuxShims"]),
        module("WaylandProtocols", ["WaylandClient"], generated: true),
        hostModule("WaylandServer", ["WaylandClient", "CWaylandClient", "CWaylandServer", "CLibc", "CLinuxShims"]),
        hostModule("WaylandServerProtocols", ["WaylandClient", "WaylandServer", "WaylandProtocols"], generated: true),

        // The way of the data.
        module("EventLoop", ["CLibc", "CLinuxShims"], isFast: true),
        module("Pixman", ["CPixman"]),
        module("Gestures"),
        module("Ripples", ["Gestures"]),
        module("Inspection", ["Gestures", "Ripples"]),
        module(
            "Recording",
            ["Gestures"] + (yaml ? ["CYaml"] : []) + (zlib ? ["CZlib"] : []) + (lzma ? ["CLzma"] : [])
                + (zstd ? ["CZstd"] : [])),
        module(
            "TouchDevices",
            ["Gestures", "CLibc", "CLinuxShims"] + (libinput ? ["CLibinput", "CUdev"] : [])),
        module(
            "Presentation",
            ["WaylandClient", "WaylandProtocols", "Pixman", "Ripples", "Gestures", "CLinuxShims", "CLibc"]
                + (fcft ? ["CFcft"] : [])),
        module("PNGFiles", ["CPNG", "Pixman"]),
        module(
            "Rendering",
            ["Gestures", "Ripples", "Recording", "Pixman", "Presentation"] + (png ? ["PNGFiles"] : [])
                + (webp ? ["CWebP"] : [])),
        module(
            "Input", ["WaylandClient", "WaylandProtocols", "Gestures", "CXKBCommon", "CLinuxShims", "CLibc"] + cursor),
        module(
            "FingerWaveKit",
            [
                "WaylandClient", "WaylandProtocols", "EventLoop", "Gestures", "Ripples", "Inspection", "Presentation",
                "Input", "TouchDevices", "WireProxy", "Recording", "Rendering", "Pixman", "CLibc", "CLinuxShims",
            ] + (inih ? ["CInih"] : [])),
        module("WireTables", generated: true),
        module(
            "WireProxy",
            [
                "WireTables", "Gestures", "Ripples", "Inspection", "Presentation", "Pixman", "Input", "CLibc",
                "CLinuxShims",
            ], isFast: true),
        hostModule(
            "TouchStage",
            [
                "WaylandClient", "WaylandProtocols", "WaylandServer", "WaylandServerProtocols", "PNGFiles", "CPixman",
                "CXKBCommon", "CLibc", "CLinuxShims",
            ]),

        // The programs.
        .executableTarget(
            name: "fingerwave", dependencies: ["FingerWaveKit"], path: "Sources/fingerwave", swiftSettings: product,
            linkerSettings: panel
                ? [
                    .linkedLibrary("m"),
                    .unsafeFlags(["-Xlinker", "--gc-sections", "-Xlinker", "--icf=all", unicodeTables]),
                ]
                    // Module maps' link lines have no effect in Embedded mode, and no pkg-config file names it.
                    + (fcft ? [.linkedLibrary("fcft")] : []) : []),
        .executableTarget(
            name: "touch-stage",
            dependencies: ["TouchStage", "WaylandProtocols", "WaylandServer", "EventLoop", "CLibc", "CLinuxShims"],
            path: "Sources/touch-stage", swiftSettings: common),
        .executableTarget(
            name: "fingerwave-bench",
            dependencies: [
                "WaylandClient", "WaylandProtocols", "Presentation", "Pixman", "Ripples", "Gestures", "CBench",
            ],
            path: "Sources/fingerwave-bench", swiftSettings: common),

        test(
            "WaylandXMLTests",
            ["WaylandXML", "wayland-bindgen", "WaylandProtocols", "WaylandClient", "CWaylandClient"],
            exclude: ["Fixtures"]),
        test(
            "WaylandClientTests",
            [
                "WaylandClient", "WaylandProtocols", "TouchStage", "WaylandServer", "WaylandServerProtocols",
                "CWaylandClient", "CLibc", "CLinuxShims",
            ]),
        test("GesturesTests", ["Gestures"]),
        test("RipplesTests", ["Ripples", "Gestures"]),
        test("InspectionTests", ["Inspection", "Ripples", "Gestures"]),
        test("TouchDevicesTests", ["TouchDevices", "Gestures", "CLibc"]),
        test("RecordingTests", ["Recording", "Gestures"]),
        test(
            "RenderingTests",
            ["Rendering", "PNGFiles", "Pixman", "Ripples", "Gestures", "FingerWaveKit", "TouchStage", "CLibc"],
            exclude: ["Golden"]),
        test("EventLoopTests", ["EventLoop", "CLibc", "CLinuxShims"]),
        test(
            "InputTests",
            [
                "Input", "Gestures", "WaylandServer", "WaylandServerProtocols", "WaylandClient",
                "WaylandProtocols", "CXKBCommon", "CLinuxShims", "CLibc",
            ]),
        test(
            "PresentationTests",
            [
                "Presentation", "Pixman", "Ripples", "Gestures", "TouchStage", "WaylandClient", "WaylandProtocols",
                "CLibc",
            ],
            exclude: ["Golden"]),
        test(
            "TouchStageTests",
            [
                "TouchStage", "touch-stage", "WaylandClient", "WaylandProtocols", "WaylandServer",
                "WaylandServerProtocols", "CLibc", "CLinuxShims",
            ]),
        test(
            "FingerWaveKitTests",
            [
                "FingerWaveKit", "fingerwave", "EventLoop", "WireProxy", "Recording", "TouchDevices", "Ripples",
                "CLibc",
                "CLinuxShims", "Gestures", "TouchStage", "WaylandClient", "WaylandProtocols",
            ]),
        test(
            "WireProxyTests",
            [
                "WireProxy", "WireTables", "WaylandXML", "TouchStage", "WaylandClient", "WaylandProtocols", "Gestures",
                "Ripples", "Inspection", "Input", "Pixman", "CLibc", "CLinuxShims",
            ]),
        test("ArchitectureTests", []),
    ],
    swiftLanguageModes: [.v6]
)

if fuzzing {
    package.targets.append(
        .executableTarget(
            name: "fuzz-wire", dependencies: ["WireProxy", "Gestures", "Ripples", "CLibc", "CLinuxShims"],
            path: "Tests/Fuzz/wire", swiftSettings: product + [.unsafeFlags(["-parse-as-library"])],
            // libFuzzer's own main would be a second one beside SwiftPM's.
            linkerSettings: [
                .unsafeFlags([
                    "-sanitize=address", inToolchain("swift/clang/lib/linux/libclang_rt.fuzzer_no_main-x86_64.a"),
                ]),
                .linkedLibrary("stdc++"),
            ]))
}

/// What Embedded Swift's String needs of Unicode.
var unicodeTables: String { inToolchain("swift/embedded/\(embeddedTriple)/libswiftUnicodeDataTables.a") }

/// A file of the toolchain's library folder, whose `swift` comes first on PATH.
func inToolchain(_ path: String) -> String {
    let folders = (Context.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let candidates = folders.map { "\($0)/../lib/\(path)" }
    return candidates.first(where: FileManager.default.fileExists(atPath:)) ?? path
}
