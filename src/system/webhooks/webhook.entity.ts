import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

import { CreatedAtColumn, IdColumn, ReferenceColumn, TenantIdColumn } from '../../platform/database/schema/columns.js';

/** Reasons why a webhook is paused. */
export enum WebhookPause {
  /** A person paused it. */
  ByCaller = 'ByCaller',
  /** Deliveries have failed for a day. */
  Failing = 'Failing',
  /** The receiver has answered 410. */
  Gone = 'Gone',
}

/** An address that events of a tenant are sent to. */
@Entity('webhooks')
@Index(['tenantId'])
export class Webhook {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @TenantIdColumn() tenantId: string;
  @Column('varchar', { length: 2000 }) url: string;
  /** Empty for all kinds. */
  @Column('text', { array: true }) kinds: string[];
  /** The secret is made of the id and this number: see `webhook-secrets.ts`. */
  @Column('integer') secretVersion: number;
  /** Until then the secret before is valid, too. */
  @Column('timestamptz', { nullable: true }) formerSecretUntil: Date | null;
  @Column('varchar', { length: 20, nullable: true }) pause: WebhookPause | null;
  @Column('timestamptz', { nullable: true }) pausedAt: Date | null;
  /** Number of the last event for which a delivery was made, if its kind is wanted. */
  @Column('bigint') lastNumber: string;
}

/** An event that is sent to a webhook, or was. It stays for some days. */
@Entity('webhook_deliveries')
@Index(['webhookId', 'createdAt', 'id'])
@Index('ix_webhook_deliveries_due', ['nextAttemptAt'], { where: 'next_attempt_at IS NOT NULL' })
@Index(['createdAt'], { type: 'brin' })
export class WebhookDelivery {
  @PrimaryColumn('uuid') id: string;
  @CreatedAtColumn() createdAt: Date;
  @ReferenceColumn('Webhook', { onDelete: 'CASCADE' }) webhookId: string;
  /** Value of `webhook-id`: the same for each attempt and redelivery. */
  @Column('varchar', { length: 100 }) messageId: string;
  @Column('varchar', { length: 50 }) kind: string;
  /** The body as it is signed and sent. */
  @Column('text') body: string;
  @Column('integer', { default: 0 }) attempts: number;
  /** Null when it is over. An attempt that runs has moved it past its own time-out, so that no other node takes the row. */
  @Column('timestamptz', { nullable: true }) nextAttemptAt: Date | null;
  @Column('timestamptz', { nullable: true }) deliveredAt: Date | null;
  @Column('timestamptz', { nullable: true }) lastAttemptAt: Date | null;
  /** HTTP status of the last answer; null without one. */
  @Column('integer', { nullable: true }) lastStatus: number | null;
  @Column('varchar', { length: 500, nullable: true }) lastError: string | null;
  @Column('integer', { nullable: true }) lastMilliseconds: number | null;
}
