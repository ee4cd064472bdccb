/// The candidate that a slip of the fingers may have meant: the one with the fewest edits, at most a third of the word.
package func nearest(to word: String, among candidates: [String]) -> String? {
    // What is longer than any candidate and its edits is no slip, and costs no time.
    let bytes = Array(word.utf8)
    guard bytes.count <= 64 else { return nil }
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
        let distance = editDistance(bytes, Array(candidate.utf8))
        if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    guard let best, best.distance <= max(2, bytes.count / 3) else { return nil }
    return best.candidate
}

/// Insertions, deletions and replacements that turn one into the other (Levenshtein 1966).
private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, other) in b.enumerated() {
            let replaced = diagonal + (letter == other ? 0 : 1)
            diagonal = row[j + 1]
            row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
        }
    }
    return row[b.count]
}
