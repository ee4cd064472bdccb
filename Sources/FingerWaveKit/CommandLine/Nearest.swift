/// The candidate that a slip of the fingers may have meant: the one with the fewest edits, for at most a third of the
/// word's letters.
package func nearest(to word: String, among candidates: [String]) -> String? {
    // What is longer than any candidate and its edits is no slip, and costs no time.
    let bytes = Array(word.utf8)
    guard bytes.count <= 64 else { return nil }
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
        let distance = editDistance(bytes, Array(candidate.utf8))
        if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    guard let best, best.distance <= bytes.filter({ $0 != UInt8(ascii: "-") }).count / 3 else { return nil }
    return best.candidate
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one into the other (optimal string alignment:
/// Damerau 1964).
private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var before: [Int] = []
    var row = Array(0...b.count)
    for i in a.indices {
        var next = [i + 1]
        for j in b.indices {
            var best = min(row[j] + (a[i] == b[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1)
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
            next.append(best)
        }
        before = row
        row = next
    }
    return row[b.count]
}
