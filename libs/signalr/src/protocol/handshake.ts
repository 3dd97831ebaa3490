import { parseObject } from './message-shape.js';
import { ProtocolError } from './messages.js';

/** Ends every JSON record. */
export const RECORD_SEPARATOR = 0x1e;

/** The largest handshake in bytes. Real ones have about forty: the name of the protocol and its version. */
export const MAXIMUM_HANDSHAKE_SIZE = 512;

const HIGHEST_VERSION = 2;

/** The first record of a client: the protocol that it chooses. */
export interface HandshakeRequest {
  readonly protocol: string;
  readonly version: number;
  /** The size of the record in bytes, its separator included. */
  readonly length: number;
}

/**
 * Reads the handshake at the start of `data`.
 * @returns undefined while the record is incomplete
 * @throws ProtocolError when it is too large, is not a JSON object, lacks a member, or names an unknown version
 */
export function parseHandshake(data: Buffer): HandshakeRequest | undefined {
  const end = data.indexOf(RECORD_SEPARATOR);
  if ((end === -1 ? data.length : end) > MAXIMUM_HANDSHAKE_SIZE) {
    throw new ProtocolError(`The handshake is larger than ${MAXIMUM_HANDSHAKE_SIZE} bytes.`);
  }
  if (end === -1) return undefined;

  const { protocol, version } = parseObject(data.toString('utf8', 0, end), 'handshake');
  if (typeof protocol !== 'string') throw new ProtocolError("The handshake lacks 'protocol' of type String.");
  if (typeof version !== 'number' || !Number.isInteger(version)) {
    throw new ProtocolError("The handshake lacks 'version' of type Integer.");
  }
  if (version < 1 || version > HIGHEST_VERSION) {
    throw new ProtocolError(`The server does not support version ${version} of the '${protocol}' protocol.`);
  }
  return { protocol, version, length: end + 1 };
}

/** The answer to a handshake, in JSON for every protocol. */
export function handshakeResponse(error?: string): string {
  return `${JSON.stringify(error === undefined ? {} : { error })}\x1e`;
}
