import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Admitted, Entrance, type Examination, SHUTTING_DOWN } from './entrance.js';
import type { ConnectionFacts } from './runtime/connection/connection-host.js';
import { maximumFrameSize } from './runtime/limits/hub-limits.js';
import type { HubOptions } from './runtime/hub/hub-options.js';
import type { RunningHub } from './runtime/hub/running-hub.js';
import type { ConnectionHomes } from './transports/connection-homes.js';
import { newConnectionId } from './transports/connection-table.js';
import { busyAnswer, type HttpAnswer, plainAnswer, respond } from './transports/http-answer.js';
import { LongPollingTransport } from './transports/long-polling-transport.js';
import { negotiateBody, parseNegotiationQuery } from './transports/negotiation.js';
import { OpenTransports } from './transports/open-transports.js';
import { ReconnectingTransport } from './transports/reconnecting-transport.js';
import { ServerSentEventsTransport } from './transports/server-sent-events-transport.js';
import { type Transport, type TransportName, TRANSPORTS } from './transports/transport.js';
import { splitTarget, type Upgrade } from './transports/upgrade-router.js';
import { WebSocketAcceptor } from './transports/websocket-transport.js';

const ONLY_POST: HttpAnswer = { status: 405, headers: { Allow: 'POST' } };
const OTHER_METHOD: HttpAnswer = { status: 405, headers: { Allow: 'GET, POST, DELETE' } };
const NO_TOKEN = plainAnswer(400, 'A connection id is required.');
const UNKNOWN = plainAnswer(404, 'No connection with this id.');
const IN_USE = plainAnswer(409, 'A connection with this id is open already.');
const OTHER_TRANSPORT = plainAnswer(400, 'The connection uses another transport.');
const NO_POST = plainAnswer(405, 'A client with a WebSocket does not send by POST.');
const NO_DELETE = plainAnswer(400, 'DELETE ends connections over long polling only.');
const TOO_MANY_OPENING = busyAnswer('Too many connections are being opened.');

/** A connection that a request opens. */
interface Opening {
  readonly connectionId: string;
  /** Undefined when the client has not negotiated. */
  readonly token?: string;
  readonly stays: boolean;
}

/** The client of a request that belongs to an open connection, and the transport that a GET of its kind is for. */
interface Belonging {
  readonly connectionId: string;
  readonly user: Admitted;
  readonly name: TransportName;
}

/** Serves the HTTP requests of a hub's clients: it negotiates, opens their transports, and serves the requests that belong to these. */
export class HubEndpoint {
  readonly #entrance: Entrance;
  readonly #webSockets: WebSocketAcceptor;
  readonly #open = new OpenTransports();
  readonly #offered: readonly TransportName[];

  constructor(
    private readonly hub: RunningHub,
    private readonly options: HubOptions,
    private readonly nodeId: string,
    private readonly homes: ConnectionHomes,
  ) {
    this.#entrance = new Entrance(hub, options);
    this.#webSockets = new WebSocketAcceptor(maximumFrameSize(hub.limits), hub.limits.longestPauseMs);
    this.#offered = TRANSPORTS.filter((name) => options.transports?.includes(name) ?? true);
    hub.onForgotten = (connectionId) => this.#forget(connectionId);
  }

