import type { IncomingMessage } from 'node:http';
import type { HubProtocol } from '../../protocol/hub-protocol.js';
import type { HttpAnswer } from '../../transports/http-answer.js';
import type { TransportName } from '../../transports/transport.js';
import type { HubError } from '../errors.js';
import type { HubFilter } from './hub-filter.js';
import type { HubLimits } from '../limits/hub-limits.js';

/** The decision of an authenticator about a request: its client, or the HTTP answer that refuses it. */
export type Authentication<User = unknown> =
  | {
      readonly accept: true;
      readonly user: User;
      /** Makes the connection reachable through `HubContext.user`. All requests of a connection have to come from the same one. */
      readonly userId?: string;
      /** The time at which the authentication expires. Default: never. See {@link HubOptions.closeOnAuthenticationExpiration}. */
      readonly expiresAt?: Date;
    }
  | ({ readonly accept: false } & HttpAnswer);

export interface HubOptions<User = unknown> {
  readonly path: string;
  /** The transports that clients may use. Default: all. */
  readonly transports?: readonly TransportName[];
  /**
   * True if a client that asks for it may come back to its connection after its WebSocket was lost, without losing messages. Default false.
   */
  readonly statefulReconnect?: boolean;
  /**
   * Called when a client negotiates, when it connects, and for each request of server-sent events and long polling. Without it every client
   * may connect, and `user` is undefined.
   */
  readonly authenticate?: (request: IncomingMessage) => Promise<Authentication<User>> | Authentication<User>;
  /**
   * Ends a connection when its authentication expires. The client may come back. A poll, or a return with stateful reconnect, brings a new
   * authentication, which replaces the former one. Default false: the connection goes on, as with ASP.NET Core.
   */
  readonly closeOnAuthenticationExpiration?: boolean;
  /** The reason why a user whose request was accepted cannot open another connection now, as an HTTP answer. Default: every user can. */
  readonly refusalOf?: (user: User, request: IncomingMessage) => HttpAnswer | undefined;
  /** Checks that a page of the request's `Origin` may connect. If not, the answer is 403. Default: every page may. */
  readonly checkOrigin?: (request: IncomingMessage) => boolean;
  /** The client's address. Set it behind a proxy. Default: the address of the socket's other end. */
  readonly clientAddress?: (request: IncomingMessage) => string | undefined;
  /** The host of the service that the client called, for `HubConnection.calledHost`. Default: not kept. */
  readonly calledHost?: (request: IncomingMessage) => string;
  /** The name of the source that an address belongs to, for limits that count by source. Default: the address itself. */
  readonly sourceOf?: (address: string) => string;
  /** The names of the headers that `HubConnection.request` keeps, in any case. Default: all but those of credentials. */
  readonly keptHeaders?: readonly string[];
  /** True if the client is told the text of unexpected errors. Default false. */
  readonly detailedErrors?: boolean;
  /**
   * Returns the `HubError` that replaces another error of a method or of `onConnected`, for errors of other libraries whose text callers
   * may be told.
   */
  readonly hubErrorOf?: (error: unknown) => HubError | undefined;
  /** The protocols of the hub. Default: JSON and MessagePack. */
  readonly protocols?: readonly HubProtocol[];
  /** Run around connections and calls, the first one outermost, within those of the server. */
  readonly filters?: readonly HubFilter<User>[];
  readonly limits?: Partial<HubLimits>;
}
