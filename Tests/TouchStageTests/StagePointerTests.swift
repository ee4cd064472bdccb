import CLibc
import Testing
import TouchStage
import WaylandClient
import WaylandProtocols

@Suite struct StagePointerTests {
    @Test func thePointerEntersMovesPressesAndLeaves() throws {
        let stage = try Stage()
        let client = try TestClient(stage)
        let window = try TestWindow(client, showing: client.buffer(100, 100))
        let pointer = try client.bind(WlSeat.self).getPointer()
        var lines: [String] = []
        pointer.onEvent = { event in
            switch event {
            case .enter(_, _, let x, let y): lines.append("enter \(x) \(y)")
            case .leave: lines.append("leave")
            case .motion(let time, let x, let y): lines.append("motion \(x) \(y) t\(time)")
            case .button(_, let time, let button, let state):
                lines.append("button \(button) \(state.rawValue) t\(time)")
            case .axis(_, let axis, let value): lines.append("axis \(axis.rawValue) \(value)")
            case .frame: lines.append("frame")
            default: lines.append("other")
            }
        }
        try client.pump()
        try #require(stage.window).position = (10, 0)
        let stagePointer = stage.seat.pointer
        stagePointer.motion(x: 15, y: 5)
        stagePointer.frame()
        stagePointer.motion(x: 16, y: 5, time: 4)
        stagePointer.button(pressed: true, time: 5)
        stagePointer.motion(x: 500, y: 5, time: 6)
        stagePointer.button(pressed: false, time: 7)
        stagePointer.axis(.verticalScroll, 2.5)
        stagePointer.motion(x: 501, y: 5)
        stagePointer.frame()
        // Where it has no client nobody hears of it.
        stagePointer.motion(x: 502, y: 5)
        stagePointer.button(pressed: true)
        stagePointer.frame()
        try client.pump()
        #expect(
            lines == [
                "enter 5.0 5.0", "frame", "motion 6.0 5.0 t4", "button 272 1 t5", "motion 490.0 5.0 t6",
                "button 272 0 t7", "axis 0 2.5", "leave", "frame",
            ])
        _ = window
    }

    @Test func cursorsAreSeen() throws {
        let stage = try Stage()
        let client = try TestClient(stage)
        let pointer = try client.bind(WlSeat.self).getPointer()
        let device = try client.bind(WpCursorShapeManagerV1.self).getPointer(pointer: pointer)
        device.setShape(serial: 0, shape: .crosshair)
        let surface = client.compositor.createSurface()
        pointer.setCursor(serial: 0, surface: surface, hotspotX: 0, hotspotY: 0)
        try client.pump()
        #expect(stage.seat.pointer.cursorShape == .crosshair)
        #expect(stage.seat.pointer.cursor != nil)
    }

    @Test func keysBringTheirModifiersAndTheKeymapComesInAFile() throws {
        let stage = try Stage()
        let client = try TestClient(stage)
        let window = try TestWindow(client, showing: client.buffer(100, 100))
        let keyboard = try client.bind(WlSeat.self).getKeyboard()
        var lines: [String] = []
        var keymaps: [String] = []
        keyboard.onEvent = { event in
            switch event {
            case .keymap(let format, let fd, let size):
                #expect(format == .xkbV1)
                guard let descriptor = fd.take() else { return }
                var text = [UInt8](repeating: 0, count: Int(size))
                #expect(pread(descriptor, &text, text.count, 0) == text.count && text.last == 0)
                keymaps.append(String(decoding: text.dropLast(), as: UTF8.self))
                close(descriptor)
            case .enter(_, let surface, let keys): lines.append("enter \(surface?.objectID ?? 0) \(keys.words)")
            case .leave: lines.append("leave")
            case .key(_, let time, let key, let state): lines.append("key \(key) \(state.rawValue) t\(time)")
            case .modifiers(_, let depressed, _, let locked, let group):
                lines.append("modifiers \(depressed) \(locked) \(group)")
            case .repeatInfo(let rate, let delay): lines.append("repeat \(rate) \(delay)")
            }
        }
        try client.pump()
        #expect(lines == ["repeat 25 600", "enter \(window.surface.objectID) []", "modifiers 0 0 0"])
        #expect(keymaps.count == 1 && keymaps.first?.hasPrefix("xkb_keymap") == true)
        #expect(stage.seat.keyboard.keymapDescriptorCount == 1, "the keymap's descriptor leaked")
        lines = []
        let shift: UInt32 = 42
        stage.seat.keyboard.key(shift, pressed: true, time: 3)
        stage.seat.keyboard.key(1, pressed: true, time: 4)
        stage.seat.keyboard.key(1, pressed: false, time: 5)
        stage.seat.keyboard.key(shift, pressed: false, time: 6)
        stage.seat.keyboard.enter(nil)
        stage.seat.keyboard.key(1, pressed: true)
        try client.pump()
        #expect(
            lines == [
                "key 42 1 t3", "modifiers 1 0 0", "key 1 1 t4", "key 1 0 t5", "key 42 0 t6", "modifiers 0 0 0", "leave",
            ])
        #expect(stage.seat.keyboard.setLayout("de"))
        try client.pump()
        #expect(keymaps.count == 2 && keymaps[0] != keymaps[1])
    }

    @Test func aLeakedKeymapIsCounted() throws {
        let stage = try Stage()
        let client = try TestClient(stage)
        let keyboard = try client.bind(WlSeat.self).getKeyboard()
        var kept: Int32 = -1
        keyboard.onEvent = { if case .keymap(_, let fd, _) = $0 { kept = fd.take() ?? -1 } }
        try client.pump()
        #expect(kept >= 0)
        #expect(stage.seat.keyboard.keymapDescriptorCount == 2)
        close(kept)
        #expect(stage.seat.keyboard.keymapDescriptorCount == 1)
    }
}
