import type { Encoding } from '../../protocol/messages.js';
import type { TransportName } from '../../transports/transport.js';
import { ClientCall } from '../calls/client-call.js';
import type { InvokeOptions } from '../calls/client-results.js';
import type { ConnectionFacts } from './connection-host.js';
import type { ConnectionRequest } from './connection-request.js';
import type { CloseOptions, HubConnection } from './hub-connection.js';
import type { ClientArguments, ClientMethodDescriptor, ClientParameters } from '../calls/method-descriptor.js';
import type { Outbox } from './outbox.js';

/** The connection behind a view. */
export interface ViewedConnection<User> {
  readonly facts: ConnectionFacts<User>;
  readonly transport: TransportName;
  readonly encoding: Encoding;
  readonly isOpen: boolean;
  readonly outbox: Outbox;
  /** Calls the client and waits for its answer. */
  ask<R>(call: ClientCall<R>, options: InvokeOptions): Promise<R | null>;
  vouch(): void;
  /** Ends it with a message to the client. */
  end(reason: string, options: CloseOptions): void;
  /** Ends it at once. */
  terminate(reason: string): void;
}

/** A connection as the program sees it. */
export class ConnectionView<User> implements HubConnection<User> {
  state: unknown = undefined;
  readonly #connection: ViewedConnection<User>;

  constructor(connection: ViewedConnection<User>) {
    this.#connection = connection;
  }

  get connectionId(): string {
    return this.#connection.facts.connectionId;
  }

  get user(): User {
    return this.#connection.facts.user;
  }

  get userId(): string | undefined {
    return this.#connection.facts.userId;
  }

  get remoteAddress(): string | undefined {
    return this.#connection.facts.remoteAddress;
  }

  get calledHost(): string | undefined {
    return this.#connection.facts.calledHost;
  }

  get request(): ConnectionRequest {
    return this.#connection.facts.request;
  }

  get transport(): TransportName {
    return this.#connection.transport;
  }

  get encoding(): Encoding {
    return this.#connection.encoding;
  }

  get isOpen(): boolean {
    return this.#connection.isOpen;
  }

  get isCongested(): boolean {
    return this.#connection.outbox.isCongested;
  }

  send<P extends ClientParameters>(method: ClientMethodDescriptor<P>, args: ClientArguments<P>): void {
    this.#connection.outbox.deliver(new ClientCall(method, args));
  }

  sendLatest<P extends ClientParameters>(key: string, method: ClientMethodDescriptor<P>, args: ClientArguments<P>): void {
    this.#connection.outbox.deliverLatest(key, new ClientCall(method, args));
  }

  invoke<P extends ClientParameters, R>(
    method: ClientMethodDescriptor<P, R>,
    args: ClientArguments<P>,
    options: InvokeOptions = {},
  ): Promise<R | null> {
    return this.#connection.ask(new ClientCall(method, args), options);
  }

  drained(): Promise<void> {
    return this.#connection.outbox.drained();
  }

  vouch(): void {
    this.#connection.vouch();
  }

  close(options: CloseOptions = {}): void {
    this.#connection.end(options.error ?? 'closed by the server', options);
  }

  abort(reason = 'aborted by the server'): void {
    this.#connection.terminate(reason);
  }
}
