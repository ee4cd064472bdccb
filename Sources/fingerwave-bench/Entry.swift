@main
enum Entry {
    static func main() {}
}
