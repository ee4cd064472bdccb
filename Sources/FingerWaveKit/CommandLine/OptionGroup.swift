/// Values that options set. The command line, configuration files and `ctl` all set them here and nowhere else.
///
/// A group of its own for each concern, so that every command that draws takes the same look, and every command that
/// recognises the same gestures; a command's settings are a group made of those.
package protocol OptionGroup: Equatable, Sendable {
    /// The defaults.
    init()

    /// In the order of the help.
    static var specs: [OptionSpec] { get }

    /// Takes the option on if it is one of this group's, else returns false. Throws a usage failure that names the
    /// option and what it takes; then nothing has changed.
    mutating func set(_ option: ParsedOption) throws(Failure) -> Bool

    /// The value that the option of this name has now, as ``set(_:)`` reads it; nil when it is not this group's.
    func text(of name: String) -> String?
}

/// One option of a group: what it is called, how it is read and how it is written.
package struct OptionEntry<Group>: Sendable {
    package private(set) var spec: OptionSpec
    /// The value's text.
    let text: @Sendable (Group) -> String
    let set: @Sendable (inout Group, ParsedOption) throws(Failure) -> Void

    /// - Parameters:
    ///   - help: without the default, which is told behind it.
    ///   - needsRestart: true when a running program cannot take on another value.
    package init<Value>(
        _ name: String, short: Character? = nil, _ kind: OptionKind<Value>, _ help: String, needsRestart: Bool = false,
        get: @escaping @Sendable (Group) -> Value, put: @escaping @Sendable (inout Group, Value) -> Void
    ) {
        spec = OptionSpec(name, short: short, kind.syntax, help)
        spec.needsRestart = needsRestart
        text = { kind.write(get($0)) }
        set = { (group, option) throws(Failure) in put(&group, try kind.read(option)) }
    }
}

extension [OptionSpec] {
    /// For commands that one of a group's options would mean nothing to. A configuration file may have it all the same: it
    /// is for all commands.
    func without(_ name: String) -> [OptionSpec] { filter { $0.name != name } }
}

/// A group whose options stand in one table.
package protocol OptionTable: OptionGroup {
    static var entries: [OptionEntry<Self>] { get }

    /// The page of the help that they are on; nil when they are in the overview alone.
    static var topic: HelpTopic? { get }
}

extension OptionTable {
    package static var specs: [OptionSpec] {
        entries.map { entry in
            var spec = entry.spec
            spec.topic = topic
            return spec
        }
    }

    package mutating func set(_ option: ParsedOption) throws(Failure) -> Bool {
        guard let entry = Self.entries.first(where: { $0.spec.name == option.name }) else { return false }
        do throws(Failure) {
            try entry.set(&self, option)
        } catch {
            var failure = error
            if failure.remedy.isEmpty { failure.remedy = Self.topic.map { "see fingerwave help \($0.name)" } ?? "" }
            throw failure
        }
        return true
    }

    package func text(of name: String) -> String? {
        Self.entries.first { $0.spec.name == name }?.text(self)
    }
}

extension OptionGroup {
    /// The defaults, changed by `options` in their order. Options of other groups are passed over.
    package init(_ options: [ParsedOption]) throws(Failure) {
        self.init()
        for option in options { _ = try set(option) }
    }
}
