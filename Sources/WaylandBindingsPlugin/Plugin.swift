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
        let tool = try context.tool(named: "wayland-bindgen").url
        if list.side == "wire" { return [wireTables(target, list, output, tool)] }
        // A module among the dependencies says by its own list what it has, so that nothing about it is guessed.
        var knowns: [(module: String, list: BindingsList)] = []
        for dependency in target.recursiveTargetDependencies where list.imports.contains(dependency.name) {
            guard let dependency = dependency as? SourceModuleTarget else { continue }
            knowns.append((dependency.name, try BindingsList(folder: dependency.directoryURL)))
        }
        var arguments = ["--side", list.side, "--out", output.path(percentEncoded: false)]
        arguments += list.imports.flatMap { ["--import", $0] }
        for (module, known) in knowns {
            arguments += known.files.flatMap { ["--known", module, known.side, $0.path(percentEncoded: false)] }
        }
        if list.hasExterns { arguments.append("--extern") }
        return [
            .buildCommand(
                displayName: "Generating Wayland bindings of \(target.name)",
                executable: tool,
                arguments: arguments + ["--"] + list.files.map { $0.path(percentEncoded: false) },
                inputFiles: list.files + list.sources + knowns.flatMap { $0.list.files + $0.list.sources },
                outputFiles: list.files.map { output.appending(path: BindingsList.swiftName(of: $0)) })
        ]
    }

    private func wireTables(
        _ target: SourceModuleTarget, _ list: BindingsList, _ output: URL, _ tool: URL
    ) -> Command {
        var arguments = ["--side", "wire", "--out", output.path(percentEncoded: false)]
        arguments += list.watched.flatMap { ["--watch", $0] }
        arguments += list.optionalFiles.flatMap { ["--optional", $0.path(percentEncoded: false)] }
        return .buildCommand(
            displayName: "Generating wire tables of \(target.name)", executable: tool,
            arguments: arguments + ["--"] + list.files.map { $0.path(percentEncoded: false) },
            inputFiles: list.files + list.optionalFiles + list.sources,
            outputFiles: [output.appending(path: "WireData.swift")])
    }
}
