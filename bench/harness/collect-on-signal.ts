/*
 * Loaded before a server whose memory is measured: what is garbage is collected before the measurement, not whenever it
 * pleases the engine.
 */
process.on('SIGUSR2', () => globalThis.gc?.());
