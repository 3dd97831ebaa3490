import { codeOf, messageOf } from '../failures.js';

/** Errors of the network: no name, no way, nothing that listens, or no answer. */
const NETWORK_CODES: ReadonlySet<string> = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
/** Codes of a peer that is not the server, such as a captive portal: it has no valid certificate, or speaks no TLS or no HTTP. */
const OTHER_PEER = /CERT|^UNABLE_TO_|^INVALID_(?:CA|PURPOSE)$|^(?:HOSTNAME_MISMATCH|PATH_LENGTH_EXCEEDED|EPROTO)$|^(?:ERR_SSL|HPE)_/;
/** The message of `ws`, without a code, about a server that does not answer the upgrade. */
const NO_ANSWER = 'Opening handshake has timed out';
/** The message of `ws`, without a code, about an answer that is no WebSocket. */
const OTHER_ANSWER = /^Unexpected server response: (\d{3})$/;
/** Refusals of proxies on the way: they require a sign-in, waited for too long, or have too many requests. */
const PROXY_REFUSALS: ReadonlySet<number> = new Set([407, 408, 429]);
/** From this status on, a proxy or balancer says that its server is away, or a captive portal that it requires a sign-in. */
const BAD_GATEWAY = 502;

/** Returns true if an attempt to connect failed because the server could not be reached, and not because it refused the agent. */
export function isServerAway(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  if (NETWORK_CODES.has(code) || OTHER_PEER.test(code)) return true;
  const message = messageOf(error);
  const status = OTHER_ANSWER.exec(message)?.[1];
  return status === undefined ? message === NO_ANSWER : isOthersAnswer(Number(status));
}

/** Returns true if the service never answers an upgrade to a WebSocket with the status: pages and redirections come from captive portals. */
function isOthersAnswer(status: number): boolean {
  return status < 400 || status >= BAD_GATEWAY || PROXY_REFUSALS.has(status);
}
