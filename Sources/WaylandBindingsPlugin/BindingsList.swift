import Foundation

/// What to generate for a target: its `bindings.list`, or what holds without one.
///
/// One setting a line, `#` begins a comment:
///
///     side client            # or server, or wire; client without this line
///     protocols ../protocols # a folder or a file, from the target's folder; the folder itself without any such line
///     import WaylandProtocols
///     extern                 # what the files do not define comes from the imported modules
///
/// For the side wire, tables for a program that passes messages on, further:
///
///     optional /usr/share/wayland-protocols   # all XML below, where there is any
///     watch wl_surface.commit                 # a message that gets a name of its own
struct BindingsList {
    var side = "client"
    var files: [URL] = []
    var imports: [String] = []
    var hasExterns = false
    /// XML of the machine, which another machine may not have.
    var optionalFiles: [URL] = []
    var watched: [String] = []
    /// The list itself, when there is one: the bindings are made anew when it changes.
    var sources: [URL] = []

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    init(folder: URL) throws {
        let list = folder.appending(path: "bindings.list")
        guard let text = try? String(contentsOf: list, encoding: .utf8) else {
            imports = ["WaylandProtocols"]
            hasExterns = true
            files = try BindingsList.protocols(at: folder)
            return
        }
        sources = [list]
        var hasProtocols = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.prefix { $0 != "#" }.split { $0.isWhitespace }.map(String.init)
            guard let setting = words.first else { continue }
            let place = "\(list.path(percentEncoded: false)):\(index + 1):1: error:"
            switch (setting, words.count) {
            case ("side", 2) where ["client", "server", "wire"].contains(words[1]): side = words[1]
            case ("import", 2): imports.append(words[1])
            case ("extern", 1): hasExterns = true
            case ("watch", 2): watched.append(words[1])
            case ("optional", 2): optionalFiles += BindingsList.allProtocols(below: URL(filePath: words[1]))
            case ("protocols", 2):
                hasProtocols = true
                let found = try BindingsList.protocols(at: folder.appending(path: words[1]).standardizedFileURL)
                guard !found.isEmpty else { throw Failure(description: "\(place) no XML at \(words[1])") }
                files += found
            default:
                throw Failure(
                    description: "\(place) a line is 'side client', 'side server', 'side wire', 'protocols PATH', "
                        + "'import MODULE', 'extern', 'optional FOLDER' or 'watch MESSAGE'")
            }
        }
        if !hasProtocols { files = try BindingsList.protocols(at: folder) }
    }

    /// The XML files of a folder, by name, or the one file.
    private static func protocols(at place: URL) throws -> [URL] {
        if place.pathExtension == "xml" { return [place] }
        return try FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "xml" }.sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    /// The XML files of a folder and of all folders in it, by path; none when there is no such folder.
    private static func allProtocols(below place: URL) -> [URL] {
        let files = FileManager.default.enumerator(at: place, includingPropertiesForKeys: nil)
        let found = files?.allObjects.compactMap { $0 as? URL }.filter { $0.pathExtension == "xml" } ?? []
        return found.sorted { $0.path < $1.path }
    }

    /// The rule by which wayland-bindgen names its output: the base name in upper camel case.
    static func swiftName(of file: URL) -> String {
        let isWord: (Character) -> Bool = { $0.isASCII && ($0.isLetter || $0.isNumber) }
        var name = ""
        for word in file.deletingPathExtension().lastPathComponent.split(whereSeparator: { !isWord($0) }) {
            if name.last?.isNumber == true, word.first?.isNumber == true { name += "_" }
            name += word.prefix(1).uppercased() + word.dropFirst()
        }
        return (name.first?.isLetter == true ? name : "_" + name) + ".swift"
    }
}
