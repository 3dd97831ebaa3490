import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Hub } from './runtime/hub.js';
import type { Authentication, HubOptions } from './runtime/hub-options.js';
import { busyAnswer, type HttpAnswer, plainAnswer, respond } from './transports/http-answer.js';
import { NegotiationTable, negotiateBody, negotiateVersion, newConnectionId } from './transports/negotiation.js';
import { splitTarget, type Upgrade } from './transports/upgrade-router.js';
import { WebSocketAcceptor } from './transports/websocket-transport.js';

const ANONYMOUS: Authentication = { accept: true, user: undefined };

/** Lets clients in: it negotiates, authenticates, opens transports and hands them to the hub. */
export class HubEndpoint {
  readonly #negotiations: NegotiationTable;
  readonly #webSockets: WebSocketAcceptor;

  constructor(
    private readonly hub: Hub,
    private readonly options: HubOptions,
    private readonly nodeId: string,
    private readonly now: () => number,
  ) {
    this.#negotiations = new NegotiationTable(nodeId, hub.limits);
    this.#webSockets = new WebSocketAcceptor(hub.limits.maximumFrameSize);
  }

  /** Answers `POST <path>/negotiate`. */
  async negotiate(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume();
    const user = await this.#admit(request);
    if (!user.accept) return respond(response, user);
    const client = user.userId === undefined ? `source ${this.#sourceOf(request)}` : `user ${user.userId}`;
    const created = this.#negotiations.create(this.now(), client);
    if (created === undefined) return respond(response, busyAnswer('Too many connections are being opened.'));
    const version = negotiateVersion(splitTarget(request.url).query);
    respond(response, {
      status: 200,
      headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
      body: negotiateBody(version, created.connectionId, created.connectionToken),
    });
  }

  /** Opens a WebSocket. A client that has negotiated shows its token (`?id=<token>`); others get an id of their own here. */
  async upgrade(upgrade: Upgrade): Promise<void> {
    const { request, query } = upgrade;
    const admission = this.#admit(request);
    // Without a promise to wait for, the connection opens in the same turn.
    const user = admission instanceof Promise ? await admission : admission;
    if (!user.accept) return upgrade.refuse(user);
    const newcomerFrom = user.userId === undefined ? this.#sourceOf(request) : undefined;
    if (newcomerFrom !== undefined && !this.hub.newcomers.mayEnter(newcomerFrom)) {
      return upgrade.refuse(busyAnswer('Too many clients from there have not shown yet who they are.'));
    }
    const identity = this.#identify(query);
    if ('status' in identity) return upgrade.refuse(identity);
    if (!upgrade.take()) return;

    const { connectionId } = identity;
    const remoteAddress = this.#addressOf(request);
    this.#webSockets.accept(upgrade, (transport) => {
      this.hub.open(transport, { connectionId, user: user.user, userId: user.userId, remoteAddress, newcomerFrom });
    });
  }

  /** Forgets negotiated connections that were not opened in time. */
  sweep(): void {
    this.#negotiations.expire(this.now());
  }

  #admit(request: IncomingMessage): Authentication | Promise<Authentication> {
    if (this.options.checkOrigin?.(request) === false) return { accept: false, ...plainAnswer(403, 'This origin may not connect.') };
    return this.options.authenticate?.(request) ?? ANONYMOUS;
  }

  #addressOf(request: IncomingMessage): string | undefined {
    return this.options.clientAddress === undefined ? request.socket.remoteAddress : this.options.clientAddress(request);
  }

  #sourceOf(request: IncomingMessage): string {
    const address = this.#addressOf(request) ?? '';
    return this.options.sourceOf?.(address) ?? address;
  }

  #identify(query: string): { readonly connectionId: string } | HttpAnswer {
    const token = query === '' ? '' : (new URLSearchParams(query).get('id') ?? '');
    if (token === '') return { connectionId: newConnectionId(this.nodeId) };
    const claim = this.#negotiations.claim(token, this.now());
    if (claim.outcome === 'claimed') return claim;
    if (claim.outcome === 'in use') return plainAnswer(409, 'A connection with this id is open already.');
    return plainAnswer(404, 'No connection with this id.');
  }
}
