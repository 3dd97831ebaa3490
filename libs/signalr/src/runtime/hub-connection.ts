import { handshakeResponse, parseHandshake } from '../protocol/handshake.js';
import type { Frame, HubProtocol, MessageSink } from '../protocol/hub-protocol.js';
import { jsonProtocol } from '../protocol/json-protocol.js';
import { messagePackProtocol } from '../protocol/messagepack-protocol.js';
import {
  type Encoding,
  type HubMessage,
  type InvocationMessage,
  MessageType,
  ProtocolError,
  type StreamInvocationMessage,
  type StreamItemMessage,
} from '../protocol/messages.js';
import { UnreadBytes } from '../protocol/unread-bytes.js';
import type { Transport, TransportListener } from '../transports/transport.js';
import { ClientCall } from './client-call.js';
import { ClientResults, type InvokeOptions } from './client-results.js';
import { ConnectionGoneError, DisconnectedError, messageOf } from './errors.js';
import type { Hub } from './hub.js';
import type { Invocation } from './invocation.js';
import type { ClientArguments, ClientMethodDescriptor, ClientParameters } from './method-descriptor.js';
import { type StreamOwner, UploadStream } from './upload-stream.js';
import type { WireType } from './wire-type.js';

/** Who connected, from where, and what the authenticator said. */
export interface ConnectionFacts<User = unknown> {
  readonly connectionId: string;
  readonly user: User;
  readonly userId: string | undefined;
  readonly remoteAddress: string | undefined;
}

interface Upload {
  readonly stream: UploadStream<unknown>;
  readonly items: WireType<unknown>;
  /** How many calls the server had made to the client when the stream was opened. */
  readonly askedBefore: number;
  /** What a sweep saw of its consumer, when that was, and how many calls had been made by then. */
  taken: number;
  seenAt: number;
  askedByThen: number;
}

/** A full stream may take this part of what slow streams may still hold, once a sweep. */
const SLOW_STREAM_SHARE = 1 / 16;

const Phase = { Handshake: 0, Connecting: 1, Open: 2, Closed: 3 } as const;
type Phase = (typeof Phase)[keyof typeof Phase];

const PROTOCOLS: Readonly<Record<string, HubProtocol>> = { json: jsonProtocol, messagepack: messagePackProtocol };
const PING = { json: jsonProtocol.write({ type: MessageType.Ping }), messagepack: messagePackProtocol.write({ type: MessageType.Ping }) };

/**
 * One client, from its handshake to its end. Everything that most connections never need (streams, pending results,
 * groups, waiting messages) is made when it is first used, so that an idle connection stays small.
 */
export class HubConnection<User = unknown> implements MessageSink, StreamOwner, TransportListener {
  /** Public: other parties may know it, it opens nothing. */
  readonly connectionId: string;
  /** Whatever the hub's authenticator returned. */
  readonly user: User;
  readonly userId: string | undefined;
  readonly remoteAddress: string | undefined;
  /** A place for the program's own data about this connection. */
  state: unknown = undefined;
  /** The groups it is in; kept by the hub. @internal */
  groups: Set<string> | undefined = undefined;

  #phase: Phase = Phase.Handshake;
  #protocol: HubProtocol = jsonProtocol;
  #lastReceived: number;
  #lastSent: number;
  #unread: UnreadBytes | undefined = undefined;
  /** Bytes at the start of `#unread` that are known to hold no whole message. */
  #searched = 0;
  #reading = false;
  #connected: Promise<void> | undefined = undefined;

  #running = 0;
  #waiting: HubMessage[] | undefined = undefined;
  #starting = false;
  #tracked: Map<string | Invocation, Invocation> | undefined = undefined;
  /** Those whose end has not arrived, by their id. */
  #uploads: Map<string, Upload> | undefined = undefined;
  /** Streams of all calls that run, whether or not their end has arrived. */
  #streams = 0;
  #fullStreams = 0;
  #paused = false;
  #results: ClientResults | undefined = undefined;

  #latest: Map<string, Frame> | undefined = undefined;
  #latestBytes = 0;
  #drainWaiters: (() => void)[] | undefined = undefined;
  /** When it was last asked to be told that everything has left; undefined once it was told. */
  #drainRequestedAt: number | undefined = undefined;

  /** @internal */
  constructor(
    private readonly hub: Hub,
    private readonly transport: Transport,
    facts: ConnectionFacts<User>,
  ) {
    this.connectionId = facts.connectionId;
    this.user = facts.user;
    this.userId = facts.userId;
    this.remoteAddress = facts.remoteAddress;
    this.#lastReceived = hub.clock.time;
    this.#lastSent = hub.clock.time;
  }

