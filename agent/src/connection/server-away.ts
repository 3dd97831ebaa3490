import { codeOf, messageOf } from '../failures.js';

/** Errors of the network: no name, no way, nothing that listens, or no answer. */
const NETWORK_CODES: ReadonlySet<string> = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
]);
/** Messages of `ws`, without a code, about a server that does not answer, or a proxy or balancer whose server is away. */
const AWAY = /^(?:Opening handshake has timed out|Unexpected server response: 50[234])$/;

/** Returns true if an attempt to connect failed because the server could not be reached, and not because it refused the agent. */
export function isServerAway(error: unknown): boolean {
  return NETWORK_CODES.has(codeOf(error) ?? '') || AWAY.test(messageOf(error));
}
