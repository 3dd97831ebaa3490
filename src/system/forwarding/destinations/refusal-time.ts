/** Bounds of that, in milliseconds. Attempts to send have an end, so a connection that comes slowly must not wait for long. */
const LEAST_MS = 100;
const MOST_MS = 2_000;

/**
 * Time in which a receiver shows that it does not want a connection or a datagram, in milliseconds. A proxy whose receiver is away accepts
 * connections and closes them at once, a receiver that refuses a certificate of TLS 1.3 is connected before it has seen it, and the refusal
 * of a datagram comes after it was sent. From far away a refusal takes no longer than the connection did.
 */
export const refusalTime = (connectedAfterMs: number): number => Math.min(MOST_MS, Math.max(LEAST_MS, 2 * connectedAfterMs));
