import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

import { IdColumn } from '../../../platform/database/schema/columns.js';

/**
 * An event of a tenant, written in the transaction that causes it. It has no foreign keys: it outlives its device, and its writer waits for
 * no row of the tenant.
 */
@Entity('events')
@Index(['tenantId', 'number'], { unique: true })
@Index('ix_events_device', ['deviceId', 'number'], { where: 'device_id IS NOT NULL' })
@Index('ix_events_unnumbered', ['occurredAt', 'id'], { where: 'number IS NULL' })
// Events are inserted in order of time, so that a small index finds the old ones.
@Index(['occurredAt'], { type: 'brin' })
export class TenantEvent {
  @IdColumn() id: string;
  @Column('uuid') tenantId: string;
  /** Its place among the events of the tenant; null until its transaction has committed and the event was numbered. */
  @Column('bigint', { nullable: true }) number: string | null;
  @Column('varchar', { length: 50 }) kind: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) occurredAt: Date;
  /** The device that it concerns: only callers who may read the device see the event. */
  @Column('uuid', { nullable: true }) deviceId: string | null;
  /** The caller that caused it; null for the service itself and for devices. */
  @Column('varchar', { length: 50, nullable: true }) actorKind: string | null;
  @Column('uuid', { nullable: true }) actorId: string | null;
  @Column('varchar', { length: 256, nullable: true }) actorName: string | null;
  @Column('jsonb') data: object;
}

/** The number of the newest event of a tenant, which stays when retention has removed the event. */
@Entity('event_heads')
export class EventHead {
  @PrimaryColumn('uuid') tenantId: string;
  @Column('bigint') lastNumber: string;
}
