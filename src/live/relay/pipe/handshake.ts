import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { plainAnswer, type HttpAnswer } from '#libs/signalr';

/** RFC 6455, section 4.2.2. */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const VERSION = '13';
/** Sixteen bytes in base64. */
const KEY = /^[+/0-9A-Za-z]{22}==$/;

/** The answer to an upgrade request that asks for no WebSocket; null when it does. */
export function handshakeRefusal({ method, headers }: IncomingMessage): HttpAnswer | null {
  if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return plainAnswer(404, 'Only WebSockets connect here.');
  if (headers['sec-websocket-version'] !== VERSION) {
    const { status, headers: type, body } = plainAnswer(426, `Only version ${VERSION} of the WebSocket protocol is supported.`);
    return { status, headers: { ...type, 'Sec-WebSocket-Version': VERSION }, body };
  }
  if (!KEY.test(headers['sec-websocket-key'] ?? '')) return plainAnswer(400, 'The Sec-WebSocket-Key header is missing or malformed.');
  return null;
}

/** The head of the answer that turns the connection into a WebSocket, without extensions and without a subprotocol. */
export function handshakeAnswer({ headers }: IncomingMessage): string {
  const accept = createHash('sha1')
    .update(`${headers['sec-websocket-key'] ?? ''}${GUID}`)
    .digest('base64');
  return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;
}
