import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

import { lockNamesUntilCommit, NamedAdvisoryLock } from '../../platform/database/locks/advisory-locks.js';
import { readRows } from '../../platform/database/queries/read-rows.js';
import { Webhook, WebhookDelivery, WebhookPause } from './webhook.entity.js';

/** Time after which an attempt counts as lost with its process, in seconds. Longer than any attempt takes. */
const CLAIM_S = 30;
/** Due deliveries that one look considers. */
const CONSIDERED = 500;

/** A delivery that this process sends now. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly tenantId: string;
  readonly url: string;
  readonly secretVersion: number;
  readonly formerSecretUntil: Date | null;
  readonly messageId: string;
  readonly body: string;
  /** Attempts with this one. */
  readonly attempts: number;
  readonly createdAt: Date;
}

/** The outcome of the newest delivery of a webhook. */
export type LastDelivery = Pick<WebhookDelivery, 'createdAt' | 'deliveredAt' | 'nextAttemptAt' | 'lastStatus' | 'lastError'>;

/** A delivery to be made. */
export type NewDelivery = Pick<WebhookDelivery, 'id' | 'webhookId' | 'messageId' | 'kind' | 'body'>;

/** The rows are locked only until they have been moved: no other process finds them before the attempt is over or lost. */
const CLAIM = `
  WITH due AS (
    SELECT d.id, row_number() OVER (PARTITION BY d.webhook_id ORDER BY d.next_attempt_at, d.id) AS place
    FROM (
      SELECT d.id, d.webhook_id, d.next_attempt_at FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
      WHERE d.next_attempt_at <= now() AND w.pause IS NULL AND NOT d.webhook_id = ANY ($1::uuid[])
        AND NOT w.tenant_id = ANY ($4::uuid[])
      ORDER BY d.next_attempt_at LIMIT ${CONSIDERED}
    ) d
  ), free AS (
    SELECT d.id FROM webhook_deliveries d JOIN due ON due.id = d.id
    WHERE due.place <= $2 AND d.next_attempt_at <= now()
    ORDER BY due.place LIMIT $3 FOR UPDATE OF d SKIP LOCKED
  )
  UPDATE webhook_deliveries d
  SET next_attempt_at = now() + ${CLAIM_S} * interval '1 second', attempts = d.attempts + 1, last_attempt_at = now()
  FROM free, webhooks w
  WHERE d.id = free.id AND w.id = d.webhook_id
  RETURNING d.id, d.webhook_id AS "webhookId", w.tenant_id AS "tenantId", w.url, w.secret_version AS "secretVersion", w.former_secret_until AS "formerSecretUntil",
    d.message_id AS "messageId", d.body, d.attempts, d.created_at AS "createdAt"`;

/** A failed attempt changes nothing if another one was begun before it ended. */
const FINISH = `
  UPDATE webhook_deliveries SET last_status = $2, last_error = $3, last_milliseconds = $4,
    delivered_at = CASE WHEN $5 THEN now() END,
    next_attempt_at = CASE WHEN $6::float8 IS NOT NULL THEN now() + $6 * interval '1 millisecond' END
  WHERE id = $1 AND ($5 OR attempts = $7)`;

/** Webhooks whose tenants have events for which no deliveries were made. */
const BEHIND = `
  SELECT w.id FROM webhooks w JOIN event_heads h ON h.tenant_id = w.tenant_id
  WHERE w.last_number < h.last_number AND w.pause IS NULL`;

const LOCK = `
  SELECT id, tenant_id AS "tenantId", kinds, last_number AS "lastNumber",
    (SELECT count(*)::int FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.next_attempt_at IS NOT NULL) AS waiting
  FROM webhooks w WHERE id = $1 AND pause IS NULL FOR UPDATE SKIP LOCKED`;

const INSERT = `
  INSERT INTO webhook_deliveries (id, webhook_id, message_id, kind, body, next_attempt_at)
  SELECT id, webhook_id, message_id, kind, body, now()
  FROM jsonb_to_recordset($1::jsonb) AS d(id uuid, webhook_id uuid, message_id text, kind text, body text)`;

const REMOVE_OLDER = `
  DELETE FROM webhook_deliveries
  WHERE ctid = ANY (ARRAY(SELECT ctid FROM webhook_deliveries WHERE created_at < $1 LIMIT $2))`;

const LAST = `
  SELECT w.id, d.* FROM unnest($1::uuid[]) AS w(id) CROSS JOIN LATERAL (
    SELECT created_at AS "createdAt", delivered_at AS "deliveredAt", next_attempt_at AS "nextAttemptAt", last_status AS "lastStatus",
      last_error AS "lastError"
    FROM webhook_deliveries WHERE webhook_id = w.id ORDER BY created_at DESC, id DESC LIMIT 1
  ) d`;

const STANDING = `
  SELECT count(*)::int AS waiting, greatest(0, coalesce(EXTRACT(EPOCH FROM now() - min(d.next_attempt_at)), 0))::float8 AS lag,
    (SELECT count(*)::int FROM webhooks WHERE pause IN ('${WebhookPause.Failing}', '${WebhookPause.Gone}')) AS paused
  FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id WHERE d.next_attempt_at IS NOT NULL AND w.pause IS NULL`;

