import type { agentClient, Arguments, HubResult, HubResultOf, Result } from '#libs/contracts';
import type { ClientMethodDescriptor } from '#libs/signalr';

import type { AgentChannel, AgentPlace } from './agent-place.js';
import { requireInTime } from './call-age.js';
import { deviceFailure, deviceRefused, deviceUnusable } from './device-failures.js';
import type { DeviceTimes } from './device-times.js';

export type AgentMethod = (typeof agentClient)[keyof typeof agentClient];
export type Answer<M> = Exclude<Result<M>, void>;

/** Time-out of a device's answer, in milliseconds; `'unlimited'` waits as long as the device stays connected. */
export type AnswerTime = number | 'unlimited';

/** The longest time of Node's timers, for "unlimited". */
const LONGEST_TIMEOUT_MS = 2_147_483_647;

/** A method whose answer is of the type `T`. */
interface Answering<T> {
  readonly returns: { decode(raw: unknown, encoding: 'json' | 'messagepack'): T };
}

/**
 * An agent connection that a device was reached through. Its methods have sent when they return, so that calls made one after the
 * other keep their order; the promise is the answer. They are refused with 503 once they have waited for too long.
 */
export class ReachedDevice {
  /** @param madeAt the time since which its calls have waited, by the monotonic clock in milliseconds */
  constructor(
    private readonly channel: AgentChannel,
    private readonly times: DeviceTimes,
    readonly place: AgentPlace,
    private readonly madeAt: number,
  ) {}

  /** Calls a method of the agent that answers nothing. */
  send<M extends AgentMethod>(method: M, ...args: Arguments<M>): Promise<void>;
  async send(method: ClientMethodDescriptor, ...args: unknown[]): Promise<void> {
    requireInTime(this.madeAt);
    await this.channel.send(method, args, { since: this.madeAt });
  }

  /**
   * Calls a method of the agent and waits for its answer, or until the signal fires. 504 silent, 502 gone or without an answer.
   * Only streams end their calls by a signal.
   */
  invoke<M extends AgentMethod>(method: M, args: Arguments<M>, time?: AnswerTime, signal?: AbortSignal): Promise<Answer<M>>;
  async invoke(
    method: ClientMethodDescriptor,
    args: unknown[],
    time: AnswerTime = this.times.answerMs,
    signal?: AbortSignal,
  ): Promise<unknown> {
    requireInTime(this.madeAt);
    const timeoutMs = time === 'unlimited' ? LONGEST_TIMEOUT_MS : time;
    try {
      const answer = await this.channel.invoke(method, args, { timeoutMs, signal, since: this.madeAt });
      // A .NET agent whose handler threw answers null. That is no success.
      if (answer === null || answer === undefined) throw deviceUnusable();
      return answer;
    } catch (error) {
      throw deviceFailure(error);
    }
  }

  /** Like {@link invoke} for methods that answer a HubResult with a value: a failure becomes an error with its reason. */
  async ask<M extends AgentMethod, T>(method: M & Answering<HubResultOf<T>>, args: Arguments<M>): Promise<T> {
    const result = (await this.invoke<M>(method, args)) as HubResultOf<T>;
    requireSuccess(result);
    if (result.value === null) throw deviceUnusable();
    return result.value;
  }

  /** Like {@link invoke} for methods that answer a HubResult without a value. */
  async command<M extends AgentMethod>(method: M & Answering<HubResult>, args: Arguments<M>): Promise<void> {
    requireSuccess(await this.invoke<M>(method, args));
  }
}

/** Throws the reason of a device's refusal. */
export function requireSuccess(result: HubResult): void {
  if (!result.isSuccess) throw deviceRefused(result.reason ?? 'The device refused without a reason.');
}
