extension Emitter {
    func serverClass(_ interface: ProtocolInterface) {}
}
