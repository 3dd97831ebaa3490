import { Agent, type ClientRequest, type ClientRequestArgs, type IncomingMessage, request as httpRequest } from 'node:http';
import { connect, type NetConnectOpts, type Socket } from 'node:net';

import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import type { Dispatcher } from 'undici';

import { codeOf, hasCode } from '../../../platform/common/errors/system-error.js';
import { Settings } from '../../../platform/config/settings.js';
import { hostInUrl } from '../../../platform/config/url-text.js';
import type { Edge } from '../../../platform/http/addresses/edge.js';
import { PublicUrl } from '../../../platform/http/addresses/public-url.js';
import { TrustedProxies } from '../../../platform/http/addresses/trusted-proxies.js';
import { readAtOf } from '../../../platform/http/read-time.js';
import { requestIdOf } from '../../../platform/http/request-id.js';
import { ServerNode } from '../../../platform/node/server-node.js';
import type { NodeAddress } from './node-addresses.js';
import { NodeProof, type Proved } from './node-proof.js';
import { CONNECT_MS, IDLE_MS, MAXIMUM_IDLE, type ShortConnection, ShortConnections } from './short-connections.js';

/** Most bytes that are read at a time. */
const READ_BYTES = 65_536;

/**
 * Keeps connections between requests for {@link IDLE_MS}. The agent of Node.js would parse the headers of each answer for a time that the
 * other node names, and watch the time of each request as well.
 */
class NodeAgent extends Agent {
  /** Buffer of all connections. Each read is parsed at once, and the parser copies what it passes on. */
  private readonly buffer = Buffer.allocUnsafeSlow(READ_BYTES);

  /** Opens a connection that is read into that buffer. Node.js would take new memory for each read. */
  override createConnection(options: ClientRequestArgs): Socket {
    const socket = connect({
      ...(options as NetConnectOpts),
      onread: {
        buffer: this.buffer,
        callback: (length, bytes) => {
          socket.emit('data', bytes.subarray(0, length));
          return true;
        },
      },
    });
    return socket;
  }

  override keepSocketAlive(socket: Socket): boolean {
    if (socket.timeout !== IDLE_MS) socket.setTimeout(IDLE_MS);
    socket.unref();
    return true;
  }
}

/** A connection to another node was not open in time. */
class ConnectTimeout extends Error {
  override readonly name = 'ConnectTimeout';
}

/**
 * The end of an attempt to let another node answer. Only after `answered` and `broken` may that node have done something. `misdirected`: it
 * is not the home. `gone`: there is no such process any more. `busy`: this node passes too much on already.
 */
export type Passed = 'answered' | 'misdirected' | 'gone' | 'unreachable' | 'busy' | 'broken';

/** Opens requests and connections to the internal ports of other nodes. */
@Injectable()
export class NodeRequests implements OnApplicationShutdown {
  private readonly agent = new NodeAgent({ keepAlive: true, maxFreeSockets: MAXIMUM_IDLE });
  private readonly short = new ShortConnections();
  private readonly proof: NodeProof;

  constructor(
    private readonly proxies: TrustedProxies,
    private readonly publicUrl: PublicUrl,
    private readonly node: ServerNode,
    settings: Settings,
  ) {
    this.proof = new NodeProof(settings.nodes.secret, () => node.databaseTime());
  }

  onApplicationShutdown(): void {
    this.agent.destroy();
    this.short.close();
  }

  /** A client's request as this node received it. */
  provedOf(request: IncomingMessage & { readonly originalUrl?: string }): Proved {
    const { method = 'GET', originalUrl, url = '/' } = request;
    return { method, url: originalUrl ?? url, edge: this.edgeOf(request) };
  }

  /** Begins a request to a node, with the names and values of its headers. */
  request(proved: Proved, { host, port }: NodeAddress, headers: readonly string[]): ClientRequest {
    const { method, url } = proved;
    const provedHeaders = this.withProof(proved, headers);
    const outgoing = httpRequest({ agent: this.agent, host, port, method, path: url, headers: provedHeaders, setHost: false });
    outgoing.once('socket', (socket) => limitConnecting(socket, (error) => outgoing.destroy(error)));
    return outgoing;
  }

  /** Takes a connection to a node for one short message. It has to be given back. */
  take({ host, port }: NodeAddress): ShortConnection {
    return this.short.take(`http://${hostInUrl(host)}:${port}`);
  }

  /** Gives a connection back. It is kept for the next message if it may be used again, and closed otherwise. */
  giveBack(connection: ShortConnection, mayBeUsed: boolean): void {
    this.short.giveBack(connection, mayBeUsed);
  }

  /** Sends a short message by undici. It costs less than the client of Node.js, but takes new memory for each read: files go by the other. */
  send(
    { client }: ShortConnection,
    proved: Proved,
    headers: readonly string[],
    body: Buffer | null,
    answer: Dispatcher.DispatchHandler,
  ): void {
    const { method, url } = proved;
    client.dispatch({ method, path: url, headers: this.withProof(proved, headers), body }, answer);
  }

  /** The headers that prove a request. */
  proofOf(proved: Proved): Record<string, string> {
    return this.proof.prove(proved);
  }

  /** Opens a connection to a node. @throws the error of the system, or one that is {@link failureOf} `unreachable` */
  connect({ host, port }: NodeAddress): Promise<Socket> {
    const socket = connect({ host, port, noDelay: true });
    limitConnecting(socket, (error) => socket.destroy(error));
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(socket);
      });
    });
  }

  /** A time of the monotonic clock by the database's clock, which all nodes share; both in milliseconds. */
  databaseTimeOf(time: number | undefined): number | undefined {
    return time === undefined ? undefined : this.node.databaseTime() - (performance.now() - time);
  }

  private withProof(proved: Proved, headers: readonly string[]): string[] {
    return [...headers, ...Object.entries(this.proof.prove(proved)).flat()];
  }

  private edgeOf(request: IncomingMessage): Edge {
    return {
      address: this.proxies.addressOf(request),
      isSecure: this.publicUrl.schemeOf(request) === 'https',
      host: this.publicUrl.calledHost(request),
      requestId: requestIdOf(request),
      readAt: this.databaseTimeOf(readAtOf(request)),
    };
  }
}

/** Codes of errors of the system and of undici. */
const UNREACHABLE_CODES = [
  'UND_ERR_CONNECT_TIMEOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EADDRNOTAVAIL',
];

/** The failure of a request or a connection to a node, by its error. */
export function failureOf(error: unknown): Extract<Passed, 'gone' | 'unreachable' | 'broken'> {
  if (codeOf(error) === 'ECONNREFUSED') return 'gone';
  return error instanceof ConnectTimeout || hasCode(error, ...UNREACHABLE_CODES) ? 'unreachable' : 'broken';
}

function limitConnecting(socket: Socket, giveUp: (error: Error) => void): void {
  if (!socket.connecting) return;
  const timer = setTimeout(() => giveUp(new ConnectTimeout('The node did not answer in time.')), CONNECT_MS);
  // A socket that later requests use must not keep the first one, and the client's connection with it.
  const forget = (): void => {
    clearTimeout(timer);
    socket.off('connect', forget).off('close', forget);
  };
  socket.on('connect', forget).on('close', forget);
}
