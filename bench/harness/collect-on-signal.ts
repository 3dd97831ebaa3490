/*
 * Loaded into a server whose memory is measured: collects garbage on a signal, before the measurement. Nest's shutdown
 * hooks ignore this signal.
 */
process.on('SIGWINCH', () => globalThis.gc?.());
