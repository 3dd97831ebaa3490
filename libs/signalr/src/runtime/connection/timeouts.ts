import type { CloseOptions } from './hub-connection.js';
import { EndReason } from '../end-reasons.js';
import type { HubLimits } from '../limits/hub-limits.js';

/** Times for which a client has kept its connection waiting, in milliseconds. */
export interface Waiting {
  /** Time since the client last sent something. Undefined while its silence does not count. */
  readonly silentMs: number | undefined;
  /** Time that the connection has been unauthenticated. Undefined when it is not. */
  readonly unauthenticatedMs: number | undefined;
}

/** The end of a connection: its reason, and the close message for the client. */
export interface End {
  readonly reason: string;
  readonly told: CloseOptions;
}

/** Returns the end of a connection that has waited too long for its client. Undefined when it goes on. */
export function endByTimeout({ silentMs = 0, unauthenticatedMs = 0 }: Waiting, limits: HubLimits): End | undefined {
  if (silentMs >= limits.clientTimeoutMs) {
    const error = `The client was silent for ${limits.clientTimeoutMs} ms.`;
    return { reason: EndReason.ClientSilent, told: { error, allowReconnect: true } };
  }
  if (unauthenticatedMs >= limits.unauthenticatedTimeoutMs) {
    const error = 'The client did not identify itself in time.';
    return { reason: EndReason.UnauthenticatedTooLong, told: { error, allowReconnect: true } };
  }
  return undefined;
}
