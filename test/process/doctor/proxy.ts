import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext, type SecureContext } from 'node:tls';

import type { Identity } from '../../support/stand-ins/certificates.js';

/** Faults of a proxy. */
export interface ProxyFaults {
  readonly certificate?: Identity;
  /** `missing`: it sends no X-Forwarded-For. `passed`: it sends what its client has sent. */
  readonly forwardedFor?: 'missing' | 'passed';
  readonly forwardedProto?: string;
  /** It forwards no upgrades. */
  readonly dropsUpgrades?: boolean;
  /** It cuts connections that are silent for so many milliseconds. */
  readonly cutsSilenceAfterMs?: number;
  /** Longest body that it announces to the service, in bytes. */
  readonly announcedLimit?: number;
  /** Longest body that it forwards before it cuts the connection, in bytes. */
  readonly forwardedLimit?: number;
  /** It forwards a body when all of it has come. */
  readonly buffersBodies?: boolean;
  /** A port at which nothing listens. */
  readonly target?: number;
  /** It answers by itself. */
  readonly page?: string;
}

/** A proxy with TLS before the service. Its faults can be changed while it runs. */
export class FaultyProxy {
  faults: ProxyFaults = {};
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: number,
  ) {}

  static async start(identity: Identity, target: number): Promise<FaultyProxy> {
    const contextOf = ({ cert, key }: Identity): SecureContext => createSecureContext({ cert, key });
    let proxy: FaultyProxy | undefined;
    const server = createServer({
      SNICallback: (_name, done) => done(null, contextOf(proxy?.faults.certificate ?? identity)),
      ...identity,
    });
    proxy = new FaultyProxy(server, target);
    proxy.listen();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get url(): string {
    return `https://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private listen(): void {
    this.server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
      socket.on('error', () => undefined);
    });
    this.server.on('request', (incoming, answer) => this.forward(incoming, answer));
    this.server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => this.upgrade(incoming, socket, head));
  }

  private headersOf({ headers, socket }: IncomingMessage): IncomingHttpHeaders {
    const { forwardedFor, forwardedProto = 'https' } = this.faults;
    const { 'x-forwarded-for': claimed, ...others } = headers;
    const client = forwardedFor === 'passed' ? claimed : forwardedFor === 'missing' ? undefined : socket.remoteAddress;
    const { host } = new URL(this.url);
    const added = { 'x-forwarded-proto': forwardedProto, 'x-forwarded-host': host };
    return { ...others, ...added, ...(client === undefined ? {} : { 'x-forwarded-for': client }) };
  }

  private forward(incoming: IncomingMessage, answer: ServerResponse): void {
    const { announcedLimit = Infinity, forwardedLimit = Infinity, buffersBodies = false, page, target = this.target } = this.faults;
    if (page !== undefined) return void answer.end(page);
    if (Number(incoming.headers['content-length'] ?? 0) > announcedLimit) {
      // The client closes. A connection that is closed while more comes in is reset, and the client may lose the answer.
      answer.writeHead(413, { connection: 'close', 'content-length': 0 }).flushHeaders();
      incoming.resume().on('close', () => answer.end());
      return undefined;
    }
    const { method, url } = incoming;
    const outgoing = request({ host: '127.0.0.1', port: target, method, path: url, headers: this.headersOf(incoming), agent: false });
    outgoing.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 0, response.headers);
      response.pipe(answer);
    });
    outgoing.on('error', () => {
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(502).end('Bad gateway');
    });
    const chunks: Buffer[] = [];
    let length = 0;
    incoming.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > forwardedLimit) incoming.destroy();
      else if (buffersBodies) chunks.push(chunk);
      else outgoing.write(chunk);
    });
    incoming.on('end', () => outgoing.end(Buffer.concat(chunks)));
    incoming.on('close', () => {
      if (!incoming.complete) outgoing.destroy();
    });
    if (buffersBodies) return undefined;
    outgoing.flushHeaders();
    return undefined;
  }

  private upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { dropsUpgrades = false, cutsSilenceAfterMs, target = this.target } = this.faults;
    socket.on('error', () => undefined);
    if (dropsUpgrades) {
      socket.end('HTTP/1.1 426 Upgrade Required\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const service = connect(target, '127.0.0.1');
    const lines = Object.entries(this.headersOf(incoming)).map(([name, value]) => `${name}: ${String(value)}`);
    service.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    service.write(head);
    service.on('error', () => socket.destroy());
    service.on('close', () => socket.destroy());
    socket.on('close', () => service.destroy());
    // Counted from the answer to the upgrade: a service that is busy before it is not silent.
    if (cutsSilenceAfterMs !== undefined) service.once('data', () => service.setTimeout(cutsSilenceAfterMs, () => service.destroy()));
    socket.pipe(service).pipe(socket);
  }
}
