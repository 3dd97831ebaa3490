import { Column, Entity, Index } from 'typeorm';

import { CreatedAtColumn, IdColumn, TenantIdColumn } from '../../platform/database/schema/columns.js';
import type { SecurityEventKind } from './security-event-kinds.js';

/** An event of the sign-in of a user. The entries of a deleted user stay until they are old. */
@Entity('security_events')
@Index(['tenantId', 'createdAt', 'id'])
@Index(['userId', 'createdAt', 'id'])
@Index(['createdAt'])
export class SecurityEvent {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @TenantIdColumn() tenantId: string;
  @Column('uuid') userId: string;
  @Column('varchar', { length: 256 }) userName: string;
  @Column('varchar', { length: 50 }) kind: SecurityEventKind;
  /** A detail that the kind leaves open, such as the way of signing in; null when there is none. */
  @Column('varchar', { length: 256, nullable: true }) detail: string | null;
  @Column('varchar', { length: 64, nullable: true }) remoteAddress: string | null;
  @Column('varchar', { length: 256, nullable: true }) userAgent: string | null;
  /** The request that caused it, as in the service's log. */
  @Column('varchar', { length: 100, nullable: true }) correlationId: string | null;
}
