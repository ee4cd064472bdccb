import Gestures
import Testing

@testable import Recording

/// What a log of WAYLAND_DEBUG tells besides its touches.
@Suite struct LoggedTouchesTests {
    private func sizes(_ text: String) -> [Size?] {
        settle(read(text)).compactMap { item in
            guard case .touch(let line) = item.content, line.kind == .other("configure") else { return nil }
            return line.size
        }
    }

    // MARK: Copies

    /// Firefox has two wl_touch of one seat: whichever is told first counts.
    @Test(arguments: [["9", "29"], ["29", "9"]])
    func whatASecondObjectHearsOfTheSameIsNothing(order: [String]) {
        func both(_ message: String) -> String {
            order.map { "[1.000] wl_touch@\($0).\(message)\n" }.joined()
        }
        let text =
            both("down(7, 100, wl_surface@31, 1, 300.0, 200.0)") + both("frame()")
            + both("motion(108, 1, 310.0, 200.0)") + both("shape(1, 4.0, 3.0)") + both("frame()")
            + both("up(8, 160, 1)") + both("frame()") + both("down(9, 200, wl_surface@31, 1, 300.0, 200.0)")
            + both("cancel()")
        let summary = summary(of: read(text))
        #expect(summary.sources.map(\.contactCount) == [2] && summary.sources.map(\.frameCount) == [3])
        #expect(summary.sources.first?.cancelledCount == 1 && summary.faults.isEmpty)
        #expect(
            read(text).allSatisfy { item in
                guard case .touch(let line) = item.content else { return true }
                return line.device == "wl_touch#\(order[0])"
            })
    }

    /// A frame is told whole to one object before the other one hears of it, as some compositors do.
    @Test func copiesOfAWholeFrameAreNothing() {
        let frames = ["9", "12"].map { number in
            "[1.0] wl_touch@\(number).down(7, 100, wl_surface@3, 0, 1.0, 2.0)\n"
                + "[1.0] wl_touch@\(number).down(8, 100, wl_surface@3, 1, 5.0, 2.0)\n[1.0] wl_touch@\(number).frame()\n"
        }
        #expect(summary(of: read(frames.joined())).contactCount == 2)
    }

    /// Two seats, or two surfaces: whoever differs in anything is another finger.
    @Test func whatDiffersIsNoCopy() {
        let text = """
            [1.0] wl_touch@9.down(7, 100, wl_surface@3, 0, 1.0, 2.0)
            [1.0] wl_touch@12.down(7, 100, wl_surface@4, 0, 1.0, 2.0)
            [1.0] wl_touch@9.frame()
            [1.0] wl_touch@12.frame()

            """
        #expect(summary(of: read(text)).contactCount == 2)
    }

    // MARK: Sizes

    private static let outputs = """
        [1.0] wl_output@10.geometry(0, 0, 520, 290, 0, "make, (x)", "model", 1)
        [1.0] wl_output@10.mode(2, 640, 480, 60000)
        [1.0] wl_output@10.mode(1, 1920, 1080, 60000)
        [1.0] wl_output@10.scale(2)

        """
    private static let down = "[2.0] wl_touch@9.down(7, 100, wl_surface@17, 0, 1.0, 2.0)\n"

    @Test func theOutputTellsHowLargeWhatIsTouchedIs() {
        #expect(sizes(LoggedTouchesTests.outputs + LoggedTouchesTests.down) == [Size(width: 540, height: 960)])
        let logical = """
            [1.0] {Default Queue}  -> zxdg_output_manager_v1#8.get_xdg_output(new id zxdg_output_v1#11, wl_output#10)
            [1.0] zxdg_output_v1#11.logical_size(1280, 720)

            """
        #expect(
            sizes(LoggedTouchesTests.outputs + logical + LoggedTouchesTests.down) == [Size(width: 1280, height: 720)])
        // Of two that differ it is the one that was entered.
        let second = "[1.0] wl_output@30.mode(1, 800, 480, 60000)\n"
        #expect(sizes(LoggedTouchesTests.outputs + second + LoggedTouchesTests.down).isEmpty)
        let entered = "[1.0] wl_surface@17.enter(wl_output@30)\n"
        #expect(
            sizes(LoggedTouchesTests.outputs + second + entered + LoggedTouchesTests.down)
                == [Size(width: 800, height: 480)])
    }

    /// A window's own size goes before the output's; 0 leaves it to the client, whose geometry is without its shadow.
    @Test func theWindowTellsHowLargeItIs() {
        let window = """
            host cage[12]: [1.0]  -> xdg_wm_base@16.get_xdg_surface(new id xdg_surface@20, wl_surface@17)
            [1.0]  -> xdg_surface@20.get_toplevel(new id xdg_toplevel@22)
            [1.0] xdg_toplevel@22.configure(0, 0, array[0])

            """
        let outputs = LoggedTouchesTests.outputs
        #expect(sizes(outputs + window + LoggedTouchesTests.down) == [Size(width: 540, height: 960)])
        let configured = window + "[1.0] xdg_toplevel@22.configure(300, 200, array[4])\n"
        #expect(sizes(outputs + configured + LoggedTouchesTests.down) == [Size(width: 300, height: 200)])
        let geometry = configured + "[1.0]  -> xdg_surface@20.set_window_geometry(14, 12, 400, 400)\n"
        #expect(sizes(outputs + geometry + LoggedTouchesTests.down) == [Size(width: 428, height: 424)])
        // What is part of a window, or pops up over it, is as large.
        let part = "[1.0]  -> wl_subcompositor@4.get_subsurface(new id wl_subsurface@4, wl_surface@41, wl_surface@17)\n"
        let down = "[2.0] wl_touch@9.down(7, 100, wl_surface@41, 0, 1.0, 2.0)\n"
        #expect(sizes(outputs + configured + part + down) == [Size(width: 300, height: 200)])
        let layer = """
            [1.0]  -> zwlr_layer_shell_v1@4.get_layer_surface(new id zwlr_layer_surface_v1@5, wl_surface@17, nil, 2, "x")
            [1.0] zwlr_layer_surface_v1@5.configure(77, 1024, 60)

            """
        #expect(sizes(outputs + layer + LoggedTouchesTests.down) == [Size(width: 1024, height: 60)])
    }

    /// Told again when it has changed, and not before.
    @Test func aSizeIsToldBeforeWhatComesDownOnIt() {
        let text = LoggedTouchesTests.outputs + LoggedTouchesTests.down + LoggedTouchesTests.down
        #expect(settle(read(text)).words.prefix(2) == ["configure", "down 0 1px,2px"])
        #expect(sizes(text).count == 1)
        let other = "[1.0] wl_output@10.scale(1)\n"
        #expect(sizes(text + other + LoggedTouchesTests.down).count == 2)
    }

    // MARK: What others write

    @Test func numbersMayHaveACommaAsTheirPoint() {
        let text = """
            [2690020,000] wl_touch@12.down(81, 1000, wl_surface@3, 0, 100,000000, 50,500000)
            [2690020,100] wl_touch@12.shape(0, 12,500000, 8)

            """
        let items = settle(read(text))
        #expect(items.words == ["down 0 100px,50.5px", "shape 0"])
        #expect(items.faults.map(\.kind) == [.endMissing(0, since: 0)])
        guard case .touch(let line)? = items.last(where: { $0.isTouch })?.content else { return }
        #expect(line.kind == .shape(major: 12.5, minor: 8))
        let panel = settle(read("-event3   TOUCH_DOWN   +1,250s\t0 (0) 25,00/ 5,50 (38,50/43,00mm)\n"))
        #expect(panel.words == ["down 0 0.25,0.055"] && panel.times == [1250])
    }
}
