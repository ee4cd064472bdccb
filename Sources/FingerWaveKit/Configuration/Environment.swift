internal import CLibc

/// What of the environment matters here. A value, so that tests bring their own.
package struct Environment: Equatable, Sendable {
    package var home: String?
    /// `$XDG_CONFIG_HOME`.
    package var configHome: String?
    /// `$XDG_RUNTIME_DIR`.
    package var runtimeDirectory: String?

    package init(home: String? = nil, configHome: String? = nil, runtimeDirectory: String? = nil) {
        self.home = home
        self.configHome = configHome
        self.runtimeDirectory = runtimeDirectory
    }

    /// This process's.
    package static var process: Environment {
        Environment(
            home: variable("HOME"), configHome: variable("XDG_CONFIG_HOME"),
            runtimeDirectory: variable("XDG_RUNTIME_DIR"))
    }

    static func variable(_ name: String) -> String? {
        // SAFETY: nothing in this program changes the environment; the text is copied at once.
        guard let text = unsafe getenv(name) else { return nil }
        return unsafe String(cString: text)
    }

    /// Where the configuration is unless `--config` names another file. The XDG base directory specification: a relative
    /// `$XDG_CONFIG_HOME` counts as unset. nil without a home either.
    package var defaultConfigurationPath: String? {
        if let configHome, configHome.utf8.first == UInt8(ascii: "/") {
            return configHome + "/fingerwave/config.ini"
        }
        guard let home, !home.isEmpty else { return nil }
        return home + "/.config/fingerwave/config.ini"
    }

    /// `path` as written in a file of the folder `folder`: relative to it, with `~` for the home folder.
    func resolve(_ path: String, in folder: String) -> String {
        if path == "~" || path.utf8.starts(with: "~/".utf8), let home, !home.isEmpty {
            return home + String(Substring(path.utf8.dropFirst()))
        }
        if path.utf8.first == UInt8(ascii: "/") || folder.isEmpty { return path }
        return folder + (folder.utf8.last == UInt8(ascii: "/") ? "" : "/") + path
    }

    /// The folder part of a path: all before the last slash; empty when there is none.
    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        let folder = path.utf8[..<slash]
        return folder.isEmpty ? "/" : String(Substring(folder))
    }
}
