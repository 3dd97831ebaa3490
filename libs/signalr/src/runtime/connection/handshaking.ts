import { parseHandshake } from '../../protocol/handshake.js';
import type { HubProtocol } from '../../protocol/hub-protocol.js';
import { ProtocolError } from '../../protocol/messages.js';
import type { Transport } from '../../transports/transport.js';

/** The version of the hub protocol that has stateful reconnect. */
const STATEFUL_VERSION = 2;

/** The agreement of a client and its connection. */
export interface Agreement {
  readonly protocol: HubProtocol;
  /** True if the client may come back when its socket is lost. */
  readonly mayReturn: boolean;
  /** The number of bytes of the handshake. Messages follow it. */
  readonly length: number;
}

/**
 * Reads the handshake at the start of `data`.
 * @returns undefined while it is incomplete
 * @throws ProtocolError when it is invalid, or asks for something that the hub or the transport does not have
 */
export function readAgreement(
  data: Buffer,
  findProtocol: (name: string) => HubProtocol | undefined,
  transport: Transport,
): Agreement | undefined {
  const handshake = parseHandshake(data);
  if (handshake === undefined) return undefined;
  const protocol = findProtocol(handshake.protocol);
  if (protocol === undefined) throw new ProtocolError(`The protocol '${handshake.protocol}' is not supported.`);
  if (protocol.binary && transport.isTextOnly === true) throw new ProtocolError(needsBytes(protocol.name));
  const mayReturn = handshake.version >= STATEFUL_VERSION && transport.awaitReturn !== undefined;
  return { protocol, mayReturn, length: handshake.length };
}

/** The error for a protocol that the transport cannot carry, in the words of ASP.NET Core. */
function needsBytes(protocol: string): string {
  return `Cannot use the '${protocol}' protocol on the current transport. The transport does not support 'Binary' transfer format.`;
}
