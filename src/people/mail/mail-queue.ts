import { setTimeout as wait } from 'node:timers/promises';

import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';

import { messageOf } from '../../platform/common/errors/errors.js';
import { MailDelivery } from './mail-delivery.js';
import { MailFailure } from './mail-failure.js';
import type { MailMessage } from './mail-message.js';
import { MailMetrics } from './mail-metrics.js';

/** Capacity and timeouts of the queue. */
export class MailQueueLimits {
  /** Messages that it holds, those included that are being sent or wait for another attempt. */
  readonly queued: number = 1_000;
  /** Messages that are sent at the same time; each holds a connection to the mail server. */
  readonly underWay: number = 5;
  /** Delays before the attempts after the first: for a mail server that restarts, or that has unknown senders try again. */
  readonly retryDelaysMs: readonly number[] = [15_000, 2 * 60_000, 15 * 60_000];
  /** Time for which a stop of the service waits for the mail server. */
  readonly drainMs: number = 5_000;
}

interface Queued {
  readonly message: MailMessage;
  attempts: number;
}

/** Messages that are sent in the background. They are in memory only. */
@Injectable()
export class MailQueue implements OnApplicationShutdown {
  private readonly logger = new Logger('Mail');
  private readonly ready = new Set<Queued>();
  private readonly waiting = new Map<Queued, NodeJS.Timeout>();
  private underWay = 0;
  private dropped = 0;
  private isStopping = false;
  private readonly stopped = new AbortController();
  private whenEmpty: () => void = () => undefined;
  private readonly endMetrics: () => void;

  constructor(
    private readonly delivery: MailDelivery,
    private readonly limits: MailQueueLimits,
    private readonly metrics: MailMetrics,
  ) {
    this.endMetrics = metrics.observe(() => this.size);
  }

  /** Number of messages in the queue. */
  get size(): number {
    return this.ready.size + this.waiting.size + this.underWay;
  }

  /** True if a message waits for another attempt. */
  get isWaiting(): boolean {
    return this.waiting.size > 0;
  }

  /** Takes a message, or drops it when the queue is full. The sending begins in a later turn of the event loop. */
  add(message: MailMessage): void {
    if (this.isStopping || this.size >= this.limits.queued) {
      this.drop();
      return;
    }
    this.ready.add({ message, attempts: 0 });
    setImmediate(() => this.advance());
  }

  /** Tries once more to send the remaining messages, for some seconds. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    for (const [queued, timer] of this.waiting) {
      clearTimeout(timer);
      this.ready.add(queued);
    }
    this.waiting.clear();
    this.advance();
    if (this.size > 0) {
      const empty = new Promise<void>((resolve) => (this.whenEmpty = resolve));
      await Promise.race([empty, wait(this.limits.drainMs, undefined, { ref: false })]);
    }
    const lost = this.size;
    this.ready.clear();
    this.stopped.abort();
    this.endMetrics();
    if (lost === 0) return;
    this.metrics.lost('stopped', lost);
    this.logger.warn(`${counted(lost)} not sent before the service stopped.`);
  }

  private advance(): void {
    for (const queued of this.ready) {
      if (this.underWay >= this.limits.underWay) return;
      this.ready.delete(queued);
      this.underWay += 1;
      void this.attempt(queued).then(() => {
        this.underWay -= 1;
        if (this.size === 0) this.onEmpty();
        else this.advance();
      });
    }
  }

  private async attempt(queued: Queued): Promise<void> {
    queued.attempts += 1;
    try {
      await this.delivery.deliver(queued.message, this.stopped.signal);
      this.metrics.delivered();
    } catch (error) {
      this.onFailure(queued, error);
    }
  }

  private onFailure(queued: Queued, error: unknown): void {
    // Those that the stop has ended are counted there.
    if (this.stopped.signal.aborted) return;
    const { message, attempts } = queued;
    const delay = this.limits.retryDelaysMs[attempts - 1];
    if (error instanceof MailFailure && error.isTransient && delay !== undefined && !this.isStopping) {
      const retry = (): void => {
        this.waiting.delete(queued);
        this.ready.add(queued);
        this.advance();
      };
      this.waiting.set(queued, setTimeout(retry, delay));
      return;
    }
    const reason = error instanceof MailFailure ? error.explanation : messageOf(error);
    this.metrics.lost('refused');
    this.logger.warn({ message: 'A mail was not sent.', subject: message.subject, to: message.to, attempts, reason });
  }

  private drop(): void {
    // One line when it begins and one when it is over: a flood must not fill the log.
    if (this.dropped === 0) this.logger.warn(`The queue of mails is full or closed. Further mails are dropped.`);
    this.dropped += 1;
    this.metrics.lost('queue_full');
  }

  private onEmpty(): void {
    if (this.dropped > 0) this.logger.warn(`${counted(this.dropped)} dropped because the queue was full.`);
    this.dropped = 0;
    this.whenEmpty();
  }
}

function counted(mails: number): string {
  return mails === 1 ? 'One mail was' : `${mails} mails were`;
}
