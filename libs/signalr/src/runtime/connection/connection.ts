import { handshakeResponse } from '../../protocol/handshake.js';
import type { HubProtocol, MessageSink } from '../../protocol/hub-protocol.js';
import { jsonProtocol } from '../../protocol/json-protocol.js';
import {
  type AckMessage,
  type CallMessage,
  type CloseMessage,
  type Encoding,
  type HubMessage,
  MessageType,
  type PingMessage,
  ProtocolError,
  type SequenceMessage,
} from '../../protocol/messages.js';
import type { Transport, TransportListener, TransportName } from '../../transports/transport.js';
import { ClientMessages, type MessagesOwner } from '../calls/client-messages.js';
import type { ClientQuestion, InvokeOptions } from '../calls/client-results.js';
import type { ConnectionFacts, ConnectionHost } from './connection-host.js';
import { ConnectionReading, type ReadingOwner } from './connection-reading.js';
import { ConnectionView, type ViewedConnection } from './connection-view.js';
import { EndReason } from '../end-reasons.js';
import { ConnectionGoneError } from '../errors.js';
import { readAgreement } from './handshaking.js';
import type { CloseOptions, HubConnection } from './hub-connection.js';
import { logError } from '../logger.js';
import { Outbox, type OutboxOwner } from './outbox.js';
import { endByTimeout } from './timeouts.js';
import { Replay } from './replay.js';

/** The most bytes that a client's first frame may have when its end has not arrived: room for a handshake with messages behind it. */
const MAXIMUM_FIRST_FRAME = 16_384;

/** `Connecting` lasts from the handshake until `onConnected` is done. */
const Phase = { Handshake: 0, Connecting: 1, Open: 2, Closed: 3 } as const;
type Phase = (typeof Phase)[keyof typeof Phase];

/**
 * One client, from its handshake to its end. {@link ConnectionReading} reads its bytes, {@link ClientMessages} carries out its messages,
 * {@link Outbox} sends, and {@link ConnectionView} shows the connection to the program.
 */
