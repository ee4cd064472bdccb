// swift-tools-version: 6.2
import PackageDescription

// A package as another project would write it: bindings for its own protocol, for both sides, beside FingerWave's.
// The strictest settings there are, since generated code must not stand in the way of a user who has them.
let settings: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]
let plugin = Target.PluginUsage.plugin(name: "WaylandBindingsPlugin", package: "FingerWave")
let client = Target.Dependency.product(name: "WaylandClient", package: "FingerWave")
let server = Target.Dependency.product(name: "WaylandServer", package: "FingerWave")

let package = Package(
    name: "BindingsConsumer",
    dependencies: [.package(name: "FingerWave", path: "../..")],
    targets: [
        // One XML beside the sources, no bindings.list: the short way.
        .target(name: "Painting", dependencies: [client], swiftSettings: settings, plugins: [plugin]),
        // The generator's fixture with every feature, once for each side.
        .target(
            name: "Everything", dependencies: [client], exclude: ["bindings.list"], swiftSettings: settings,
            plugins: [plugin]),
        .target(
            name: "EverythingServer", dependencies: [client, server, "Everything"], exclude: ["bindings.list"],
            swiftSettings: settings, plugins: [plugin]),
        .executableTarget(
            name: "consumer", dependencies: [client, server, "Painting", "Everything", "EverythingServer"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
