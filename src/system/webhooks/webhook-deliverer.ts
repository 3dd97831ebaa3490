import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';

import { systemContext } from '../../access/authentication/principals/request-context.js';
import { KeyedCounter } from '../../platform/common/collections/keyed-counter.js';
import { messageOf } from '../../platform/common/errors/errors.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { UnitOfWork } from '../../platform/database/queries/unit-of-work.js';
import { EventFeed } from '../events/event-feed.js';
import { EventsService } from '../events/events.service.js';
import { retryDelayOf } from './retry-delays.js';
import { WebhookPause } from './webhook.entity.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { WebhookPauses } from './webhook-pauses.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookSender, type SendOutcome } from './webhook-sender.js';
import { WebhooksRepository, type ClaimedDelivery } from './webhooks.repository.js';

/** Attempts that a process makes at once, and those to one webhook: a slow receiver keeps no other waiting. */
const MAXIMUM_RUNNING = 32;
const RUNNING_OF_WEBHOOK = 2;
/** Deliveries of a webhook that may wait. Beyond, its events wait in the feed. */
const MAXIMUM_WAITING = 5_000;
/** Events that one transaction turns into deliveries. */
const BATCH = 200;
/** Interval, in milliseconds, at which deliveries are looked for that are due again. */
const LOOK_INTERVAL_MS = 1_000;
/** HTTP status of a receiver that wants nothing any more. */
const GONE = 410;
/** Longest reason of a failure that is kept, in characters. */
const MAXIMUM_ERROR = 500;

/**
 * Sends events to webhooks, each at least once. A cursor of the webhook turns events into deliveries; each delivery is a row that one
 * process at a time sends, again after a failure, until its receiver has taken it or a day is over.
 */
