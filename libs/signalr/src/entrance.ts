import type { IncomingMessage } from 'node:http';
import type { ConnectionFacts } from './runtime/connection/connection-host.js';
import { ConnectionRequest } from './runtime/connection/connection-request.js';
import type { Authentication, HubOptions } from './runtime/hub/hub-options.js';
import type { RunningHub } from './runtime/hub/running-hub.js';
import { busyAnswer, type HttpAnswer, plainAnswer } from './transports/http-answer.js';

export const SHUTTING_DOWN = plainAnswer(503, 'The server is shutting down.');

const ANONYMOUS: Authentication = { accept: true, user: undefined };
const FOREIGN_PAGE = plainAnswer(403, 'This origin may not connect.');
const TOO_MANY_UNAUTHENTICATED = busyAnswer('Too many clients of this address have not identified themselves yet.');

/** A client that may come in. */
export type Admitted = Extract<Authentication, { accept: true }>;

/** The answer to a client that wants to open a connection. */
export type Examination =
  { readonly facts: ConnectionFacts; readonly refusal?: undefined } | { readonly facts?: undefined; readonly refusal: HttpAnswer };

/** Decides which clients may connect to a hub. */
export class Entrance {
  /** True once no client can open a connection any more. */
  isClosed = false;

  constructor(
    private readonly hub: RunningHub,
    private readonly options: HubOptions,
  ) {}

  /** Finds out the client of a request, and checks that its page may connect. */
  admit(request: IncomingMessage): Authentication | Promise<Authentication> {
    const { checkOrigin, authenticate } = this.options;
    // Without a decision, as in programs without types, nobody is admitted.
    if (checkOrigin !== undefined && !checkOrigin(request)) return { accept: false, ...FOREIGN_PAGE };
    return authenticate === undefined ? ANONYMOUS : authenticate(request);
  }

  /** The client for limits that count by client. */
  clientOf({ userId }: Admitted, request: IncomingMessage): string {
    return userId === undefined ? `source ${this.#sourceOf(request)}` : `user ${userId}`;
  }

  /** The reason why a client cannot open a connection now. Undefined when it can. */
  #refusalOf({ user, userId }: Admitted, request: IncomingMessage): HttpAnswer | undefined {
    if (this.isClosed) return SHUTTING_DOWN;
    const refusal = this.options.refusalOf?.(user, request);
    if (refusal !== undefined) return refusal;
    const hasRoom = userId !== undefined || this.hub.unauthenticated.hasRoom(this.#sourceOf(request));
    return hasRoom ? undefined : TOO_MANY_UNAUTHENTICATED;
  }

  /** The client of a connection that can be opened now, or the reason why it cannot. */
  examine(connectionId: string, admitted: Admitted, request: IncomingMessage): Examination {
    const refusal = this.#refusalOf(admitted, request);
    if (refusal !== undefined) return { refusal };
    const { user, userId } = admitted;
    const unauthenticatedSource = userId === undefined ? this.#sourceOf(request) : undefined;
    const facts: ConnectionFacts = {
      connectionId,
      user,
      userId,
      remoteAddress: this.#addressOf(request),
      expiresAt: this.#endOf(admitted),
      calledHost: this.options.calledHost?.(request),
      request: new ConnectionRequest(request, this.options.keptHeaders),
      trace: this.hub.diagnostics?.contextOf(request.headers),
      unauthenticatedSource,
    };
    return { facts };
  }

  /** Renews a connection whose client has come again and authenticated itself. */
  renew(connectionId: string, admitted: Admitted): void {
    if (this.options.closeOnAuthenticationExpiration === true) this.hub.renew(connectionId, this.#endOf(admitted));
  }

  /** The time at which a connection has to end, in milliseconds since 1970. Undefined: never. */
  #endOf({ expiresAt }: Admitted): number | undefined {
    return this.options.closeOnAuthenticationExpiration === true ? expiresAt?.getTime() : undefined;
  }

  #addressOf(request: IncomingMessage): string | undefined {
    return this.options.clientAddress === undefined ? request.socket.remoteAddress : this.options.clientAddress(request);
  }

  #sourceOf(request: IncomingMessage): string {
    const address = this.#addressOf(request) ?? '';
    return this.options.sourceOf?.(address) ?? address;
  }
}
