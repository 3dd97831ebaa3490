import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { messageOf } from '../../platform/common/errors/errors.js';
import { Settings } from '../../platform/config/settings.js';
import { BatchSize } from './batch-size.js';
import { TooLargeError, type Destination, type DestinationName } from './destinations/destination.js';
import { destinationsOf } from './destinations/destinations.js';
import type { ForwardedLine } from './forwarded-line.js';
import { ForwardingMetrics } from './forwarding-metrics.js';
import { ForwardingRepository } from './forwarding.repository.js';
import { RetryStreak } from './retry-streak.js';

/** Limits of attempts. */
export class ForwarderLimits {
  /** Time-out of an attempt to send a batch, in milliseconds. */
  readonly timeoutMs: number = 10_000;
}

/** Interval, in milliseconds, at which rows are looked for. */
const LOOK_INTERVAL_MS = 1_000;
/** Time for which one turn sends batch after batch, in milliseconds. Then options and other nodes have their turn. */
const TURN_MS = 10_000;

/**
 * Forwards the logs to the configured destinations, each row at least once. The rows wait in the database, where each destination has a
 * cursor in each log, which moves when the receiver has taken a batch. One node at a time sends to a destination, and nothing waits for it.
 */
@Injectable()
export class Forwarder implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Forwarding');
  private readonly stopped = new AbortController();
  private readonly streaks = new Map<DestinationName, RetryStreak>();
  private readonly sizes = new Map<DestinationName, BatchSize>();
  /** Turns that run, by destination. */
  private readonly turns = new Map<DestinationName, Promise<void>>();
  /** Sends that have not ended, also after they were given up. A destination with one gets no other, because each that hangs keeps a thread. */
  private readonly sends = new Map<DestinationName, Promise<void>>();
  private looking: Promise<void> | null = null;
  /** The options for which the cursors in the database were arranged. */
  private arranged: Settings['forwarding'] | null = null;
  private hasFailedToLook = false;

  constructor(
    private readonly repository: ForwardingRepository,
    private readonly settings: Settings,
    private readonly limits: ForwarderLimits,
    private readonly metrics: ForwardingMetrics,
  ) {}

  /** Rows that are written from now on are forwarded. */
  async onApplicationBootstrap(): Promise<void> {
    await this.arrange(this.settings.forwarding);
  }

  /** Gives attempts up: they are made again after the next start. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    await this.looking;
    await Promise.all(this.turns.values());
  }

  /** Looks for rows to forward. */
  @Interval(LOOK_INTERVAL_MS)
  look(): void {
    if (!this.stopped.signal.aborted) this.looking ??= this.begin().finally(() => (this.looking = null));
  }

  /** Begins turns of the destinations for which rows wait. Never rejects. */
  private async begin(): Promise<void> {
    try {
      const options = this.settings.forwarding;
      if (this.arranged !== options) await this.arrange(options);
      const destinations = destinationsOf(options);
      if (destinations.size === 0) return;
      while ((await this.repository.number()).areMore && !this.stopped.signal.aborted);
      const behind = await this.repository.behind();
      for (const [name, destination] of destinations) {
        if (behind.has(name) && !this.turns.has(name) && this.streakOf(name).isDue(performance.now())) this.start(name, destination);
      }
      this.hasFailedToLook = false;
    } catch (error) {
      // Once, until the database answers again.
      if (!this.hasFailedToLook && !this.stopped.signal.aborted) {
        this.logger.warn({ message: 'Forwarding waits for the database.', reason: messageOf(error) });
      }
      this.hasFailedToLook = true;
    }
  }

  /** Makes the cursors those of the options. Receivers that failed are tried again at once: the options may be the remedy. */
  private async arrange(options: Settings['forwarding']): Promise<void> {
    const names = [...destinationsOf(options).keys()];
    const removed = await this.repository.arrange(names.flatMap((destination) => options.logs.map((log) => ({ destination, log }))));
    for (const { destination, log, rows } of removed) {
      this.logger.warn({ message: 'A log is no longer forwarded to this destination.', destination, log, unsent: rows });
    }
    this.streaks.clear();
    this.sizes.clear();
    this.sends.clear();
    this.arranged = options;
  }

  private streakOf(name: DestinationName): RetryStreak {
    const streak = this.streaks.get(name) ?? new RetryStreak();
    this.streaks.set(name, streak);
    return streak;
  }

  private start(name: DestinationName, destination: Destination): void {
    const turn = this.turn(name, destination).finally(() => this.turns.delete(name));
    this.turns.set(name, turn);
  }

  /** Sends what waits for a destination, for some seconds. Never rejects. */
  private async turn(name: DestinationName, destination: Destination): Promise<void> {
    try {
      await this.repository.alone(name, () => this.sendAll(name, destination));
    } catch (error) {
      if (this.stopped.signal.aborted) return;
      const streak = this.streakOf(name);
      if (streak.length === 0) {
        this.logger.warn({ message: 'Forwarding waits for the database.', destination: name, reason: messageOf(error) });
      }
      streak.fail(performance.now());
    }
  }

  private async sendAll(name: DestinationName, destination: Destination): Promise<void> {
    const end = performance.now() + TURN_MS;
    const size = this.sizes.get(name) ?? new BatchSize();
    this.sizes.set(name, size);
    let areMore = true;
    while (areMore) {
      areMore = false;
      for (const log of this.settings.forwarding.logs) {
        if (this.stopped.signal.aborted || performance.now() > end) return;
        const lines = await this.repository.next(name, log, size.limit);
        const last = lines.at(-1);
        if (last === undefined) continue;
        areMore = true;
        const outcome = await this.attempt(name, destination, lines);
        if (outcome === 'failed') return;
        if (outcome === 'too large') size.refused(lines.length);
        else {
          size.taken();
          await this.repository.advance(name, log, last.number);
        }
      }
    }
  }

  /** Sends a batch. The log gets one line when failures begin, and one when they end. */
  private async attempt(
    name: DestinationName,
    destination: Destination,
    lines: readonly ForwardedLine[],
  ): Promise<'taken' | 'failed' | 'too large'> {
    const streak = this.streakOf(name);
    try {
      await this.withinLimits(name, destination, lines);
    } catch (error) {
      if (this.stopped.signal.aborted) return 'failed';
      if (error instanceof TooLargeError && lines.length > 1) return 'too large';
      const reason = messageOf(error);
      this.metrics.failed(name);
      streak.fail(performance.now());
      if (streak.length === 1) {
        this.logger.warn({
          message: 'Logs could not be forwarded. Attempts go on, and rows wait in the database.',
          destination: name,
          reason,
        });
      }
      await this.repository.noteFailure(name, reason);
      return 'failed';
    }
    this.metrics.sent(name, lines);
    if (streak.length > 0) {
      this.logger.log({ message: 'Logs are forwarded again.', destination: name, failedAttempts: streak.length });
      streak.end();
    }
    return 'taken';
  }

  /** @throws Error with the reason when the receiver does not have the lines in time */
  private async withinLimits(name: DestinationName, destination: Destination, lines: readonly ForwardedLine[]): Promise<void> {
    if (this.sends.has(name)) throw new Error('The receiver has not taken the lines of an earlier attempt yet.');
    const timeout = AbortSignal.timeout(this.limits.timeoutMs);
    const signal = AbortSignal.any([timeout, this.stopped.signal]);
    // The stop may have come while the lines were read. Destinations listen for later ones.
    signal.throwIfAborted();
    const cut = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () =>
        reject(new Error(`The receiver did not take the lines within ${this.limits.timeoutMs / 1_000} s.`)),
      );
    });
    const send = destination.send(lines, signal);
    const forget = (): void => {
      if (this.sends.get(name) === send) this.sends.delete(name);
    };
    this.sends.set(name, send);
    send.then(forget, forget);
    await Promise.race([send, cut]);
  }
}
