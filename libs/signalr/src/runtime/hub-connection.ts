import { handshakeResponse, parseHandshake } from '../protocol/handshake.js';
import type { HubProtocol, MessageSink } from '../protocol/hub-protocol.js';
import { jsonProtocol } from '../protocol/json-protocol.js';
import {
  type CallMessage,
  type CompletionMessage,
  type Encoding,
  type HubMessage,
  MessageType,
  ProtocolError,
} from '../protocol/messages.js';
import { findProtocol } from '../protocol/protocols.js';
import type { Transport, TransportListener } from '../transports/transport.js';
import type { Backlog, BacklogOwner } from './backlog.js';
import { Calls } from './calls.js';
import { ClientCall } from './client-call.js';
import { ClientResults, type InvokeOptions } from './client-results.js';
import type { ConnectionClock } from './connection-clock.js';
import { ConnectionGoneError, DisconnectedError } from './errors.js';
import type { HubLimits } from './hub-options.js';
import { Inbox, type InboxReader } from './inbox.js';
import { type HubLogger, logError } from './logger.js';
import type { ClientArguments, ClientMethodDescriptor, ClientParameters } from './method-descriptor.js';
import type { Newcomers } from './newcomers.js';
import { Outbox, type OutboxOwner } from './outbox.js';
import { Replay } from './replay.js';
import { type Rota, type RotaReader, Share } from './rota.js';
import { Uploads } from './uploads.js';

/** Who connected, and from where. */
export interface ConnectionFacts<User = unknown> {
  readonly connectionId: string;
  /** What the hub's authenticator returned. */
  readonly user: User;
  readonly userId: string | undefined;
  readonly remoteAddress: string | undefined;
  /** Where the connection comes from, if it counts among the newcomers of that source until {@link HubConnection.vouch}. */
  readonly newcomerFrom?: string;
}

/** What a connection needs of the hub that it belongs to. */
export interface ConnectionHost {
  readonly path: string;
  readonly limits: HubLimits;
  readonly clock: ConnectionClock;
  readonly logger: HubLogger;
  readonly rota: Rota;
  readonly newcomers: Newcomers;
  readonly backlog: Backlog;
  /** A new id for a call of the server. No client uses such an id for a stream. */
  nextInvocationId(): string;
  /** The handshake is done. If there is a promise, calls wait until it has settled. It never rejects. */
  connected(connection: HubConnection): Promise<void> | undefined;
  /** Carries out a call, and reports the end of its turn with {@link HubConnection.turnEnded}. Never throws. */
  dispatch(connection: HubConnection, message: CallMessage): void;
  /** A connection whose handshake was done has ended. `connected` is the promise of {@link connected} if it has not settled. */
  disconnected(connection: HubConnection, reason: string, connected: Promise<void> | undefined): void;
  /** The transport has ended. */
  forget(connection: HubConnection): void;
}

/** The most bytes that a client's first frame may have when its end has not arrived: room for a handshake with messages behind it. */
const MAXIMUM_FIRST_FRAME = 16_384;
/** The version of the hub protocol that has stateful reconnect. */
const STATEFUL_VERSION = 2;
const NOT_VOUCHED_FOR = 'The client did not show in time who it is.';

/** `Connecting` lasts from the handshake until `onConnected` is done. */
const Phase = { Handshake: 0, Connecting: 1, Open: 2, Closed: 3 } as const;
type Phase = (typeof Phase)[keyof typeof Phase];

/**
 * One client, from its handshake to its end. The connection decides what a message means and when the socket is paused. The
 * rest is up to its parts: {@link Inbox} keeps bytes that cannot be read yet, {@link Outbox} sends, {@link Calls} gives turns,
 * and {@link Uploads} takes the client's streams. Parts that few connections need are made when they are first used, so that
 * an idle connection stays small.
 */
export class HubConnection<User = unknown> implements BacklogOwner, InboxReader, MessageSink, OutboxOwner, RotaReader, TransportListener {
  /** Others may know it: it is not enough to connect with. */
  readonly connectionId: string;
  /** What the hub's authenticator returned. */
  readonly user: User;
  readonly userId: string | undefined;
  readonly remoteAddress: string | undefined;
  /** Free for the program's own data about this connection. */
  state: unknown = undefined;
  /** The groups that it belongs to. The hub sets them. @internal */
  groups: Set<string> | undefined = undefined;
  /** @internal */
  readonly calls: Calls;
  /** @internal */
  readonly outbox: Outbox;

