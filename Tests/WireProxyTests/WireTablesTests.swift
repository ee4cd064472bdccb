import Testing
import WireTables

@Suite struct WireTablesTests {
    @Test func knowsTheCoreInterfaces() throws {
        let surface = try #require(WireTables.interface(named: "wl_surface"))
        #expect(surface.request(6)?.watched == .wlSurfaceCommit)
    }
}
