import { RefusedError } from './failures.js';

/** The path of the relay on the server. */
const RELAY_PATH = '/relay';

/** Path and query of an address at the relay, on the agent's own server. @throws RefusedError for an address outside the relay */
export function ownRelayUri(text: string, serverUri: string): URL {
  const uri = URL.canParse(text) ? new URL(text) : undefined;
  if (uri === undefined || !['ws:', 'wss:'].includes(uri.protocol)) throw new RefusedError('The relay address must be a ws or wss URI.');
  if (uri.pathname.toLowerCase().replace(/\/$/, '') !== RELAY_PATH)
    throw new RefusedError(`The relay address must have the path ${RELAY_PATH}.`);
  const own = new URL(RELAY_PATH, serverUri);
  own.protocol = own.protocol === 'https:' ? 'wss:' : 'ws:';
  own.search = uri.search;
  return own;
}
