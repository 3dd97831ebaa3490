/*
 * Loaded before a server whose memory is measured: what is garbage is collected before the measurement, not whenever it
 * pleases the engine. The signal is one that Nest's shutdown hooks do not take for an order to end.
 */
process.on('SIGWINCH', () => globalThis.gc?.());
