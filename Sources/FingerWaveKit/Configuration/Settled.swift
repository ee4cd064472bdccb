/// A command's settings as configuration files and command line make them, and where each value comes from.
package struct Settled<Settings: OptionGroup>: Equatable, Sendable {
    package private(set) var settings = Settings()
    /// The profile that is in force.
    package private(set) var profile: String?
    /// The configuration files that were read.
    package private(set) var files: [String] = []
    /// What `--verbose` says of the configuration.
    package private(set) var notes: [String] = []
    private var origins: [String: OptionOrigin] = [:]

    /// Where the value of an option comes from; nil for a default.
    package func origin(of name: String) -> OptionOrigin? { origins[name] }

    /// Sets one option of the command; what is none of its own is passed over, with false.
    @discardableResult
    package mutating func set(_ option: ParsedOption) throws(Failure) -> Bool {
        guard try settings.set(option) else { return false }
        origins[option.name] = option.origin
        return true
    }

    /// Puts back what an option was before.
    mutating func keep(_ name: String, _ text: String, _ origin: OptionOrigin?) {
        // It was read before, so it is read again.
        _ = try? settings.set(ParsedOption(name, text, from: origin ?? .commandLine))
        origins[name] = origin
    }

    /// Reads the files that `wanted` and the environment name, then applies the command line over them.
    ///
    /// Throws a failure with all that is wrong in the files.
    package init(_ commandLine: [ParsedOption], _ wanted: FileOptions, _ environment: Environment) throws(Failure) {
        // The command line first: who mistyped it is not to be told of files.
        _ = try Settings(commandLine)
        #if INIH
            try readFiles(wanted, environment)
        #else
            if wanted.config != nil {
                throw .usage(
                    "--config cannot be used", why: "this build reads no configuration files",
                    remedy: "build it with libinih, or give the options themselves")
            }
            if wanted.profile != nil {
                throw .usage(
                    "--profile cannot be used", why: "this build reads no configuration files",
                    remedy: "build it with libinih, or give the options themselves")
            }
            if !wanted.noConfig, let path = environment.defaultConfigurationPath, TextFile.exists(path: path) {
                notes.append("\(path) is not read: this build reads no configuration files (libinih)")
            }
        #endif
        for option in commandLine { try set(option) }
    }
}

#if INIH
    extension Settled {
        private mutating func readFiles(_ wanted: FileOptions, _ environment: Environment) throws(Failure) {
            var reader = ConfigurationReader(environment: environment)
            if let path = wanted.config ?? (wanted.noConfig ? nil : environment.defaultConfigurationPath) {
                do throws(TextFile.Problem) {
                    try reader.read(path: path)
                } catch {
                    // Nobody needs to have one, but who names one means it.
                    if wanted.config != nil || (error != .missing && error != .hidden) {
                        throw Failure(
                            "cannot read \(path)", why: error.text,
                            remedy: wanted.config == nil ? "mend it, or say --no-config" : "name another file",
                            code: .badInput)
                    }
                }
            }
            try apply(reader, wanted)
        }

        /// Takes on what was read: first what always applies, then the profile.
        mutating func apply(_ reader: ConfigurationReader, _ wanted: FileOptions) throws(Failure) {
            files = reader.files
            var problems = reader.problems + Settled.check(reader.entries)
            if let name = wanted.profile ?? reader.chosenProfile?.value {
                if reader.profiles.contains(name) {
                    profile = name
                } else {
                    problems.append(.unknownProfile(name, reader, isOnCommandLine: wanted.profile != nil))
                }
            }
            if var first = problems.first {
                first.others = Array(problems.dropFirst().prefix(ConfigurationReader.mostProblems - 1))
                if problems.count >= ConfigurationReader.mostProblems {
                    first.others.append(
                        Failure("there may be more", why: "", remedy: "mend these first", code: .badInput))
                }
                throw first
            }
            for entry in reader.entries where entry.section.isEmpty { try set(entry.option) }
            for entry in reader.entries where !entry.section.isEmpty && entry.section == profile {
                try set(entry.option)
            }
        }

        /// What is wrong with keys and values, those of profiles that are not in force too.
        private static func check(_ entries: [ConfigurationReader.Entry]) -> [Failure] {
            var problems: [Failure] = []
            var scratch = Settings()
            // One file serves all commands: what another one takes is no mistake, and is checked all the same.
            var all = AllSettings()
            let specs = AllSettings.specs
            for entry in entries {
                guard case .file(let path, let line) = entry.option.origin else { continue }
                let name = entry.option.name
                do throws(Failure) {
                    if try scratch.set(entry.option) { continue }
                    if try all.set(entry.option) { continue }
                    let isForCommandLine = FileOptions.commandLineSpecs.contains { $0.name == name }
                    let near = nearest(to: name, among: specs.map { $0.name } + ["include", "profile"])
                    problems.append(
                        .inFile(
                            path, line, isForCommandLine ? "\(name) is for the command line" : "unknown key \(name)",
                            remedy: isForCommandLine
                                ? "take it out" : near.map { "did you mean \($0)?" } ?? "fingerwave config prints all"))
                } catch {
                    problems.append(.inFile(path, line, error.what + ": " + error.why, remedy: error.remedy))
                }
            }
            return problems
        }
    }

    extension Failure {
        fileprivate static func unknownProfile(
            _ name: String, _ reader: ConfigurationReader, isOnCommandLine: Bool
        ) -> Failure {
            let known =
                reader.files.isEmpty
                ? "there is no configuration file"
                : reader.profiles.isEmpty
                    ? "no file has a section" : "there is " + reader.profiles.joined(separator: ", ")
            let near = nearest(to: name, among: reader.profiles).map { "did you mean \($0)?" }
            if !isOnCommandLine, case .file(let path, let line)? = reader.chosenProfile?.origin {
                return .inFile(path, line, "no profile \(name): \(known)", remedy: near ?? "add a section [\(name)]")
            }
            return .usage("no profile \(name)", why: known, remedy: near ?? "profiles are sections of config.ini")
        }
    }
#endif
