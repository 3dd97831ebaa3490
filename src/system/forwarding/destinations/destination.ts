import type { ForwardedLine } from '../forwarded-line.js';

/** A receiver of lines. */
export interface Destination {
  /**
   * Sends lines, and resolves when the receiver has them as far as it can tell.
   * @throws TooLargeError when fewer lines may be taken
   * @throws Error with the reason when it does not have them, or when the signal fires
   */
  send(lines: readonly ForwardedLine[], signal: AbortSignal): Promise<void>;
}

/** A receiver does not take so many lines at a time. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

/** The kinds of destinations, of which each can be configured once. The names stand in the database. */
export const DestinationName = { File: 'File', Http: 'Http', Syslog: 'Syslog' } as const;

export type DestinationName = (typeof DestinationName)[keyof typeof DestinationName];
