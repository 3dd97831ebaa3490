import { Inject, Injectable, Optional } from '@nestjs/common';

import type { AgentFeature, Arguments, HubResult } from '#libs/contracts';
import type { HubContext, ClientMethodDescriptor } from '#libs/signalr';
import { InjectHub } from '#libs/signalr/nest';

import { AGENT_HUB_PATH } from '../../platform/common/addresses/hub-paths.js';
import { DomainError, KeyPendingError } from '../../platform/common/errors/errors.js';
import { AgentFeatures } from './agent-features.js';
import { OTHER_NODES, type AgentPlace, type OtherNodes } from './agent-place.js';
import { deviceOffline } from './device-failures.js';
import { DevicePresence } from './device-presence.js';
import { DeviceStreams, type OpenedStream, type StreamKind } from './device-streams.js';
import { DeviceTimes } from './device-times.js';
import { ReachedDevice, requireSuccess, type AgentMethod, type Answer, type AnswerTime } from './reached-device.js';
import { Transfers, type Transfer } from './transfers.js';

/**
 * The only way to reach a device. Calls its agent, opens streams to it, and turns failures into errors that callers can act on. A call
 * to a device that is offline, or whose key waits for approval, fails at once with 409.
 */
@Injectable()
export class DeviceLink {
  constructor(
    @InjectHub(AGENT_HUB_PATH) private readonly agents: HubContext,
    private readonly presence: DevicePresence,
    private readonly streams: DeviceStreams,
    private readonly times: DeviceTimes,
    private readonly transfers: Transfers,
    private readonly features: AgentFeatures,
    @Optional() @Inject(OTHER_NODES) private readonly others?: OtherNodes,
  ) {}

  /** Checks that the agent of the device is connected. It may still be unreachable, because its key waits for approval. */
  isOnline(deviceId: string): boolean {
    return this.presence.connectionOf(deviceId) !== undefined || this.presence.isPending(deviceId);
  }

  /** Throws the error that a call to the device would throw now: 409 when it is offline, or when its key waits for approval. */
  requireReachable(deviceId: string): void {
    this.reachedHere(deviceId);
  }

  /** Checks that the device can be reached, and that its agent has offered the feature. */
  offers(deviceId: string, feature: AgentFeature): boolean {
    const connectionId = this.presence.connectionOf(deviceId);
    return connectionId !== undefined && this.features.has(connectionId, feature);
  }

  /** Begins a transfer of a file from or to the device: a stop lets it end before it ends the connections of the agent and these others. */
  beginTransfer(deviceId: string, ...others: string[]): Transfer {
    return this.transfers.begin(...[this.presence.connectionOf(deviceId) ?? [], others].flat());
  }

  /**
   * The connection of the device's agent, to call it. 409 when the device is offline, or when its key waits for approval. Awaiting comes
   * first, so that calls made through the answer keep their order. `madeAt` is the time since which they have waited, by the monotonic
   * clock in milliseconds.
   */
  async reach(deviceId: string, madeAt = performance.now()): Promise<ReachedDevice> {
    const here = this.placeHere(deviceId);
    if (here !== undefined || this.others === undefined || this.presence.isPending(deviceId)) return this.reachedHere(deviceId, madeAt);
    const place = await this.others.find(deviceId);
    // It may have come to this node in between.
    if (place === undefined || this.placeHere(deviceId) !== undefined) return this.reachedHere(deviceId, madeAt);
    return new ReachedDevice(this.others.channel(deviceId, place), this.times, place, madeAt);
  }