  readonly #inbox: Inbox;
  readonly #share: Share;
  readonly #openedAt: number;
  #newcomerFrom: string | undefined;
  /** Bytes of a frame whose end has not arrived. */
  #arriving = 0;
  /** Whether the backlog knows of unread bytes. */
  #isInBacklog = false;
  /** Whether it has read its share and waits in the rota for its next turn. */
  #isInRota = false;
  #phase: Phase = Phase.Handshake;
  #protocol: HubProtocol = jsonProtocol;
  #lastReceived: number;
  #isPaused = false;
  /** The promise of the host's `connected` until it has settled. */
  #connected: Promise<void> | undefined = undefined;
  #results: ClientResults | undefined = undefined;
  #uploads: Uploads | undefined = undefined;
  /** Set if the client may come back after its socket was lost. */
  #replay: Replay | undefined = undefined;
  /** Whether its socket is lost, and it has not come back. */
  #isAway = false;

  /** @internal */
  constructor(
    private readonly host: ConnectionHost,
    private readonly transport: Transport,
    facts: ConnectionFacts<User>,
  ) {
    this.connectionId = facts.connectionId;
    this.user = facts.user;
    this.userId = facts.userId;
    this.remoteAddress = facts.remoteAddress;
    this.#lastReceived = host.clock.time;
    this.#openedAt = host.clock.time;
    this.#newcomerFrom = facts.newcomerFrom;
    if (facts.newcomerFrom !== undefined) host.newcomers.enter(facts.newcomerFrom);
    this.#share = new Share(host.rota);
    this.calls = new Calls(host.limits);
    this.outbox = new Outbox(transport, host, this);
    this.#inbox = new Inbox(this);
  }

  /** The encoding that the client chose in its handshake. */
  get encoding(): Encoding {
    return this.#protocol.name;
  }

  /** True from the handshake to the end. */
  get isOpen(): boolean {
    return this.#phase === Phase.Open || this.#phase === Phase.Connecting;
  }

  /** Calls a client method and expects no answer. Does nothing when the connection has ended. */
  send<P extends ClientParameters>(method: ClientMethodDescriptor<P>, args: ClientArguments<P>): void {
    this.outbox.deliver(new ClientCall(method, args));
  }

  /**
   * Like {@link send}, for messages that a newer one makes worthless: a client that reads too slowly gets only the newest
   * message of each key.
   */
  sendLatest<P extends ClientParameters>(key: string, method: ClientMethodDescriptor<P>, args: ClientArguments<P>): void {
    this.outbox.deliverLatest(key, new ClientCall(method, args));
  }

  /**
   * Calls a client method and waits for its answer.
   * @returns the answer. Null when the client answered null, as a .NET client does whose handler failed
   * @throws ConnectionGoneError, DisconnectedError, ClientResultTimeoutError, ClientResultError, or what `decode` throws
   */
  invoke<P extends ClientParameters, R>(
    method: ClientMethodDescriptor<P, R>,
    args: ClientArguments<P>,
    options: InvokeOptions = {},
  ): Promise<R | null> {
    return this.request(new ClientCall(method, args), options);
  }

  /** Whether the client takes in what it is sent so slowly that a program should send it nothing more for now. */
  get isCongested(): boolean {
    return this.outbox.isCongested;
  }

  /** Waits until everything sent has left the process, or the connection has ended. */
  drained(): Promise<void> {
    return this.outbox.drained();
  }

