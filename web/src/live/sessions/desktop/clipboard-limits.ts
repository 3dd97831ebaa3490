/** Longest text that is sent, in bytes: less than the relay lets through. */
const MOST_BYTES = 1_000_000;

/** True for a text that is too long to send. */
export const isTooLong = (text: string): boolean => new TextEncoder().encode(text).length > MOST_BYTES;
