import { Column, Entity, Index } from 'typeorm';

import { CreatedAtColumn, IdColumn } from '../../../platform/database/schema/columns.js';

/** One change, written in the transaction that made it and never altered. It stays when its tenant is deleted. */
@Entity('authorization_change_logs')
@Index(['owningTenantId', 'createdAt', 'id'])
@Index('ix_change_logs_action', ['owningTenantId', 'actionType', 'createdAt', 'id'])
@Index(['actorPrincipalId'])
@Index(['targetId'])
// Few entries come from sessions of logon tokens.
@Index('ix_change_logs_user_correlation_id', ['userCorrelationId'], { where: 'user_correlation_id IS NOT NULL' })
@Index('ix_change_logs_session_correlation_id', ['sessionCorrelationId'], { where: 'session_correlation_id IS NOT NULL' })
// Entries are inserted in order of time, so a BRIN index finds old ones. It has no order, so the planner never walks all tenants with it.
@Index(['createdAt'], { type: 'brin' })
export class AuthorizationChangeLog {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @Column('varchar', { length: 100 }) actionType: string;
  @Column('varchar', { length: 50 }) actorPrincipalType: string;
  @Column('uuid', { nullable: true }) actorPrincipalId: string | null;
  @Column('varchar', { length: 100 }) targetType: string;
  @Column('uuid', { nullable: true }) targetId: string | null;
  @Column('uuid', { nullable: true }) owningTenantId: string | null;
  @Column('varchar', { length: 64, nullable: true }) ipAddress: string | null;
  @Column('varchar', { length: 100, nullable: true }) correlationId: string | null;
  /** Names that another system gives the user and the session, where a logon token opened the session. */
  @Column('varchar', { length: 252, nullable: true }) userCorrelationId: string | null;
  @Column('varchar', { length: 128, nullable: true }) sessionCorrelationId: string | null;
  @Column('text', { nullable: true }) beforeJson: string | null;
  @Column('text', { nullable: true }) afterJson: string | null;
}
