import type { CloseOptions } from './hub-connection.js';
import { EndReason } from './end-reasons.js';
import type { HubLimits } from './hub-options.js';

/** How long a client has kept its connection waiting, in milliseconds. */
export interface Waiting {
  /** How long it was silent. Undefined when it could not be heard. */
  readonly silentMs: number | undefined;
  /** How long it has been a newcomer. Undefined when it is none. */
  readonly newcomerMs: number | undefined;
}

/** Why a connection ends, and what its client is told. */
export interface End {
  readonly reason: string;
  readonly told: CloseOptions;
}

/** How a connection ends that has waited too long for its client. Undefined when it goes on. */
export function endOfPatience({ silentMs = 0, newcomerMs = 0 }: Waiting, limits: HubLimits): End | undefined {
  if (silentMs >= limits.clientTimeoutMs) {
    const error = `The client was silent for ${limits.clientTimeoutMs} ms.`;
    return { reason: EndReason.ClientSilent, told: { error, allowReconnect: true } };
  }
  if (newcomerMs >= limits.newcomerTimeoutMs) {
    const error = 'The client did not identify itself in time.';
    return { reason: EndReason.NewcomerForTooLong, told: { error, allowReconnect: true } };
  }
  return undefined;
}
