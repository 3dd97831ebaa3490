import { newId } from '../../../state/new-id.js';

/** The two sides wait for each other as long as this. */
const WAIT_SECONDS = 30;
const TOKEN_BYTES = 64;

/** A session at the relay: an id and a token that only its two sides know. */
export interface RelaySession {
  readonly sessionId: string;
  /** Address for this browser. */
  readonly requesterUri: string;
  /** Address for the device. */
  readonly responderUri: string;
}

/** Makes a session at the relay of the service that a page comes from. This browser knows it as `origin`, devices as `publicUrl`. */
export function newRelaySession(origin: string, publicUrl: string): RelaySession {
  const sessionId = newId();
  const accessToken = base64Url(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
  const uriOf = (role: 'requester' | 'responder', address: string): string => {
    const uri = new URL('/relay', address);
    uri.protocol = uri.protocol === 'http:' ? 'ws:' : 'wss:';
    uri.search = new URLSearchParams({ sessionId, accessToken, timeout: String(WAIT_SECONDS), role }).toString();
    return uri.href;
  };
  return { sessionId, requesterUri: uriOf('requester', origin), responderUri: uriOf('responder', publicUrl) };
}

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