export class Connection<User = unknown>
  implements MessagesOwner, MessageSink, OutboxOwner, ReadingOwner, TransportListener, ViewedConnection<User>
{
  readonly connectionId: string;
  readonly view: HubConnection<User> = new ConnectionView<User>(this);
  readonly messages: ClientMessages;
  readonly outbox: Outbox;
  /** The groups that it belongs to. The hub sets them. */
  groups: Set<string> | undefined = undefined;

  readonly #reading: ConnectionReading;
  readonly #openedAt: number;
  #unauthenticatedSource: string | undefined;
  #expiresAt: number | undefined;
  #phase: Phase = Phase.Handshake;
  #protocol: HubProtocol = jsonProtocol;
  /** The promise of the host's `connected` until it has settled. Not there yet while that is called. */
  #connected: Promise<void> | undefined = undefined;
  /** Set if the client may come back after its socket was lost. */
  #replay: Replay | undefined = undefined;

  constructor(
    private readonly host: ConnectionHost<Connection>,
    private readonly socket: Transport,
    readonly facts: ConnectionFacts<User>,
  ) {
    this.connectionId = facts.connectionId;
    this.#openedAt = host.clock.time;
    this.#unauthenticatedSource = facts.unauthenticatedSource;
    this.#expiresAt = facts.expiresAt;
    if (facts.unauthenticatedSource !== undefined) host.unauthenticated.add(facts.unauthenticatedSource);
    this.messages = new ClientMessages(host, this);
    this.outbox = new Outbox(socket, host, this);
    this.#reading = new ConnectionReading(host, socket, this.messages, this);
  }

  get transport(): TransportName {
    return this.socket.name;
  }

  get encoding(): Encoding {
    return this.#protocol.encoding;
  }

  get isOpen(): boolean {
    return this.#phase === Phase.Open || this.#phase === Phase.Connecting;
  }

  get isConnecting(): boolean {
    return this.#phase === Phase.Connecting;
  }

  get isClosed(): boolean {
    return this.#phase === Phase.Closed;
  }

  /** Settles when `onConnected` is done. Undefined when it is. */
  get connected(): Promise<void> | undefined {
    return this.#connected;
  }

  /** Calls the client and waits for its answer. */
  ask<R>(call: ClientQuestion<R>, options: InvokeOptions): Promise<R | null> {
    const { diagnostics } = this.host;
    return diagnostics === undefined ? this.#ask(call, options) : diagnostics.ask(call.name, () => this.#ask(call, options));
  }

  vouch(): void {
    if (this.#unauthenticatedSource === undefined) return;
    this.host.unauthenticated.remove(this.#unauthenticatedSource);
    this.#unauthenticatedSource = undefined;
  }

  /**
   * Notes that the client has authenticated itself again.
   * @param expiresAt the end of this authentication, in milliseconds since 1970. Undefined: never
   */
  renew(expiresAt: number | undefined): void {
    this.#expiresAt = expiresAt;
  }

  /**
   * Ends the connection with a close message, after everything sent before.
   * @param reason for `onDisconnected` and the log
   * @param told the values of the close message
   */
  end(reason: string, { error, allowReconnect = false }: CloseOptions = {}): void {
    if (this.isClosed) return;
    this.outbox.signal({ type: MessageType.Close, error, allowReconnect });
    this.#finish(reason);
    // A socket that is paused would never see the client's own close frame.
    if (this.#reading.isPaused) this.socket.resume();
    this.socket.end();
  }

  /** Ends the connection at once, also one that is being closed. */
  terminate(reason: string): void {
    this.#finish(reason);
    this.socket.terminate();
  }

  /** Takes back the turn of a call, so that one that waits may start. */
  turnEnded(): void {
    if (!this.messages.calls.returnTurn()) return;
    this.#startCalls();
    this.#reading.update();
    this.#reading.readOn();
  }

  /** Checks handshake, authentication, silence, slow readers and keep-alive at `time`, in milliseconds. */
  sweep(time: number): void {
    if (this.isClosed) return;
    const { limits } = this.host;
    if (this.#hasExpired) return this.#expire();
    if (this.#phase === Phase.Handshake) {
      if (time - this.#openedAt >= limits.handshakeTimeoutMs) this.#refuse('Handshake was canceled: it took too long.');
      return;
    }
    const silentMs = time - this.#reading.lastReceived;
    const unauthenticatedMs = this.isUnauthenticated ? time - this.#openedAt : undefined;
    const end = endByTimeout({ silentMs: this.#isHeard ? silentMs : undefined, unauthenticatedMs }, limits);
    if (end !== undefined) return this.end(end.reason, end.told);
    this.messages.sweep(time);
    this.outbox.sweep(time);
    this.#acknowledge();
  }

  // Calls of the transport.

  receive(data: Buffer, waitedMs = 0): void {
    this.host.diagnostics?.received(data.length);
    this.#reading.receive(data, waitedMs);
    if (this.#replay?.countBytes(data.length) === true) this.#acknowledge();
  }

  arriving(bytes: number): void {
    if (this.isClosed) return;
    const arrived = this.#reading.arrive(bytes);
    if (this.#phase === Phase.Handshake && arrived > MAXIMUM_FIRST_FRAME) this.#refuse('The handshake is too large.');
  }

  controlFrame(): void {
    this.#reading.controlFrame();
  }

  endFlood(): void {
    this.terminate('the client sends too many frames without messages');
  }

  transportDrained(): void {
    this.outbox.transportDrained();
  }

  /** Drops the unread bytes. They were not acknowledged: the client sends them again. */
  transportLost(): void {
    this.#reading.drop();
    this.#replay?.lose();
  }

  transportReturned(): void {
    this.#reading.lastReceived = this.host.clock.time;
    if (this.#replay === undefined) return;
    this.#replay.comeBack();
    this.outbox.resend(this.#replay);
  }

  transportClosed(reason: string): void {
    this.#finish(reason);
    this.vouch();
    this.host.forget(this);
  }

  // Calls of the parts of the connection.

  get isHeld(): boolean {
    return this.#reading.isHeld;
  }

  get isUnauthenticated(): boolean {
    return this.#unauthenticatedSource !== undefined;
  }

  updateReading(): void {
    this.#reading.update();
  }

  startWaiting(): void {
    if (this.#phase === Phase.Open) this.#startCalls();
  }

  readMessages(data: Buffer, searched: number): number {
    try {
      return this.#phase === Phase.Handshake ? this.#readHandshake(data) : this.#parse(data, searched);
    } catch (error) {
      this.#refuseMessage(error);
      return data.length;
    }
  }

  accept(message: HubMessage, size = 0): void {
    if (this.isClosed) return;
    if (this.#replay?.admits(message) === false) return this.#reading.count();
    this.#take(message, size, this.#reading.arrivedAt);
  }

  dispatch(message: CallMessage, arrivedAt: number): void {
    this.host.dispatch(this, message, arrivedAt);
  }

  control(message: AckMessage | CloseMessage | PingMessage | SequenceMessage): void {
    switch (message.type) {
      case MessageType.Close:
        return this.end(EndReason.ClosedByClient);
      case MessageType.Ack:
        this.#replay?.acknowledge(message.sequenceId);
        return this.outbox.acknowledged();
      case MessageType.Sequence:
        return this.#replay?.resume(message.sequenceId);
      case MessageType.Ping:
        return;
    }
  }

  clientReadsTooSlowly(why: string): void {
    this.host.logger.warn(`Connection ${this.connectionId} of hub ${this.host.path} reads too slowly: ${why}.`);
    this.terminate(EndReason.ReadsTooSlowly);
  }

  giveUp(why: string): void {
    this.host.logger.debug(`Connection ${this.connectionId} of hub ${this.host.path} ends: ${why}`);
    this.terminate(why);
  }

  /** True if the authentication has expired. A time that is not a number counts as past. */
  get #hasExpired(): boolean {
    return this.#expiresAt !== undefined && !(this.host.date() < this.#expiresAt);
  }

  #expire(): void {
    const error = 'The authentication has expired.';
    if (this.#phase === Phase.Handshake) this.#refuse(error);
    else this.end(EndReason.AuthenticationExpired, { error, allowReconnect: true });
  }

  /** True if bytes of the client would arrive here now, so that its silence counts. */
  get #isHeard(): boolean {
    return !this.#reading.isPaused && this.#replay?.isAway !== true && this.socket.hasInherentKeepAlive !== true;
  }

  async #ask<R>(call: ClientQuestion<R>, options: InvokeOptions): Promise<R | null> {
    options.signal?.throwIfAborted();
    if (!this.isOpen) throw new ConnectionGoneError(this.connectionId);
    const invocationId = this.host.nextInvocationId();
    const frame = call.write(this.#protocol, invocationId);
    const timeoutMs = options.timeoutMs ?? this.host.limits.clientResultTimeoutMs;
    const answer = this.messages.results.expect(invocationId, call.method, timeoutMs, options.signal);
    this.#reading.update();
    this.outbox.write(frame, options.since);
    try {
      return await answer;
    } finally {
      this.#reading.update();
    }
  }

  #take(message: HubMessage, size: number, arrivedAt: number): void {
    if (this.isClosed) return;
    this.#reading.count();
    this.messages.take(message, size, arrivedAt);
  }

  #startCalls(): void {
    this.messages.calls.startWaiting(
      ({ message, size, arrivedAt }) => this.#take(message, size, arrivedAt),
      () => !this.#reading.isSpent,
    );
  }

  #readHandshake(data: Buffer): number {
    const agreement = readAgreement(data, (name) => this.host.findProtocol(name), this.socket);
    if (agreement === undefined) return 0;
    const { protocol, mayReturn, length } = agreement;
    this.#protocol = protocol;
    this.#phase = Phase.Connecting;
    if (mayReturn) {
      this.socket.awaitReturn?.();
      this.#replay = new Replay(this.host.limits, this.host.replayRoom);
    }
    this.socket.write(handshakeResponse(), protocol.binary);
    this.outbox.open(protocol, this.#replay);
    const connected = this.host.connected(this);
    if (connected === undefined) this.#phase = Phase.Open;
    else this.#connected = connected.then(() => this.#open());
    return length + this.#parse(data.subarray(length), 0);
  }

  #parse(data: Buffer, searched: number): number {
    this.#reading.lastReceived = this.host.clock.time;
    return this.#protocol.parse(data, this.host.limits.maximumMessageSize, this, searched);
  }

  /** Gives the messages that waited for `onConnected` their turn. */
  #open(): void {
    this.#connected = undefined;
    if (this.#phase !== Phase.Connecting) return;
    this.#phase = Phase.Open;
    try {
      this.messages.calls.takeWaiting().forEach(({ message, size, arrivedAt }) => this.#take(message, size, arrivedAt));
    } catch (error) {
      return this.#refuseMessage(error);
    }
    this.#reading.update();
  }

  /** Acknowledges the client's messages, if the client needs that now. */
  #acknowledge(): void {
    const sequenceId = this.#replay?.takeAcknowledgement();
    if (sequenceId !== undefined) this.outbox.signal({ type: MessageType.Ack, sequenceId });
  }

  /** Ends the connection of a client whose message breaks the protocol. */
  #refuseMessage(error: unknown): void {
    if (!(error instanceof ProtocolError)) logError(this.host.logger, `Connection ${this.connectionId}`, error);
    this.#refuse(error instanceof ProtocolError ? error.message : 'The server could not read the message.');
  }

  #refuse(error: string): void {
    if (this.#phase !== Phase.Handshake) return this.end(error, { error, allowReconnect: true });
    this.socket.write(handshakeResponse(error), false);
    this.#finish(error);
    this.socket.end();
  }

  /** Ends everything that depends on this connection, once. */
  #finish(reason: string): void {
    if (this.isClosed) return;
    const wasOpen = this.isOpen;
    this.#phase = Phase.Closed;
    this.#reading.close();
    this.outbox.close();
    this.#replay?.end();
    this.messages.end(reason);
    if (wasOpen) this.host.disconnected(this, reason);
  }
}
