import Foundation
import PackagePlugin

/// Turns protocol XML into Swift, anew whenever it changes.
@main
struct WaylandBindingsPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        guard let target = target as? SourceModuleTarget else { return [] }
        let list = try BindingsList(folder: target.directoryURL)
        let output = context.pluginWorkDirectoryURL.appending(path: "bindings")
        guard !list.files.isEmpty else {
            Diagnostics.error("\(target.name): no protocol XML; put some in its folder or name it in bindings.list")
            return []
        }
        return [
            .buildCommand(
                displayName: "Generating Wayland bindings of \(target.name)",
                executable: try context.tool(named: "wayland-bindgen").url,
                arguments: ["--side", list.side, "--out", output.path(percentEncoded: false)]
                    + list.imports.flatMap { ["--import", $0] } + (list.hasExterns ? ["--extern"] : []) + ["--"]
                    + list.files.map { $0.path(percentEncoded: false) },
                inputFiles: list.files + list.sources,
                outputFiles: list.files.map { output.appending(path: BindingsList.swiftName(of: $0)) })
        ]
    }
}