  /** Answers requests for `<path>/negotiate`. */
  async negotiate(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume();
    if (request.method !== 'POST') return respond(response, ONLY_POST);
    const user = await this.#entrance.admit(request);
    if (!user.accept) return respond(response, user);
    if (this.#entrance.isClosed) return respond(response, SHUTTING_DOWN);
    const { version, wantsToStay } = parseNegotiationQuery(splitTarget(request.url).query);
    const stays = wantsToStay && this.options.statefulReconnect === true;
    const negotiated = this.homes.issue({ version, client: this.#entrance.clientOf(user, request), userId: user.userId, stays });
    if (negotiated === undefined) return respond(response, TOO_MANY_OPENING);
    respond(response, {
      status: 200,
      headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
      body: negotiateBody(version, negotiated, { transports: this.#offered, stays }),
    });
  }

  /**
   * Opens a WebSocket. A client that has negotiated shows its token (`?id=<token>`), with which it may also come back; others get an
   * id of their own here.
   */
  async upgrade(upgrade: Upgrade): Promise<void> {
    const { request, query } = upgrade;
    const admission = this.#entrance.admit(request);
    // Without a promise to wait for, the connection opens in the same turn.
    const user = admission instanceof Promise ? await admission : admission;
    if (!user.accept) return upgrade.refuse(user);
    if (!this.#offered.includes('WebSockets')) return upgrade.refuse(notOffered('WebSockets'));
    const token = tokenIn(query);
    if (token === '') return this.#openWebSocket(upgrade, user, { connectionId: newConnectionId(this.nodeId), stays: false });
    const claimed = this.homes.claim(token, { userId: user.userId, opens: true, isWebSocket: true });
    const claim = claimed instanceof Promise ? await claimed : claimed;
    switch (claim.outcome) {
      case 'new':
        return this.#openWebSocket(upgrade, user, { ...claim, token });
      case 'open':
        return this.#takeOver(upgrade, claim.connectionId, user);
      case 'elsewhere':
        return claim.home.splice(upgrade);
      case 'unknown':
        return upgrade.refuse(UNKNOWN);
    }
  }

  /** Answers requests for the hub's path: GET opens an event stream or polls, POST sends, DELETE ends. */
  async request(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method } = request;
    if (method !== 'GET' && method !== 'POST' && method !== 'DELETE') return respond(response, OTHER_METHOD);
    const token = tokenIn(splitTarget(request.url).query);
    const known = this.homes.knownElsewhere?.(token);
    if (known !== undefined) return known.forward(request, response);
    const user = await this.#entrance.admit(request);
    if (!user.accept) return respond(response, user);
    if (token === '') return respond(response, NO_TOKEN);
    const opens = method === 'GET';
    const name = acceptsEvents(request) ? 'ServerSentEvents' : 'LongPolling';
    if (opens && !this.#offered.includes(name)) return respond(response, notOffered(name));
    const claimed = this.homes.claim(token, { userId: user.userId, opens, isWebSocket: false });
    const claim = claimed instanceof Promise ? await claimed : claimed;
    switch (claim.outcome) {
      case 'new':
        return this.#openOverHttp(request, response, user, { ...claim, token }, name);
      case 'open':
        return this.#serve(request, response, { connectionId: claim.connectionId, user, name });
      case 'elsewhere':
        return claim.home.forward(request, response);
      case 'unknown':
        return respond(response, UNKNOWN);
    }
  }

  /** Forgets negotiated connections that were not opened in time, and checks the open ones for clients that are away or do not read. */
  sweep(): void {
    this.homes.sweep();
    this.#open.sweep();
  }

  /** Negotiates and opens no more connections. Open ones are served until they have ended. */
  close(): void {
    this.#entrance.isClosed = true;
  }

  #openWebSocket(upgrade: Upgrade, user: Admitted, opening: Opening): void {
    const { facts, refusal } = this.#examine(opening, user, upgrade.request);
    if (facts === undefined) return upgrade.refuse(refusal);
    if (!upgrade.take()) return this.#giveBack(opening);
    const isOpen = this.#webSockets.accept(upgrade, (socket) => {
      const transport = opening.stays ? new ReconnectingTransport(socket, this.hub) : socket;
      this.#enter(transport, opening, facts);
    });
    if (!isOpen) this.#giveBack(opening);
  }

  #openOverHttp(request: IncomingMessage, response: ServerResponse, user: Admitted, opening: Opening, name: TransportName): void {
    const { facts, refusal } = this.#examine(opening, user, request);
    if (facts === undefined) return respond(response, refusal);
    // The client may have left during its authentication.
    if (response.closed) return this.#giveBack(opening);
    const transport =
      name === 'LongPolling' ? new LongPollingTransport(response, this.hub) : new ServerSentEventsTransport(response, this.hub);
    this.#enter(transport, opening, facts);
  }

  /** Finds out the client of a connection before anything is opened. Gives back one that cannot be opened, also when the program fails. */
  #examine(opening: Opening, user: Admitted, request: IncomingMessage): Examination {
    let examination: Examination | undefined;
    try {
      examination = this.#entrance.examine(opening.connectionId, user, request);
      return examination;
    } finally {
      if (examination?.facts === undefined) this.#giveBack(opening);
    }
  }

  #enter(transport: Transport, { connectionId, token }: Opening, facts: ConnectionFacts): void {
    if (token !== undefined) this.#open.add(connectionId, token, transport);
    this.hub.open(transport, facts);
  }

  /** Lets a client go on over another WebSocket. */
  #takeOver(upgrade: Upgrade, connectionId: string, user: Admitted): void {
    const transport = this.#open.find(connectionId);
    if (!(transport instanceof ReconnectingTransport) || !transport.mayReturn) return upgrade.refuse(IN_USE);
    if (!upgrade.take()) return;
    this.#webSockets.accept(upgrade, (socket) => {
      this.#entrance.renew(connectionId, user);
      transport.takeOver(socket);
    });
  }

  /** Answers a request that belongs to an open transport. A poll renews the authentication of its connection. */
  #serve(request: IncomingMessage, response: ServerResponse, { connectionId, user, name }: Belonging): void {
    const transport = this.#open.find(connectionId);
    if (transport === undefined) return respond(response, UNKNOWN);
    const isPolled = transport instanceof LongPollingTransport;
    if (request.method === 'POST') {
      if (isPolled || transport instanceof ServerSentEventsTransport) transport.post(request, response);
      else respond(response, NO_POST);
    } else if (request.method === 'DELETE') {
      if (isPolled) transport.delete(response);
      else respond(response, NO_DELETE);
    } else if (transport.name !== name) respond(response, OTHER_TRANSPORT);
    else if (isPolled) {
      this.#entrance.renew(connectionId, user);
      transport.poll(response);
    } else respond(response, IN_USE);
  }

  /** Gives back a connection that was claimed and cannot be opened. */
  #giveBack({ token }: Opening): void {
    if (token !== undefined) this.homes.ended(token);
  }

  #forget(connectionId: string): void {
    const token = this.#open.remove(connectionId);
    if (token !== undefined) this.homes.ended(token);
  }
}

function tokenIn(query: string): string {
  return query === '' ? '' : (new URLSearchParams(query).get('id') ?? '');
}

/** True for a request for an event stream. */
function acceptsEvents({ headers }: IncomingMessage): boolean {
  const accepted = headers.accept?.split(',') ?? [];
  return accepted.some((range) => range.split(';', 1)[0].trim().toLowerCase() === 'text/event-stream');
}

function notOffered(name: TransportName): HttpAnswer {
  return plainAnswer(404, `The hub does not offer the transport ${name}.`);
}
