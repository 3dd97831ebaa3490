import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, isIP, isIPv6, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';

import type { TlsAccess } from '../../../platform/config/values/pem-files.js';
import { shortened, type ForwardedLine } from '../forwarded-line.js';
import type { Destination } from './destination.js';
import { refusalTime } from './refusal-time.js';
import { syslogMessage } from './syslog-message.js';

/** Largest message that fits into a datagram, in bytes. */
const MAXIMUM_DATAGRAM = 65_000;

const ORIGIN = { host: hostname(), processId: process.pid };
const NOT_READ = 'The receiver closed the connection before it had read everything.';

/**
 * Sends lines as messages of syslog (RFC 5424): over TLS (RFC 5425) or TCP (RFC 6587, octet counting), or as datagrams (RFC 5426).
 *
 * Syslog confirms nothing. On a connection, a batch counts as taken when the receiver closes its side after the service has closed its own:
 * programs do so when they have read everything. Each batch has a connection of its own. A datagram counts as taken when it was sent.
 */
export class SyslogDestination implements Destination {
  constructor(
    private readonly url: string,
    private readonly tls: TlsAccess,
  ) {}

  async send(lines: readonly ForwardedLine[], signal: AbortSignal): Promise<void> {
    const { protocol, hostname: bracketed, port } = new URL(this.url);
    const target = { host: bracketed.replaceAll(/^\[|\]$/g, ''), port: Number(port) };
    if (protocol === 'udp:') return sendDatagrams(target, lines, signal);
    const frames = lines.map((line) => framed(syslogMessage(line, ORIGIN))).join('');
    const socket = protocol === 'tls:' ? connectTls({ ...target, ...serverName(target.host), ...this.tls }) : connect(target);
    return sendOn(socket, protocol === 'tls:' ? 'secureConnect' : 'connect', frames, signal);
  }
}

/** A host in a form that TLS can ask for: addresses cannot be named. */
function serverName(host: string): { readonly servername?: string } {
  return isIP(host) === 0 ? { servername: host } : {};
}

/** A message with the number of its bytes. Messages are ASCII. */
function framed(message: string): string {
  return `${message.length} ${message}`;
}

async function sendOn(socket: Socket, connected: string, frames: string, signal: AbortSignal): Promise<void> {
  const stop = (): void => void socket.destroy(new Error('The receiver did not take the lines in time.'));
  signal.addEventListener('abort', stop, { once: true });
  let isSent = false;
  const begin = performance.now();
  const read = new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('end', () => (isSent ? resolve() : reject(new Error(NOT_READ))));
    socket.once('close', () => reject(new Error(NOT_READ)));
  });
  // It may fail while something else is awaited.
  read.catch(() => undefined);
  try {
    await Promise.race([once(socket, connected), read]);
    socket.resume();
    await Promise.race([delay(refusalTime(performance.now() - begin)), read]);
    socket.end(frames, () => (isSent = true));
    await read;
  } finally {
    signal.removeEventListener('abort', stop);
    socket.destroy();
  }
}

async function sendDatagrams(
  { host, port }: { readonly host: string; readonly port: number },
  lines: readonly ForwardedLine[],
  signal: AbortSignal,
): Promise<void> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  const refused = new Promise<never>((_resolve, reject) => {
    socket.once('error', reject);
    signal.addEventListener('abort', () => reject(new Error('The datagrams could not be sent in time.')), { once: true });
  });
  refused.catch(() => undefined);
  try {
    socket.connect(port, host);
    await Promise.race([once(socket, 'connect'), refused]);
    for (const line of lines) {
      const message = syslogMessage(line, ORIGIN);
      const datagram = message.length > MAXIMUM_DATAGRAM ? syslogMessage(shortened(line), ORIGIN) : message;
      const sent = new Promise<void>((resolve, reject) => {
        socket.send(datagram, (error) => (error ? reject(error) : resolve()));
      });
      await Promise.race([sent, refused]);
    }
    await Promise.race([delay(refusalTime(0)), refused]);
  } finally {
    socket.close();
  }
}