@Injectable()
export class WebhookDeliverer implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Webhooks');
  private readonly stopped = new AbortController();
  private readonly running = new Set<Promise<void>>();
  /** Attempts that run, by webhook and by tenant. */
  private readonly busy = new KeyedCounter();
  private readonly busyTenants = new KeyedCounter();
  private looking: Promise<void> | null = null;
  private isAskedAgain = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: WebhooksRepository,
    private readonly events: EventsService,
    private readonly feed: EventFeed,
    private readonly sender: WebhookSender,
    private readonly secrets: WebhookSecrets,
    private readonly pauses: WebhookPauses,
    private readonly metrics: WebhookMetrics,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.feed.onEvents(() => this.look());
  }

  onApplicationBootstrap(): void {
    this.look();
  }

  /** Gives attempts up: they are made again after the next start. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    await this.looking;
    await Promise.all(this.running);
  }

  /** Looks for events to send, and for deliveries that are due. */
  @Interval(LOOK_INTERVAL_MS)
  look(): void {
    if (this.stopped.signal.aborted) return;
    this.isAskedAgain = true;
    this.looking ??= this.work();
  }

  private async work(): Promise<void> {
    try {
      while (this.isAskedAgain && !this.stopped.signal.aborted) {
        this.isAskedAgain = false;
        for (const id of await this.repository.behind()) await this.makeDeliveries(id);
        await this.startAttempts();
      }
    } catch (error) {
      if (!this.stopped.signal.aborted) this.logger.warn(`Webhooks could not be looked after and will be later: ${messageOf(error)}`);
    } finally {
      this.looking = null;
    }
  }

  /** Turns the next events of a webhook's tenant into deliveries. */
  private async makeDeliveries(id: string): Promise<void> {
    for (let isDone = false; !isDone && !this.stopped.signal.aborted;) {
      isDone = await this.dataSource.transaction(async (manager) => {
        const webhook = await this.repository.lockForEvents(manager, id);
        if (webhook === null || webhook.waiting >= MAXIMUM_WAITING) return true;
        const { tenantId, kinds } = webhook;
        const { events, number } = await this.events.next(tenantId, BigInt(webhook.lastNumber), kinds.length === 0 ? null : kinds, BATCH);
        const deliveries = events.map((event) => {
          const body = JSON.stringify({ type: event.kind, timestamp: event.occurredAt, data: event });
          return { id: newGuid(), webhookId: id, messageId: event.id, kind: event.kind, body };
        });
        await this.repository.insertDeliveries(manager, deliveries);
        await manager.query('UPDATE webhooks SET last_number = $2 WHERE id = $1', [id, number.toString()]);
        return events.length < BATCH;
      });
    }
  }

  /** Starts due attempts while there is room. Tenants without an attempt come first: one whose receivers are slow must not take all room. */
  private async startAttempts(): Promise<void> {
    while (this.busyTenants.size > 0 && (await this.startSome([...this.busyTenants.keys()])));
    while (await this.startSome([]));
  }

  /** Starts attempts, none of these tenants. False when there was none to start. */
  private async startSome(tenants: readonly string[]): Promise<boolean> {
    const room = MAXIMUM_RUNNING - this.running.size;
    if (room === 0 || this.stopped.signal.aborted) return false;
    const webhooks = [...this.busy.keys()].filter((id) => this.busy.of(id) >= RUNNING_OF_WEBHOOK);
    // A webhook with one attempt may get two more: few are enough to be exact.
    const claimed = await this.repository.claim({ webhooks, tenants }, RUNNING_OF_WEBHOOK, room);
    for (const delivery of claimed) this.begin(delivery);
    return claimed.length > 0;
  }

  private begin(delivery: ClaimedDelivery): void {
    const { webhookId, tenantId } = delivery;
    this.busy.add(webhookId, 1);
    this.busyTenants.add(tenantId, 1);
    const attempt = this.attempt(delivery).finally(() => {
      this.running.delete(attempt);
      this.busy.add(webhookId, -1);
      this.busyTenants.add(tenantId, -1);
      this.look();
    });
    this.running.add(attempt);
  }

  /** Makes an attempt and notes its outcome. Never rejects. */
  private async attempt(delivery: ClaimedDelivery): Promise<void> {
    const { url, messageId, body } = delivery;
    const begun = performance.now();
    const now = this.clock.now();
    const seconds = Math.floor(now.getTime() / 1_000);
    const signature = this.secrets.sign({ ...delivery, id: delivery.webhookId }, messageId, seconds, body, now);
    const headers = { 'webhook-id': messageId, 'webhook-timestamp': String(seconds), 'webhook-signature': signature };
    const outcome = await this.sender.send(url, headers, body, this.stopped.signal);
    try {
      await this.note(delivery, outcome, performance.now() - begun);
    } catch (error) {
      this.logger.warn({
        message: 'The outcome of a delivery could not be noted: it is sent again.',
        delivery: delivery.id,
        error: messageOf(error),
      });
    }
  }

  private async note(delivery: ClaimedDelivery, outcome: SendOutcome, milliseconds: number): Promise<void> {
    const { isDelivered, status, error } = outcome;
    const { webhookId, url, attempts } = delivery;
    // What the stop cut off is sent at once after the next start.
    const isCut = !isDelivered && this.stopped.signal.aborted;
    const delay = isDelivered || status === GONE ? null : isCut ? 0 : retryDelayOf(attempts);
    const pause = isDelivered || delay !== null ? null : status === GONE ? WebhookPause.Gone : WebhookPause.Failing;
    const paused = await this.unitOfWork.run(systemContext('webhook delivery', this.dataSource.manager), async (tx) => {
      // The address was changed during the attempt: the new one gets the delivery at once.
      const hasMoved = pause !== null && !(await this.repository.holdsAddress(tx.manager, webhookId, url));
      const ended = {
        status,
        error: error?.slice(0, MAXIMUM_ERROR) ?? null,
        milliseconds: Math.round(milliseconds),
        isDelivered,
        retryInMs: hasMoved ? 0 : delay,
      };
      await this.repository.finish(tx.manager, delivery, ended);
      return pause === null || hasMoved ? null : this.pauses.pause(tx, webhookId, pause);
    });
    this.metrics.attempted(isDelivered ? 'delivered' : delay === null ? 'failed' : 'retried', milliseconds / 1_000);
    if (paused !== null && pause !== null) await this.pauses.tell(paused, pause, outcome);
  }
}