  /** The place of the device's agent; undefined when it cannot be reached. */
  async placeOf(deviceId: string): Promise<AgentPlace | undefined> {
    try {
      return (await this.reach(deviceId)).place;
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  }

  /**
   * Calls a method of the agent at the device's place, or else at the former one, also when the device is not reached through that any more.
   * Waits for no answer, and does nothing when the connection has ended.
   */
  sendLatest<M extends AgentMethod>(deviceId: string, former: AgentPlace | undefined, method: M, ...args: Arguments<M>): void;
  sendLatest(deviceId: string, former: AgentPlace | undefined, method: AgentMethod, ...args: Arguments<AgentMethod>): void {
    const here = this.placeHere(deviceId);
    if (here !== undefined || this.others === undefined) return this.sendTo(here ?? former, method, ...args);
    // Without the database the former place is the best that is known.
    void this.placeOf(deviceId)
      .catch(() => undefined)
      .then((place) => this.sendTo(place ?? former, method, ...args));
  }

  /** Calls a method of the agent at that place, as {@link sendLatest} does at a former one. */
  sendTo<M extends AgentMethod>(place: AgentPlace | undefined, method: M, ...args: Arguments<M>): void;
  sendTo(place: AgentPlace | undefined, method: ClientMethodDescriptor, ...args: unknown[]): void {
    if (place === undefined) return;
    if (place.nodeId === null) this.agents.client(place.connectionId).send(method, args);
    else this.others?.send(place, method, args);
  }

  /**
   * Calls a method of the agent with that connection of this node, also when the device is not reached through it any more, and waits for no
   * answer. Does nothing when the connection has ended.
   */
  sendThrough<M extends AgentMethod>(connectionId: string, method: M, ...args: Arguments<M>): void;
  sendThrough(connectionId: string, method: ClientMethodDescriptor, ...args: unknown[]): void {
    this.agents.client(connectionId).send(method, args);
  }

  /**
   * Asks the device for a stream and hands it to `read` as soon as it opens. `request` calls the agent with the id of the
   * stream; a refusal ends the wait. Settles when `read` has settled; nothing of the stream is read after that. The answer may
   * come before the stream or after its end, so that it has no time-out of its own; it ends with the signal.
   */
  async openStream<T, A extends HubResult, R>(
    deviceId: string,
    kind: StreamKind,
    request: (invoke: StreamInvoke, streamId: string) => Promise<A>,
    read: (stream: OpenedStream<T>, answer: Promise<A>) => Promise<R>,
    { openWithin = this.times.answerMs, signal }: Waiting = {},
  ): Promise<R> {
    const device = this.reachedHere(deviceId);
    const expected = this.streams.expect<T>(kind, device.place.connectionId, openWithin);
    const done = new AbortController();
    const left = abortion(signal);
    // The stream may have opened without an answer, which nobody waits for any more.
    const ended = signal === undefined ? done.signal : AbortSignal.any([done.signal, signal]);
    try {
      const invoke: StreamInvoke = (method, args) => device.invoke(method, args, 'unlimited', ended);
      const answer = request(invoke, expected.id).then((result) => {
        requireSuccess(result);
        return result;
      });
      const refused = answer.then(() => new Promise<never>(() => undefined));
      const stream = await Promise.race([expected.opened, refused, left.promise]);
      return await read(stream, answer);
    } finally {
      left.forget();
      expected.release();
      done.abort();
    }
  }

  /**
   * Offers bytes to the device and calls the method that makes it fetch them. Settles with the device's answer, which comes
   * after it has read everything, or with the reason of `signal`. The source is not read after that. `madeAt` is as for {@link reach}.
   */
  async sendStream(
    deviceId: string,
    source: () => AsyncIterable<Uint8Array>,
    request: (invoke: StreamInvoke, streamId: string) => Promise<HubResult>,
    { signal, madeAt }: { readonly signal?: AbortSignal; readonly madeAt?: number | undefined } = {},
  ): Promise<HubResult> {
    const device = this.reachedHere(deviceId, madeAt);
    const offered = this.streams.offer(device.place.connectionId, source, this.times);
    const end = signal === undefined ? offered.silence : AbortSignal.any([signal, offered.silence]);
    try {
      return await request((method, args) => device.invoke(method, args, 'unlimited', end), offered.id);
    } finally {
      offered.withdraw();
    }
  }

  private reachedHere(deviceId: string, madeAt = performance.now()): ReachedDevice {
    const place = this.placeHere(deviceId);
    if (place === undefined) throw this.presence.isPending(deviceId) ? new KeyPendingError() : deviceOffline();
    return new ReachedDevice(this.agents.client(place.connectionId), this.times, place, madeAt);
  }

  private placeHere(deviceId: string): AgentPlace | undefined {
    const connectionId = this.presence.connectionOf(deviceId);
    return connectionId === undefined ? undefined : { nodeId: null, connectionId };
  }
}

/** Limits of waiting for a stream to open. */
export interface Waiting {
  readonly openWithin?: AnswerTime;
  /** Fires when the stream is no longer wanted. */
  readonly signal?: AbortSignal;
}

/** A promise that rejects when the signal fires, and a way to stop listening. */
function abortion(signal: AbortSignal | undefined): { readonly promise: Promise<never>; forget(): void } {
  let onAbort = (): void => undefined;
  const promise = new Promise<never>((_resolve, reject) => {
    onAbort = (): void => reject(signal?.reason as Error);
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
  return { promise, forget: () => signal?.removeEventListener('abort', onAbort) };
}

/** Calls a method of the agent that a stream is opened with. */
export type StreamInvoke = <M extends AgentMethod>(method: M, args: Arguments<M>) => Promise<Answer<M>>;
