/**
 * Options of Node.js for a service that is measured: the limit of its young memory, with which it is shipped, and a garbage collection on a
 * signal, before memory is measured.
 */
export const SERVICE_OPTIONS: readonly string[] = [
  '--max-semi-space-size=16',
  '--expose-gc',
  '--import',
  new URL('./collect-on-signal.js', import.meta.url).href,
];