  /** The program knows who the client is: the connection does not count among the newcomers any more. */
  vouch(): void {
    if (this.#newcomerFrom === undefined) return;
    this.host.newcomers.leave(this.#newcomerFrom);
    this.#newcomerFrom = undefined;
  }

  /** Ends the connection and tells the client why. The client does not reconnect by itself. */
  abort(reason: string): void {
    this.close(reason, { error: reason });
  }

  /** @internal */
  async request<R>(call: ClientCall<R>, options: InvokeOptions): Promise<R | null> {
    options.signal?.throwIfAborted();
    if (!this.isOpen) throw new ConnectionGoneError(this.connectionId);
    const invocationId = this.host.nextInvocationId();
    const frame = call.write(this.#protocol, invocationId);
    this.#results ??= new ClientResults();
    const timeoutMs = options.timeoutMs ?? this.host.limits.clientResultTimeoutMs;
    const answer = this.#results.expect(invocationId, call.method, timeoutMs, options.signal);
    this.#updateReading();
    this.outbox.write(frame);
    try {
      return await answer;
    } finally {
      this.#updateReading();
    }
  }

  /** The streams that the client sends. @internal */
  get uploads(): Uploads {
    return (this.#uploads ??= new Uploads(this.host.limits, (this.#results ??= new ClientResults()), () => this.#updateReading()));
  }

  /** A call has given its turn back, so that one that waits may start. @internal */
  turnEnded(): void {
    if (!this.calls.returnTurn()) return;
    this.#startWaiting();
    this.#updateReading();
    this.#readOn();
  }

  /** Goes on with what waits for its turn and with what is unread. @internal */
  takeTurn(): void {
    this.#isInRota = false;
    if (this.#phase === Phase.Open) this.#startWaiting();
    this.#readOn();
    this.#updateReading();
  }

  /** Checks handshake, silence, slow readers and keep-alive at `time`, in milliseconds. @internal */
  sweep(time: number): void {
    const { limits } = this.host;
    if (this.#phase === Phase.Closed) return;
    if (this.#phase === Phase.Handshake) {
      if (time - this.#lastReceived >= limits.handshakeTimeoutMs) this.#refuse('Handshake was canceled: it took too long.');
      return;
    }
    if (this.#isHeardFrom && time - this.#lastReceived >= limits.clientTimeoutMs) {
      const error = `The client was silent for ${limits.clientTimeoutMs} ms.`;
      return this.close('client timed out', { error, allowReconnect: true });
    }
    if (this.#newcomerFrom !== undefined && time - this.#openedAt >= limits.newcomerTimeoutMs) {
      return this.close('a newcomer for too long', { error: NOT_VOUCHED_FOR, allowReconnect: true });
    }
    this.#uploads?.sweep(time);
    this.outbox.sweep(time);
    this.#acknowledge();
  }

  /** Whether the client would be heard if it said something. */
  get #isHeardFrom(): boolean {
    return !this.#isPaused && !this.#isAway && this.transport.hasInherentKeepAlive !== true;
  }

  /**
   * Ends the connection with a close message; what was sent before still goes out.
   * @param reason for `onDisconnected` and the log
   * @param message what the client is told: why, and whether it may come back by itself
   * @internal
   */
  close(reason: string, { error, allowReconnect = false }: { readonly error?: string; readonly allowReconnect?: boolean } = {}): void {
    if (this.#phase === Phase.Closed) return;
    this.outbox.signal({ type: MessageType.Close, error, allowReconnect });
    this.#finish(reason);
    // A socket that is paused would never see the client's own close frame.
    if (this.#isPaused) this.transport.resume();
    this.transport.end();
  }

  /** Ends the connection at once, also one that is being closed. @internal */
  terminate(reason: string): void {
    this.#finish(reason);
    this.transport.terminate();
  }

  /** @internal */
  clientReadsTooSlowly(why: string): void {
    this.host.logger.warn(`Connection ${this.connectionId} of hub ${this.host.path} reads too slowly: ${why}.`);
    this.terminate('the client reads too slowly');
  }

  /** @internal */
  receive(data: Buffer): void {
    this.#arriving = 0;
    if (data.length === 0) return this.controlFrame();
    this.#inbox.receive(data);
    this.#waitIfSpent();
    this.#noteUnread();
    if (this.#replay?.countBytes(data.length) === true) this.#acknowledge();
  }

  /** @internal */
  arriving(bytes: number): void {
    if (this.#phase === Phase.Closed) return;
    // Pings count here, too, but are not kept: a frame is never larger than this.
    this.#arriving = Math.min(this.#arriving + bytes, this.host.limits.maximumFrameSize);
    if (this.#phase === Phase.Handshake && this.#arriving > MAXIMUM_FIRST_FRAME) return this.#refuse('The handshake is too large.');
    this.#noteUnread();
  }

  /** @internal */
  controlFrame(): void {
    this.#share.count();
    if (this.#share.isFlooded) return this.terminate('the client sends too many frames without messages');
    if (this.#share.isSpent) this.#waitInRota();
  }

  /** @internal */
  get isNewcomer(): boolean {
    return this.#newcomerFrom !== undefined;
  }

  /** @internal */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** @internal */
  get messageTimeoutMs(): number {
    return this.host.limits.messageTimeoutMs;
  }

  /** @internal */
  giveUp(why: string): void {
    this.host.logger.debug(`Connection ${this.connectionId} of hub ${this.host.path} ends: ${why}`);
    this.terminate(why);
  }

  /** @internal */
  transportDrained(): void {
    this.outbox.transportDrained();
  }

  /** What is unread was not acknowledged: the client sends it again. @internal */
  transportLost(): void {
    this.#isAway = true;
    this.#arriving = 0;
    this.#inbox.drop();
    this.#leaveBacklog();
    this.#replay?.lose();
  }

  /** @internal */
  transportReturned(): void {
    this.#isAway = false;
    this.#lastReceived = this.host.clock.time;
    if (this.#replay !== undefined) this.outbox.resend(this.#replay);
  }

  /** @internal */
  transportClosed(reason: string): void {
    this.#finish(reason);
    this.vouch();
    this.host.forget(this);
  }

  /** Whether messages stay unread for now: earlier ones have to come first, or the connection has read its share. @internal */
  get isHeld(): boolean {
    return this.#isInRota || this.#isBehindCalls || this.#share.isSpent;
  }

  /**
   * Whether calls wait for their turn, so that whatever comes behind them stays unread. While the server itself waits for an
   * answer or a stream of this client, a limited number of calls may wait without holding it up.
   */
  get #isBehindCalls(): boolean {
    if (this.calls.waiting === 0) return false;
    const awaitsClient = (this.#results?.size ?? 0) > 0 || (this.#uploads?.size ?? 0) > 0;
    return !awaitsClient || this.calls.waiting > this.host.limits.maximumWaitingMessages;
  }

  /** @internal */
  read(data: Buffer, searched: number): number {
    this.#share.begin();
    try {
      const used = this.#phase === Phase.Handshake ? this.#readHandshake(data) : this.#readMessages(data, searched);
      // What is unread from here on is the start of another message.
      if (used > 0) this.#leaveBacklog();
      return used;
    } catch (error) {
      if (!(error instanceof ProtocolError)) logError(this.host.logger, `Connection ${this.connectionId}`, error);
      this.#refuse(error instanceof ProtocolError ? error.message : 'The server could not read the message.');
      return data.length;
    } finally {
      this.#share.stop();
    }
  }

  /** @internal */
  accept(message: HubMessage): void {
    if (this.#phase === Phase.Closed) return;
    if (this.#replay?.admits(message) === false) return this.#share.count();
    this.#take(message);
  }

  /** Takes a message that has arrived, or one that has waited. */
  #take(message: HubMessage): void {
    if (this.#phase === Phase.Closed) return;
    this.#share.count();
    if (this.#phase === Phase.Connecting && !this.#isAwaited(message)) return this.#wait(message);
    switch (message.type) {
      case MessageType.Invocation:
      case MessageType.StreamInvocation:
        return this.calls.takeTurn(message) ? this.host.dispatch(this, message) : this.#wait(message);
      case MessageType.StreamItem:
        return this.#uploads?.receive(message, this.encoding);
      case MessageType.Completion:
        return this.#complete(message);
      case MessageType.CancelInvocation:
        return this.calls.cancel(message.invocationId);
      case MessageType.Close:
        return this.close('closed by the client');
      case MessageType.Ping:
        return;
      case MessageType.Ack:
        this.#replay?.acknowledge(message.sequenceId);
        return this.outbox.acknowledged();
      case MessageType.Sequence:
        return this.#replay?.resume(message.sequenceId);
    }
  }

  /** Tells the client how far its messages have come, if it has to know. */
  #acknowledge(): void {
    const sequenceId = this.#isAway ? undefined : this.#replay?.takeAcknowledgement();
    if (sequenceId !== undefined) this.outbox.signal({ type: MessageType.Ack, sequenceId });
  }

  /** Ends a stream of the client, or answers a call of the server. */
  #complete(message: CompletionMessage): void {
    if (this.#uploads?.complete(message) !== true) this.#results?.settle(message, this.encoding);
  }

  /** True for an answer that the server waits for, which `onConnected` may need to go on. */
  #isAwaited(message: HubMessage): boolean {
    return message.type === MessageType.Completion && this.#results?.awaits(message.invocationId) === true;
  }

  #wait(message: HubMessage): void {
    this.calls.wait(message);
    this.#updateReading();
  }

  #readHandshake(data: Buffer): number {
    const handshake = parseHandshake(data);
    if (handshake === undefined) return 0;
    const protocol = findProtocol(handshake.protocol);
    if (protocol === undefined) throw new ProtocolError(`The protocol '${handshake.protocol}' is not supported.`);
    if (protocol.binary && this.transport.isTextOnly === true) throw new ProtocolError(needsBytes(protocol.name));
    this.#protocol = protocol;
    this.#phase = Phase.Connecting;
    if (handshake.version >= STATEFUL_VERSION && this.transport.awaitReturn !== undefined) {
      this.transport.awaitReturn();
      this.#replay = new Replay(this.host.limits);
    }
    this.transport.write(handshakeResponse(), protocol.binary);
    this.outbox.open(protocol, this.#replay);
    const connected = this.host.connected(this);
    if (connected === undefined) this.#phase = Phase.Open;
    else this.#connected = connected.then(() => this.#open());
    return handshake.length + this.#readMessages(data.subarray(handshake.length), 0);
  }

  #readMessages(data: Buffer, searched: number): number {
    this.#lastReceived = this.host.clock.time;
    return this.#protocol.parse(data, this.host.limits.maximumMessageSize, this, searched);
  }

  /** `onConnected` is done: the messages that waited for it get their turn. */
  #open(): void {
    this.#connected = undefined;
    if (this.#phase !== Phase.Connecting) return;
    this.#phase = Phase.Open;
    this.calls.takeWaiting().forEach((message) => this.#take(message));
    this.#updateReading();
  }

  /** Pauses the socket while a stream is full, or calls or the connection wait for their turn, and resumes it afterwards. */
  #updateReading(): void {
    if (this.#phase === Phase.Closed) return;
    const pause = this.#isInRota || this.#uploads?.hasFull === true || this.#isBehindCalls;
    if (pause === this.#isPaused) return;
    this.#isPaused = pause;
    if (pause) return this.transport.pause();
    this.#lastReceived = this.host.clock.time;
    this.transport.resume();
    this.#readOn();
  }

  /** Reads what stayed unread. Calls that wait already come first. */
  #readOn(): void {
    if (this.calls.isStarting) return;
    this.#inbox.readOn();
    this.#waitIfSpent();
    this.#noteUnread();
  }

  #noteUnread(): void {
    if (this.#phase === Phase.Closed) return;
    const bytes = this.#arriving + this.#inbox.size;
    if (bytes === 0) return this.#leaveBacklog();
    this.#isInBacklog = true;
    this.host.backlog.note(this, bytes);
  }

  #leaveBacklog(): void {
    if (!this.#isInBacklog) return;
    this.#isInBacklog = false;
    this.host.backlog.forget(this);
  }

  #startWaiting(): void {
    this.calls.startWaiting(
      (waiting) => this.#take(waiting),
      () => !this.#share.isSpent,
    );
  }

  /** Lets others read when this connection has read its share and more waits. */
  #waitIfSpent(): void {
    if (this.#share.isSpent && (this.#inbox.hasUnread || this.calls.waiting > 0)) this.#waitInRota();
  }

  #waitInRota(): void {
    if (this.#isInRota || this.#phase === Phase.Closed) return;
    this.#isInRota = true;
    this.host.rota.wait(this);
    this.#updateReading();
  }

  #refuse(error: string): void {
    if (this.#phase !== Phase.Handshake) return this.close(error, { error, allowReconnect: true });
    this.transport.write(handshakeResponse(error), false);
    this.#finish(error);
    this.transport.end();
  }

  /** Ends everything that depends on this connection, once. */
  #finish(reason: string): void {
    if (this.#phase === Phase.Closed) return;
    const wasOpen = this.isOpen;
    this.#phase = Phase.Closed;
    const gone = new DisconnectedError(reason);
    this.host.rota.leave(this);
    this.#leaveBacklog();
    this.#inbox.close();
    this.outbox.close();
    this.#results?.failAll(gone);
    this.#uploads?.failAll(gone);
    this.calls.end();
    if (wasOpen) this.host.disconnected(this, reason, this.#connected);
  }
}

/** In the words of ASP.NET Core. */
function needsBytes(protocol: string): string {
  return `Cannot use the '${protocol}' protocol on the current transport. The transport does not support 'Binary' transfer format.`;
}
