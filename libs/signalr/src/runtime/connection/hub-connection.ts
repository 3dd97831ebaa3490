import type { Encoding } from '../../protocol/messages.js';
import type { TransportName } from '../../transports/transport.js';
import type { InvokeOptions } from '../calls/client-results.js';
import type { ConnectionRequest } from './connection-request.js';
import type { ClientArguments, ClientMethodDescriptor, ClientParameters } from '../calls/method-descriptor.js';

/** The close message for a client. */
export interface CloseOptions {
  /** The reason of the end. Without it, the client takes the end for a normal one. */
  readonly error?: string;
  /** True if the client may come back by itself. Default false. */
  readonly allowReconnect?: boolean;
}

/** One client of a hub. `User` is what the hub's authenticator returns. */
export interface HubConnection<User = unknown> {
  /** Others may know it: it is not enough to connect with. */
  readonly connectionId: string;
  /** The value that the hub's authenticator returned. */
  readonly user: User;
  readonly userId: string | undefined;
  readonly remoteAddress: string | undefined;
  /** The host of the service that the client called, where the hub keeps it (`HubOptions.calledHost`). */
  readonly calledHost: string | undefined;
  /** The HTTP request that opened the connection, without credentials. */
  readonly request: ConnectionRequest;
  readonly transport: TransportName;
  /** The kind of values that the client's protocol carries. */
  readonly encoding: Encoding;
  /** True from the handshake to the end. */
  readonly isOpen: boolean;
  /** Free for the program's own data about this connection. */
  state: unknown;
  /** True while the client reads so slowly that a program should send it nothing more for now. */
  readonly isCongested: boolean;

  /** Calls a client method and expects no answer. Does nothing when the connection has ended. */
  send<P extends ClientParameters>(method: ClientMethodDescriptor<P>, args: ClientArguments<P>): void;
  /**
   * Like {@link send}, for messages that a newer one makes worthless: a client that reads too slowly gets only the newest
   * message of each key.
   */
  sendLatest<P extends ClientParameters>(key: string, method: ClientMethodDescriptor<P>, args: ClientArguments<P>): void;
  /**
   * Calls a client method and waits for its answer.
   * @returns the answer. Null when the client answered null, as a .NET client does whose handler failed
   * @throws ConnectionGoneError, DisconnectedError, ClientResultTimeoutError, ClientResultError, or what `decode` throws
   */
  invoke<P extends ClientParameters, R>(
    method: ClientMethodDescriptor<P, R>,
    args: ClientArguments<P>,
    options?: InvokeOptions,
  ): Promise<R | null>;
  /** Waits until everything sent has left the process, or the connection has ended. */
  drained(): Promise<void>;
  /** Counts the connection as authenticated: the program knows its client. */
  vouch(): void;
  /** Ends the connection with a message to the client, after everything sent before. */
  close(options?: CloseOptions): void;
  /** Ends the connection at once, without a message. `reason` is for `onDisconnected`. */
  abort(reason?: string): void;
}
