import { Column, Entity, Index } from 'typeorm';

import { IdColumn } from '../../platform/database/schema/columns.js';
import type { DeviceActivityKind, DeviceActivityOutcome, SessionConsent } from './device-activity-kinds.js';

/**
 * The audit record of one activity on a device. It is written when the activity begins and completed when it ends. It has no foreign
 * keys: it outlives the device, the caller and the tenant.
 */
@Entity('device_activities')
@Index(['principalId', 'id'])
@Index(['tenantId', 'deviceId', 'startedAt', 'id'])
// Records come in order of time, so that a small index finds the old ones.
@Index(['startedAt'], { type: 'brin' })
@Index('ix_device_activities_running', ['nodeId'], { where: 'ended_at IS NULL' })
export class DeviceActivity {
  @IdColumn() id: string;
  /** Null when neither the device nor the caller is bound to a tenant. */
  @Column('uuid', { nullable: true }) tenantId: string | null;
  /** Null when the service does not know which device it was. */
  @Column('uuid', { nullable: true }) deviceId: string | null;
  @Column('varchar', { length: 50 }) kind: DeviceActivityKind;
  @Column('varchar', { length: 50 }) principalKind: string;
  @Column('uuid', { nullable: true }) principalId: string | null;
  @Column('varchar', { length: 256 }) principalName: string;
  @Column('varchar', { length: 64, nullable: true }) ipAddress: string | null;
  /** The id of the request, or of the connection of the viewer hub. */
  @Column('varchar', { length: 100 }) correlationId: string;
  /** Another system's ids of the user and the session, where a logon token opened the session. */
  @Column('varchar', { length: 252, nullable: true }) userCorrelationId: string | null;
  @Column('varchar', { length: 128, nullable: true }) sessionCorrelationId: string | null;
  /** The path of the transfer or the change, or the id of the session at the relay. */
  @Column('varchar', { length: 1024, nullable: true }) subject: string | null;
  /** The session of the operating system whose desktop is shown; null for everything but remote control. */
  @Column('integer', { nullable: true }) desktopSession: number | null;
  /** True if the viewer could not control the desktop when the session began. */
  @Column('boolean', { nullable: true }) isViewOnly: boolean | null;
  @Column('varchar', { length: 20, nullable: true }) consent: SessionConsent | null;
  /** The process that serves it. */
  @Column('varchar', { length: 100 }) nodeId: string;
  @Column('timestamptz') startedAt: Date;
  @Column('timestamptz', { nullable: true }) endedAt: Date | null;
  /** To the device. */
  @Column('bigint', { default: 0 }) bytesIn: string;
  /** From the device. */
  @Column('bigint', { default: 0 }) bytesOut: string;
  /** Null while it runs. */
  @Column('varchar', { length: 50, nullable: true }) outcome: DeviceActivityOutcome | null;
}
