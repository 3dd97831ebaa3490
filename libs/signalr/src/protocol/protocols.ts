import type { HubProtocol } from './hub-protocol.js';
import { jsonProtocol } from './json-protocol.js';
import { messagePackProtocol } from './messagepack-protocol.js';

const PROTOCOLS: ReadonlyMap<string, HubProtocol> = new Map(
  [jsonProtocol, messagePackProtocol].map((protocol) => [protocol.name, protocol]),
);

/** The protocol that a handshake asks for, by its name in any case. Undefined when the server does not speak it. */
export function findProtocol(name: string): HubProtocol | undefined {
  return PROTOCOLS.get(name.toLowerCase());
}
