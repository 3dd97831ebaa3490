import type { IncomingHttpHeaders, IncomingMessage, OutgoingMessage, ServerResponse } from 'node:http';

import { isNodeHeader } from './node-proof.js';

/** Status by which a node says that it is not the home of what the request is about. It has not read the body then. */
export const MISDIRECTED = 421;

/** Most bytes of a body that are copied, so that one write takes them and the head. */
const COPIED_BYTES = 16_384;

/** Headers that are about one connection, in lower case. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Names and values of headers as they came, without those of one connection, those of nodes and one more. Of several `Host` headers
 * it is the first, as the parser of Node.js reads them.
 */
export function passedHeaders(rawHeaders: readonly string[], leftOut?: string): string[] {
  const passed: string[] = [];
  let hasHost = false;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at].toLowerCase();
    if (OF_CONNECTION.has(name) || isNodeHeader(name) || name === leftOut || (name === 'host' && hasHost)) continue;
    hasHost ||= name === 'host';
    passed.push(rawHeaders[at], rawHeaders[at + 1]);
  }
  return passed;
}

/**
 * Writes the head of an answer, whose headers have names in lower case. Most of them are set already, with the same value, as every node
 * sets them.
 */
export function writeHead(response: ServerResponse, status: number, message: string | undefined, headers: IncomingHttpHeaders): void {
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || OF_CONNECTION.has(name) || response.getHeader(name) === value) continue;
    response.setHeader(name, value);
  }
  response.writeHead(status, message);
}

/** Ends a message. A short body joins its head: as a text of as many characters, because Node.js writes texts in one piece. */
export function endWith(message: OutgoingMessage, body: Buffer | null): void {
  if (body === null) message.end();
  else if (body.length > COPIED_BYTES) message.end(body);
  else message.end(body.toString('latin1'), 'latin1');
}

/** Cuts an answer whose client takes nothing of what waits for it. */
export function limitStandstill(response: ServerResponse, standstillMs: number): void {
  response.setTimeout(standstillMs, () => {
    if (response.writableLength > 0) response.destroy();
  });
}

/** True for a request with a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** True if the whole body of a request is there. Its length tells before the parser does, which looks for the end in its next step. */
export function hasArrived({ readableLength, headers }: IncomingMessage): boolean {
  return readableLength === Number(headers['content-length']);
}

/** The bytes of a body that have arrived; null for none. */
export function arrivedBytes(message: IncomingMessage): Buffer | null {
  return message.read() as Buffer | null;
}
