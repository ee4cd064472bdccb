internal import CLibc

/// What a command's settings are made from, kept so that they can be made again.
package struct Launch: Sendable {
    package var commandLine: [ParsedOption]
    package var files: FileOptions
    package var environment: Environment

    package init(_ commandLine: [ParsedOption], environment: Environment) throws(Failure) {
        self.commandLine = commandLine
        self.environment = environment
        files = try FileOptions(commandLine)
        if files.config != nil, files.noConfig {
            throw .usage("--config and --no-config cannot go together", remedy: "leave one of them out")
        }
    }

    /// What is to be said of the configuration, once, before anything is made of it.
    package var warning: String? {
        #if INIH
            guard files.config == nil, !files.noConfig, let path = environment.defaultConfigurationPath,
                TextFile.isHidden(path: path)
            else { return nil }
            return "\(path) is not read: \(TextFile.Problem.hidden.text); "
                + "set HOME to a folder of this user, or say --no-config"
        #else
            return nil
        #endif
    }

    package func settle<Settings: OptionGroup>() throws(Failure) -> Settled<Settings> {
        try Settled(commandLine, files, environment)
    }
}

extension Settled {
    /// These settings changed to `new` as far as a running program can, and the options that would need a refiles.
    package func adopting(_ new: Settled) -> (settled: Settled, needRestart: [String]) {
        var result = new
        var needRestart: [String] = []
        for spec in Settings.specs where spec.needsRestart {
            guard let old = settings.text(of: spec.name), old != new.settings.text(of: spec.name) else { continue }
            needRestart.append(spec.name)
            result.keep(spec.name, old, origin(of: spec.name))
        }
        return (result, needRestart)
    }
}
