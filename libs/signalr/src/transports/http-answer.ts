import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** An HTTP answer to a request or to an attempt to connect. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer in plain text. */
export function plainAnswer(status: number, body: string): HttpAnswer {
  return { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body };
}

/** 503 for now: the client may try again after a second. */
export function busyAnswer(body: string): HttpAnswer {
  const { status, headers } = plainAnswer(503, body);
  return { status, headers: { ...headers, 'Retry-After': '1' }, body };
}

/** Writes `answer` as the response of an ordinary request. */
export function respond(response: ServerResponse, answer: HttpAnswer): void {
  response.writeHead(answer.status, { ...answer.headers, 'Content-Length': Buffer.byteLength(answer.body ?? '') });
  response.end(answer.body);
}

/** Answers a request for an upgrade on its socket, and ends the socket. */
export function refuseUpgrade(socket: Duplex, answer: HttpAnswer): void {
  const body = answer.body ?? '';
  const headers = { ...answer.headers, Connection: 'close', 'Content-Length': Buffer.byteLength(body) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
}