  /** The encoding that the client chose in its handshake. */
  get encoding(): Encoding {
    return this.#protocol.name;
  }

  /** From the handshake to the end. */
  get isOpen(): boolean {
    return this.#phase === Phase.Open || this.#phase === Phase.Connecting;
  }

  /** Calls a client method that answers nothing. Dropped silently when the connection has ended. */
  send<P extends ClientParameters>(method: ClientMethodDescriptor<P>, args: ClientArguments<P>): void {
    this.deliver(new ClientCall(method, args));
  }

  /**
   * Like {@link send}, for news that outdate each other: while the client reads too slowly, only the newest message of
   * each key is kept for it.
   */
  sendLatest<P extends ClientParameters>(key: string, method: ClientMethodDescriptor<P>, args: ClientArguments<P>): void {
    this.deliverLatest(key, new ClientCall(method, args));
  }

  /**
   * Calls a client method and waits for its answer.
   * @returns the answer; null when the client answered null, which is also what a failed handler of a .NET client sends
   * @throws ConnectionGoneError, DisconnectedError, ClientResultTimeoutError, ClientResultError, or what `decode` throws
   */
  invoke<P extends ClientParameters, R>(
    method: ClientMethodDescriptor<P, R>,
    args: ClientArguments<P>,
    options: InvokeOptions = {},
  ): Promise<R | null> {
    return this.request(new ClientCall(method, args), options);
  }

  /** Ends the connection and tells the client why; it will not come back by itself. */
  abort(reason: string): void {
    this.close(reason, reason);
  }

  /** @internal */
  deliver(call: ClientCall): void {
    if (this.isOpen) this.#writeFrame(call.frame(this.#protocol));
  }

