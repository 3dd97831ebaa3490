import type { HubProtocol } from './hub-protocol.js';
import { jsonProtocol } from './json-protocol.js';
import { messagePackProtocol } from './messagepack-protocol.js';

/** The protocols of a hub without ones of its own. */
export const DEFAULT_PROTOCOLS: readonly HubProtocol[] = [jsonProtocol, messagePackProtocol];

/** Protocols by their names in lower case. @throws Error when two have the same name */
export function protocolsByName(protocols: readonly HubProtocol[]): ReadonlyMap<string, HubProtocol> {
  const byName = new Map(protocols.map((protocol) => [protocol.name.toLowerCase(), protocol]));
  if (byName.size < protocols.length) throw new Error(`Two protocols have the same name: ${protocols.map(({ name }) => name).join(', ')}.`);
  return byName;
}
