import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { Injectable } from '@nestjs/common';

import { AGENT_HUB_PATH } from '../../common/addresses/hub-paths.js';
import { addressBlock } from '../addresses/address-block.js';
import { TrustedProxies } from '../addresses/trusted-proxies.js';

/** The first status that refuses a request. */
const FIRST_REFUSAL = 400;

/** Limits on unauthenticated connections. */
export class UnauthenticatedConnectionLimits {
  /** A company's browsers and agents have one address. Each of their connections is unauthenticated for some moments only. */
  readonly ofAddress: number = 1_000;
  /** Each takes a file descriptor and some 30 KiB of memory. Services usually have 65,536 descriptors at least. */
  readonly inAll: number = 8_000;
}

/** Unauthenticated connections that are counted together, and those of them that wait without a request under way, the longest first. */
class Group {
  count = 0;
  readonly idle = new Set<Socket>();

  constructor(
    readonly address: string,
    /** Maximum number of the connections. */
    readonly most: number,
  ) {}
}

/**
 * Bounds unauthenticated connections: those of clients that have neither authenticated nor changed to a WebSocket yet. For a new one beyond
 * the bound, the one is closed that has waited longest without a request under way; if there is none, the new one. So agents that come back
 * all at once get through, and connections that do nothing make room. Those of trusted proxies are not counted, as each carries the
 * requests of many.
 */
@Injectable()
export class UnauthenticatedConnections {
  private readonly groups = new Map<Socket, Group>();
  private readonly addresses = new Map<string, Group>();
  private readonly all: Group;

  constructor(
    private readonly proxies: TrustedProxies,
    private readonly limits: UnauthenticatedConnectionLimits,
  ) {
    this.all = new Group('', limits.inAll);
  }

  /** Bounds the connections of a server. */
  watch(server: Server): void {
    server.on('connection', (socket) => this.add(socket));
    server.prependListener('request', (request, response) => this.begin(request, response));
    server.prependListener('upgrade', (request) => this.release(request.socket));
  }

  /** Stops counting a connection: its client is known now, or it is closed. */
  release(socket: Socket): void {
    const group = this.groups.get(socket);
    if (group === undefined) return;
    this.groups.delete(socket);
    for (const each of [group, this.all]) {
      each.count -= 1;
      each.idle.delete(socket);
    }
    if (group.count === 0) this.addresses.delete(group.address);
  }

  /** Notes the answer of another node: a client that a hub has let in after its authentication is known from then on. */
  answeredElsewhere(request: IncomingMessage & { readonly originalUrl?: string }, { statusCode }: ServerResponse): void {
    const { originalUrl, url, socket } = request;
    if (statusCode < FIRST_REFUSAL && !isOfAgents(originalUrl ?? url)) this.release(socket);
  }

  private add(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    if (this.proxies.trusts(address, 0)) return;
    const block = addressBlock(address);
    const group = this.addresses.get(block) ?? new Group(block, this.limits.ofAddress);
    if (!this.makeRoom(group) || !this.makeRoom(this.all)) {
      socket.destroy();
      return;
    }
    this.addresses.set(block, group);
    this.groups.set(socket, group);
    for (const each of [group, this.all]) {
      each.count += 1;
      each.idle.add(socket);
    }
    socket.once('close', () => this.release(socket));
  }

  /** Makes room for one more, if need be by closing one that is idle, and returns true if there is room. */
  private makeRoom({ count, most, idle }: Group): boolean {
    if (count < most) return true;
    const [longest] = idle;
    if (longest === undefined) return false;
    this.release(longest);
    longest.destroy();
    return true;
  }

  private begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const group = this.groups.get(socket);
    if (group === undefined || isHeld(request)) return;
    for (const each of [group, this.all]) each.idle.delete(socket);
    response.once('close', () => {
      if (!this.groups.has(socket)) return;
      for (const each of [group, this.all]) each.idle.add(socket);
    });
  }
}

/**
 * Checks whether it is a poll or an event stream of the agent hub, where everybody may connect. Such a request waits as long as its client
 * likes, so that its connection counts as idle.
 */
function isHeld({ method, url }: IncomingMessage): boolean {
  return method === 'GET' && isOfAgents(url);
}

const isOfAgents = (url: string | undefined): boolean => url?.toLowerCase().startsWith(AGENT_HUB_PATH) === true;
