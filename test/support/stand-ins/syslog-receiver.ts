import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';

import type { Identity } from './certificates.js';

/** A message of syslog in its parts. */
export interface SyslogMessage {
  readonly facility: number;
  readonly severity: number;
  readonly timestamp: Date;
  readonly host: string;
  readonly app: string;
  readonly processId: string;
  readonly messageId: string;
  readonly text: string;
}

/** A message of RFC 5424 without structured data, whose text is printable ASCII: others would need a byte order mark. */
const MESSAGE =
  /^<(?<priority>0|[1-9]\d{0,2})>1 (?<timestamp>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)) (?<host>[!-~]{1,255}) (?<app>[!-~]{1,48}) (?<processId>[!-~]{1,128}) (?<messageId>[!-~]{1,32}) - (?<text>[ -~]+)$/;
const MAXIMUM_PRIORITY = 191;
/** The length of a message in octets, as RFC 6587 and RFC 5425 count them. */
const LENGTH = /^([1-9]\d*) /;

/** @throws Error for a text that is no message of RFC 5424 */
export function parseSyslog(message: string): SyslogMessage {
  const { priority, timestamp = '', host = '', app = '', processId = '', messageId = '', text = '' } = MESSAGE.exec(message)?.groups ?? {};
  if (priority === undefined || Number(priority) > MAXIMUM_PRIORITY) throw new Error(`No message of RFC 5424: ${message.slice(0, 200)}`);
  const facility = Math.floor(Number(priority) / 8);
  return { facility, severity: Number(priority) % 8, timestamp: new Date(timestamp), host, app, processId, messageId, text };
}

/**
 * What the receiver does with connections: it reads them to their end, keeps them without reading, closes them at once, or closes them in
 * the middle of what it has read.
 */
export type SyslogManner = 'reads' | 'silent' | 'closes' | 'breaks';

/** A receiver of syslog that reads messages strictly, over TCP, TLS or UDP. */
export class SyslogReceiver {
  readonly messages: SyslogMessage[] = [];
  /** Faults of senders. */
  readonly faults: string[] = [];
  manner: SyslogManner = 'reads';
  /** Connections that were made. */
  connections = 0;
  /** Names in the certificates of senders. */
  readonly senders: string[] = [];
  /** Handshakes that failed. */
  refused = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly scheme: 'tcp' | 'tls' | 'udp',
    private readonly server: Server | DatagramSocket,
  ) {}

  static async overTcp(port = 0): Promise<SyslogReceiver> {
    return SyslogReceiver.listen('tcp', createServer(), port);
  }

  /** @param clientCa the authority that signed the certificates of senders; without one they need none */
  static async overTls({ cert, key }: Identity, clientCa?: string): Promise<SyslogReceiver> {
    const asking = clientCa === undefined ? {} : { ca: clientCa, requestCert: true };
    return SyslogReceiver.listen('tls', createTlsServer({ cert, key, ...asking }), 0);
  }

  static async overUdp(port = 0): Promise<SyslogReceiver> {
    const socket = createSocket('udp4');
    const receiver = new SyslogReceiver('udp', socket);
    socket.on('message', (datagram) => receiver.take(datagram));
    socket.bind(port, '127.0.0.1');
    await once(socket, 'listening');
    return receiver;
  }

  private static async listen(scheme: 'tcp' | 'tls', server: Server, port: number): Promise<SyslogReceiver> {
    const receiver = new SyslogReceiver(scheme, server);
    server.on(scheme === 'tls' ? 'secureConnection' : 'connection', (socket: Socket) => receiver.accept(socket));
    // A sender that does not trust the certificate ends the handshake, and one without a certificate may not be wanted.
    server.on('tlsClientError', () => (receiver.refused += 1));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `${this.scheme}://${this.scheme === 'tls' ? 'localhost' : '127.0.0.1'}:${this.port}`;
  }

  /** The texts of the messages, as JSON. */
  lines<T>(): T[] {
    return this.messages.map(({ text }) => JSON.parse(text) as T);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => void this.server.close(() => resolve()));
  }

  private accept(socket: Socket): void {
    this.connections += 1;
    if (socket instanceof TLSSocket && socket.authorized) this.senders.push(String(socket.getPeerCertificate().subject.CN));
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    socket.on('error', () => undefined);
    if (this.manner === 'closes') socket.destroy();
    if (this.manner === 'closes' || this.manner === 'silent') return;
    let rest: Buffer = Buffer.alloc(0);
    socket.on('data', (piece: Buffer) => {
      if (this.manner === 'breaks') return void socket.resetAndDestroy();
      rest = this.readFrames(Buffer.concat([rest, piece]));
    });
    socket.once('end', () => {
      if (rest.length > 0) this.faults.push(`The connection ended within a message: ${rest.toString('latin1').slice(0, 100)}`);
    });
  }

  /** Takes all whole messages and returns what follows them. */
  private readFrames(bytes: Buffer): Buffer {
    let rest = bytes;
    for (;;) {
      const digits = rest.subarray(0, 12).toString('latin1');
      const [prefix, length] = LENGTH.exec(digits) ?? [];
      if (prefix === undefined) {
        if (!/^\d*$/.test(digits) || digits.length === 12) this.faults.push(`No length of a message: ${digits}`);
        return rest;
      }
      const end = prefix.length + Number(length);
      if (rest.length < end) return rest;
      this.take(rest.subarray(prefix.length, end));
      rest = rest.subarray(end);
    }
  }

  private take(bytes: Buffer): void {
    try {
      this.messages.push(parseSyslog(bytes.toString('latin1')));
    } catch (error) {
      this.faults.push(String(error));
    }
  }
}
