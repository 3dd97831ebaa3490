import type { ForwardedLine } from '../forwarded-line.js';

/** A receiver of lines. */
export interface Destination {
  /**
   * Sends lines, and resolves when the receiver has them as far as it can tell.
   * @throws Error with the reason when it does not, or when the signal fires
   */
  send(lines: readonly ForwardedLine[], signal: AbortSignal): Promise<void>;
}

/** The kinds of destinations, of which each can be configured once. The names stand in the database. */
export const DestinationName = { File: 'File' } as const;

export type DestinationName = (typeof DestinationName)[keyof typeof DestinationName];