  /** @internal */
  deliverLatest(key: string, call: ClientCall): void {
    if (!this.isOpen) return;
    const frame = call.frame(this.#protocol);
    if (this.#latest === undefined && !this.isCongested) return this.#writeFrame(frame);
    this.#latest ??= new Map();
    this.#latestBytes += frame.length - (this.#latest.get(key)?.length ?? 0);
    this.#latest.set(key, frame);
    if (this.#latestBytes > this.hub.limits.maximumUnsentBytes) this.#endOverfullConsumer();
    else this.#requestDrain();
  }

  /** @internal */
  async request<R>(call: ClientCall<R>, options: InvokeOptions): Promise<R | null> {
    options.signal?.throwIfAborted();
    if (!this.isOpen) throw new ConnectionGoneError(this.connectionId);
    const invocationId = this.hub.nextInvocationId();
    const frame = call.write(this.#protocol, invocationId);
    this.#results ??= new ClientResults();
    const timeoutMs = options.timeoutMs ?? this.hub.limits.clientResultTimeoutMs;
    const answer = this.#results.expect(invocationId, call.method, timeoutMs, options.signal);
    this.#updateReading();
    this.#writeFrame(frame);
    try {
      return await answer;
    } finally {
      this.#updateReading();
    }
  }

  /** Sends a message that answers something the client asked. @internal */
  write(message: HubMessage): void {
    if (this.isOpen) this.#writeFrame(this.#protocol.write(message));
  }

  /** More waits to leave than streams and news should add to. @internal */
  get isCongested(): boolean {
    return this.transport.bufferedAmount > this.hub.limits.sendHighWaterMark;
  }

  /** Waits until everything sent has left, or the connection has ended. @internal */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#phase === Phase.Closed) return resolve();
      (this.#drainWaiters ??= []).push(resolve);
      this.#requestDrain();
    });
  }

  receive(data: Buffer): void {
    if (this.#phase === Phase.Closed) return;
    this.#unread?.append(data);
    if (!this.isHeld) this.#read(this.#unread?.all ?? data);
    else this.#unread ??= new UnreadBytes(data);
  }

  /**
   * Whether calls wait for their turn, so that what the socket has brought behind them stays unread. A few may wait while
   * the server itself waits for something from this client, which only the socket can bring.
   */
  get isHeld(): boolean {
    if (this.#waiting === undefined) return false;
    const awaitsClient = (this.#results?.size ?? 0) > 0 || (this.#uploads?.size ?? 0) > 0;
    return !awaitsClient || this.#waiting.length > this.hub.limits.maximumWaitingMessages;
  }

  accept(message: HubMessage): void {
    if (this.#phase === Phase.Closed) return;
    if (this.#phase === Phase.Connecting && !this.#isAwaited(message)) return this.#wait(message);
    switch (message.type) {
      case MessageType.Invocation:
      case MessageType.StreamInvocation:
        return this.#admit(message);
      case MessageType.StreamItem:
        return this.#receiveItem(message);
      case MessageType.Completion: {
        const upload = this.#uploads?.get(message.invocationId);
        if (upload === undefined) return this.#results?.settle(message, this.encoding);
        this.#uploads?.delete(message.invocationId);
        if (message.error === undefined) upload.stream.complete();
        else upload.stream.fail(new Error(message.error));
        return this.#updateReading();
      }
      case MessageType.CancelInvocation:
        return this.#tracked?.get(message.invocationId)?.cancel();
      case MessageType.Close:
        return this.close(undefined, 'closed by the client');
      case MessageType.Ping:
      case MessageType.Ack:
      case MessageType.Sequence:
        return;
    }
  }

  transportDrained(): void {
    this.#drainRequestedAt = undefined;
    this.#flushLatest();
    const waiters = this.#drainWaiters;
    this.#drainWaiters = undefined;
    waiters?.forEach((resolve) => resolve());
  }

  transportClosed(reason: string): void {
    this.#finish(reason);
    this.hub.forget(this);
  }

  /** Takes room for the streams of a call until it is done. False when there is too little. @internal */
  reserveStreams(count: number): boolean {
    if (count > 0 && this.#streams + count > this.hub.limits.maximumStreams) return false;
    this.#streams += count;
    return true;
  }

  /** @internal */
  releaseStreams(count: number): void {
    this.#streams -= count;
  }

  /** Opens a stream from the client; undefined when the id is in use. @internal */
  openUpload(streamId: string, items: WireType<unknown>): UploadStream<unknown> | undefined {
    this.#uploads ??= new Map();
    if (this.#uploads.has(streamId)) return undefined;
    const stream = new UploadStream<unknown>(this, this.hub.limits.streamBufferCapacity);
    this.#uploads.set(streamId, { stream, items, askedBefore: this.#asked, taken: -1, seenAt: 0, askedByThen: 0 });
    this.#updateReading();
    return stream;
  }

  /** Nobody reads these streams any more; what still arrives for them is dropped. @internal */
  closeUploads(streamIds: readonly string[]): void {
    for (const streamId of streamIds) {
      this.#uploads?.get(streamId)?.stream.abandon();
      this.#uploads?.delete(streamId);
    }
    this.#updateReading();
  }

  streamFilled(): void {
    this.#fullStreams++;
    this.#updateReading();
  }

  streamDrained(): void {
    this.#fullStreams--;
    this.#updateReading();
  }

  /** Lets the client's cancellation and the end of the connection reach `invocation`. @internal */
  track(invocation: Invocation): void {
    if (this.#phase === Phase.Closed) return invocation.cancel();
    (this.#tracked ??= new Map()).set(invocation.invocationId ?? invocation, invocation);
  }

  /** @internal */
  untrack(invocation: Invocation): void {
    this.#tracked?.delete(invocation.invocationId ?? invocation);
  }

  /** Whether a call with this id can be cancelled, so that no second one may use it. @internal */
  isTracked(invocationId: string): boolean {
    return this.#tracked?.has(invocationId) ?? false;
  }

  /** A call is done, so that a waiting one may start. @internal */
  finished(message: InvocationMessage | StreamInvocationMessage): void {
    if (!takesTurn(message)) return;
    this.#running--;
    if (this.#waiting !== undefined && !this.#starting) this.#startWaiting();
  }

  /** Checks keep-alive, silence, handshake, and whoever holds up others by not reading. @internal */
  sweep(time: number): void {
    const { limits } = this.hub;
    if (this.#phase === Phase.Closed) return;
    if (this.#phase === Phase.Handshake) {
      if (time - this.#lastReceived >= limits.handshakeTimeoutMs) this.#refuse('Handshake was canceled: it took too long.');
      return;
    }
    if (!this.#paused && time - this.#lastReceived >= limits.clientTimeoutMs) {
      return this.close(`The client was silent for ${limits.clientTimeoutMs} ms.`, 'client timed out', true);
    }
    if (this.#drainRequestedAt !== undefined && time - this.#drainRequestedAt >= limits.drainTimeoutMs) {
      return this.#endSlowConsumer(`what was sent has not left for ${limits.drainTimeoutMs} ms`);
    }
    if (this.#fullStreams > 0) {
      this.#failStalledStreams(time);
      this.#letSlowStreamsTrickle();
    }
    if (time - this.#lastSent < limits.keepAliveMs) return;
    if (this.isCongested) this.#requestDrain();
    else this.#writeFrame(PING[this.encoding]);
  }

  /** Ends the connection with a close message. @internal */
  close(error: string | undefined, reason: string, allowReconnect = false): void {
    if (this.#phase === Phase.Closed) return;
    if (this.isOpen) this.transport.write(this.#protocol.write({ type: MessageType.Close, error, allowReconnect }), this.#protocol.binary);
    this.#finish(reason);
    // A socket that is paused would never see the client's own close frame.
    if (this.#paused) this.transport.resume();
    this.transport.end();
  }

  /** Ends the connection without a word, also one that is being closed politely. @internal */
  terminate(reason: string): void {
    this.#finish(reason);
    this.transport.terminate();
  }

  /** Reads as far as it may, and keeps the rest. */
  #read(data: Buffer): void {
    this.#reading = true;
    try {
      const used = this.#phase === Phase.Handshake ? this.#readHandshake(data) : this.#readMessages(data);
      if (used === data.length || this.#phase === Phase.Closed) this.#unread = undefined;
      else if (this.#unread === undefined) this.#unread = new UnreadBytes(data.subarray(used));
      else this.#unread.drop(used);
      const isIncomplete = this.#unread !== undefined && !this.isHeld && this.#phase !== Phase.Handshake;
      this.#searched = isIncomplete ? data.length - used : 0;
    } catch (error) {
      if (!(error instanceof ProtocolError)) this.hub.reportError(`Connection ${this.connectionId}`, error);
      this.#refuse(error instanceof ProtocolError ? error.message : 'The server could not read the message.');
    } finally {
      this.#reading = false;
    }
  }

  #readHandshake(data: Buffer): number {
    const handshake = parseHandshake(data);
    if (handshake === undefined) return 0;
    const name = handshake.protocol.toLowerCase();
    const protocol = Object.hasOwn(PROTOCOLS, name) ? PROTOCOLS[name] : undefined;
    if (protocol === undefined) throw new ProtocolError(`The protocol '${handshake.protocol}' is not supported.`);
    this.#protocol = protocol;
    this.#phase = Phase.Connecting;
    this.transport.write(handshakeResponse(), protocol.binary);
    const connected = this.hub.connected(this);
    if (connected === undefined) this.#phase = Phase.Open;
    else this.#connected = connected.then(() => this.#open());
    return handshake.length + this.#readMessages(data.subarray(handshake.length));
  }

  #readMessages(data: Buffer): number {
    this.#lastReceived = this.hub.clock.time;
    return this.#protocol.parse(data, this.hub.limits.maximumMessageSize, this, this.#searched);
  }

  /** The program's `onConnected` is done: now the messages that waited for it get their turn. */
  #open(): void {
    this.#connected = undefined;
    if (this.#phase !== Phase.Connecting) return;
    this.#phase = Phase.Open;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.forEach((message) => this.accept(message));
    this.#updateReading();
  }

  #refuse(error: string): void {
    if (this.#phase !== Phase.Handshake) return this.close(error, error, true);
    this.transport.write(handshakeResponse(error), false);
    this.#finish(error);
    this.transport.end();
  }

  /** An answer to the server's own call: `onConnected` may wait for it. */
  #isAwaited(message: HubMessage): boolean {
    return message.type === MessageType.Completion && this.#results?.awaits(message.invocationId) === true;
  }

  /** Starts a call, or lets it wait while as many run as may. */
  #admit(message: InvocationMessage | StreamInvocationMessage): void {
    if (takesTurn(message)) {
      if (this.#running >= this.hub.limits.parallelInvocations) return this.#wait(message);
      this.#running++;
    }
    void this.hub.dispatcher.dispatch(this, message);
  }

  /** Gives free turns to messages that wait: one after the other, however many are done as soon as they have begun. */
  #startWaiting(): void {
    this.#starting = true;
    while (this.#waiting !== undefined && this.#running < this.hub.limits.parallelInvocations) {
      const next = this.#waiting.shift();
      if (this.#waiting.length === 0) this.#waiting = undefined;
      if (next !== undefined) this.accept(next);
    }
    this.#starting = false;
    this.#updateReading();
    this.#readOn();
  }

  #wait(message: HubMessage): void {
    (this.#waiting ??= []).push(message);
    this.#updateReading();
  }

  #receiveItem(message: StreamItemMessage): void {
    const upload = this.#uploads?.get(message.invocationId);
    if (upload === undefined) return;
    try {
      upload.stream.push(upload.items.decode(message.item, this.encoding));
    } catch (error) {
      this.#uploads?.delete(message.invocationId);
      upload.stream.fail(new Error(`A stream item does not fit: ${messageOf(error)}`, { cause: error }));
      this.#updateReading();
    }
  }

  /**
   * The protocol cannot hold back one stream without everything behind it. So that others need not wait until a slow consumer
   * goes on, a full stream takes a few items in each sweep: the fewer, the more are held, which ends at the consumer's own pace.
   */
  #letSlowStreamsTrickle(): void {
    const uploads = [...(this.#uploads?.values() ?? [])];
    let room = this.hub.limits.slowStreamBuffer - uploads.reduce((held, { stream }) => held + stream.held, 0);
    for (const { stream } of uploads) {
      if (!stream.isFull) continue;
      const items = Math.ceil(Math.max(0, room) * SLOW_STREAM_SHARE);
      room -= items;
      stream.allow(items);
    }
  }

  /** A consumer that takes nothing may hold the socket until an answer that was asked for since the stream was opened is overdue. */
  #failStalledStreams(time: number): void {
    for (const [streamId, upload] of this.#uploads ?? []) {
      const { stream } = upload;
      const isStalled = stream.isFull && stream.taken === upload.taken;
      if (isStalled && time - upload.seenAt < this.hub.limits.stalledStreamMs) continue;
      if (isStalled && this.#results?.awaitsAnyBetween(upload.askedBefore, upload.askedByThen) === true) {
        this.#uploads?.delete(streamId);
        stream.fail(new Error('The stream was not read for too long, and held up the answers of its sender.'));
      }
      Object.assign(upload, { taken: stream.taken, seenAt: time, askedByThen: this.#asked });
    }
  }

  get #asked(): number {
    return this.#results?.asked ?? 0;
  }

  /** Pauses the socket while a stream is full or calls wait for their turn. */
  #updateReading(): void {
    if (this.#phase === Phase.Closed) return;
    const pause = this.#fullStreams > 0 || this.isHeld;
    if (pause === this.#paused) return;
    this.#paused = pause;
    if (pause) return this.transport.pause();
    this.#lastReceived = this.hub.clock.time;
    this.transport.resume();
    this.#readOn();
  }

  /** Reads what stayed unread. Calls that wait already come first. */
  #readOn(): void {
    if (this.#unread !== undefined && !this.#reading && !this.#starting && !this.isHeld) this.#read(this.#unread.all);
  }

  #writeFrame(frame: Frame): void {
    // Asked before, not after: one large message is no sign of a slow reader.
    if (this.transport.bufferedAmount + this.#latestBytes > this.hub.limits.maximumUnsentBytes) return this.#endOverfullConsumer();
    this.#lastSent = this.hub.clock.time;
    this.transport.write(frame, this.#protocol.binary);
  }

  #endOverfullConsumer(): void {
    this.#endSlowConsumer(`more than ${this.hub.limits.maximumUnsentBytes} bytes are unsent`);
  }

  #endSlowConsumer(why: string): void {
    this.hub.logger.warn(`Connection ${this.connectionId} of hub ${this.hub.path} reads too slowly: ${why}.`);
    this.terminate('the client reads too slowly');
  }

  #requestDrain(): void {
    if (this.#drainRequestedAt !== undefined) return;
    this.#drainRequestedAt = this.hub.clock.time;
    this.transport.requestDrain();
  }

  #flushLatest(): void {
    const latest = this.#latest;
    if (latest === undefined) return;
    for (const [key, frame] of latest) {
      if (this.isCongested) return this.#requestDrain();
      latest.delete(key);
      this.#latestBytes -= frame.length;
      this.#writeFrame(frame);
      if (this.#phase === Phase.Closed) return;
    }
    this.#latest = undefined;
  }

  /** Ends everything that depended on this connection, once, whatever fails meanwhile. */
  #finish(reason: string): void {
    if (this.#phase === Phase.Closed) return;
    const wasOpen = this.isOpen;
    this.#phase = Phase.Closed;
    const gone = new DisconnectedError(reason);
    this.#waiting = undefined;
    this.#unread = undefined;
    this.#latest = undefined;
    this.#latestBytes = 0;
    this.#results?.failAll(gone);
    this.#uploads?.forEach(({ stream }) => stream.fail(gone));
    this.#uploads = undefined;
    this.#tracked?.forEach((invocation) => invocation.cancel());
    this.#tracked = undefined;
    this.transportDrained();
    if (wasOpen) this.hub.disconnected(this, reason, this.#connected);
  }
}

/** Calls with streams take no turn: they last, and what they wait for comes through the same socket. */
function takesTurn(message: InvocationMessage | StreamInvocationMessage): boolean {
  return message.type === MessageType.Invocation && message.streamIds === undefined;
}
