import { isAtHost } from '../../platform/http/addresses/host.js';
import { RELAY_PATH } from './relay-path.js';
import { readRelayRequest, RelayRole } from './relay-request.js';

/** The addresses at which devices may join sessions. */
export interface RelayPlace {
  /** Hosts of the service, each with its port if it has one. */
  readonly hosts: readonly string[];
  /** The path in front of the relay's path where a proxy serves the service below a path; else empty. */
  readonly basePath: string;
}

/** An address in its plain form: parsers read everything else in different ways. */
const PLAIN = /^wss?:\/\/[^\s\\/?#@]+(?<path>\/[^\s\\?#]*)\?(?<query>[^\s\\#]*)$/i;

/** The fault in the address at which a device joins a session, as a viewer gives it; null if there is none. */
export function relayAddressProblem(websocketUri: string, sessionId: string, { hosts, basePath }: RelayPlace): string | null {
  const { path, query } = PLAIN.exec(websocketUri)?.groups ?? {};
  if (path === undefined || query === undefined || !URL.canParse(websocketUri)) {
    return `websocketUri must be an address such as wss://devices.example.org${RELAY_PATH}?sessionId=…&accessToken=…&role=responder.`;
  }
  const plainPath = path.toLowerCase().replace(/\/$/, '');
  if (plainPath !== RELAY_PATH && plainPath !== `${basePath.toLowerCase()}${RELAY_PATH}`)
    return `websocketUri must have the path ${RELAY_PATH}.`;
  const named = readRelayRequest(query);
  if ('invalid' in named) return `websocketUri: ${named.invalid}`;
  if (named.role !== RelayRole.Responder) return 'websocketUri must have the role responder: it is the address for the device.';
  if (named.sessionId !== sessionId.toLowerCase()) return 'websocketUri must name the sessionId of the request.';
  const uri = new URL(websocketUri);
  if (!hosts.some((host) => isAtHost(uri, host))) return 'websocketUri must lead to this service, by an address that it knows.';
  return null;
}