/** The SQL of webhooks and their deliveries. */
@Injectable()
export class WebhooksRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The webhooks of a tenant, the oldest first. */
  list(manager: EntityManager, tenantId: string): Promise<Webhook[]> {
    return manager.find(Webhook, { where: { tenantId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** The same, while others cannot create webhooks of the tenant until the transaction ends. */
  async holdList(manager: EntityManager, tenantId: string): Promise<Webhook[]> {
    await lockNamesUntilCommit(manager, NamedAdvisoryLock.OwnerTexts, [`webhooks:${tenantId}`]);
    return this.list(manager, tenantId);
  }

  /** The newest deliveries of webhooks that are known to be of the caller's tenant, by the ids of these. */
  async lastDeliveries(manager: EntityManager, webhooks: readonly Pick<Webhook, 'id'>[]): Promise<ReadonlyMap<string, LastDelivery>> {
    const rows = await readRows<LastDelivery & { readonly id: string }>(manager, LAST, [webhooks.map(({ id }) => id)]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** A webhook that stays as it is until the transaction ends; null when the tenant has none with this id. */
  hold(manager: EntityManager, tenantId: string, id: string): Promise<Webhook | null> {
    return manager.findOne(Webhook, { where: { tenantId, id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Number of the newest event of a tenant: a new webhook begins behind it. */
  async newestNumber(manager: EntityManager, tenantId: string): Promise<string> {
    const rows = await readRows<{ last: string }>(manager, 'SELECT last_number AS last FROM event_heads WHERE tenant_id = $1', [tenantId]);
    return rows[0]?.last ?? '0';
  }

  /** Deliveries of a webhook, the newest first, beginning behind one of them. */
  deliveries(manager: EntityManager, webhookId: string, before: string | null, limit: number): Promise<WebhookDelivery[]> {
    const query = manager.createQueryBuilder(WebhookDelivery, 'd').where('d.webhookId = :webhookId', { webhookId });
    if (before !== null) {
      query.andWhere(
        '(d.createdAt, d.id) < (SELECT b.created_at, b.id FROM webhook_deliveries b WHERE b.id = :before AND b.webhook_id = :webhookId)',
        {
          before,
        },
      );
    }
    return query.orderBy('d.createdAt', 'DESC').addOrderBy('d.id', 'DESC').limit(limit).getMany();
  }

  async insertDeliveries(manager: EntityManager, deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    const rows = deliveries.map(({ id, webhookId, messageId, kind, body }) => ({
      id,
      webhook_id: webhookId,
      message_id: messageId,
      kind,
      body,
    }));
    await manager.query(INSERT, [JSON.stringify(rows)]);
  }

  /** Ids of webhooks for which deliveries have to be made. */
  async behind(): Promise<string[]> {
    return (await readRows<{ id: string }>(this.dataSource.manager, BEHIND, [])).map(({ id }) => id);
  }

  /** A webhook that no other process turns events into deliveries for, until the transaction ends; null when one does. */
  async lockForEvents(
    manager: EntityManager,
    id: string,
  ): Promise<(Pick<Webhook, 'id' | 'tenantId' | 'kinds' | 'lastNumber'> & { readonly waiting: number }) | null> {
    const [row] = await readRows<Pick<Webhook, 'id' | 'tenantId' | 'kinds' | 'lastNumber'> & { readonly waiting: number }>(manager, LOCK, [
      id,
    ]);
    return row ?? null;
  }

  /** Takes due deliveries: at most so many of one webhook, and none of the busy webhooks and tenants. */
  async claim(
    busy: { readonly webhooks: readonly string[]; readonly tenants: readonly string[] },
    ofWebhook: number,
    limit: number,
  ): Promise<ClaimedDelivery[]> {
    const [rows] = await this.dataSource.query<[ClaimedDelivery[], number]>(CLAIM, [busy.webhooks, ofWebhook, limit, busy.tenants]);
    return rows;
  }

  /** Notes the outcome of an attempt. `retryInMs` is null when there is no further one. */
  async finish(
    manager: EntityManager,
    { id, attempts }: Pick<ClaimedDelivery, 'id' | 'attempts'>,
    outcome: {
      readonly status: number | null;
      readonly error: string | null;
      readonly milliseconds: number;
      readonly isDelivered: boolean;
      readonly retryInMs: number | null;
    },
  ): Promise<void> {
    const { status, error, milliseconds, isDelivered, retryInMs } = outcome;
    await manager.query(FINISH, [id, status, error, milliseconds, isDelivered, retryInMs, attempts]);
  }

  /** True if a webhook still has this address. It keeps it until the transaction ends. */
  async holdsAddress(manager: EntityManager, id: string, url: string): Promise<boolean> {
    return (await manager.findOne(Webhook, { where: { id, url }, lock: { mode: 'pessimistic_write' } })) !== null;
  }

  /** Pauses a webhook unless it is paused. Returns it as it was, or null. */
  async pause(manager: EntityManager, id: string, pause: WebhookPause): Promise<Webhook | null> {
    const webhook = await manager.findOne(Webhook, { where: { id }, lock: { mode: 'pessimistic_write' } });
    if (webhook === null || webhook.pause !== null) return null;
    await manager.update(Webhook, { id }, { pause, pausedAt: () => 'now()' });
    return webhook;
  }

  /** Figures of deliveries that wait, and of webhooks that the service has paused. */
  async standing(): Promise<{ readonly waiting: number; readonly lag: number; readonly paused: number }> {
    const [row] = await readRows<{ waiting: number; lag: number; paused: number }>(this.dataSource.manager, STANDING, []);
    return row;
  }

  /** Deletes at most `limit` deliveries from before an instant and returns how many. Those that still wait are of paused webhooks. */
  async removeOlder(before: Date, limit: number): Promise<number> {
    const [, count] = await this.dataSource.query<[unknown[], number]>(REMOVE_OLDER, [before, limit]);
    return count;
  }
}
