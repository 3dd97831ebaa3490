import { Column, Entity, Index } from 'typeorm';

import type { TokenMaker } from '../../access/authentication/principals/principal.js';
import { CreatedAtColumn, IdColumn, ReferenceColumn, TenantIdColumn } from '../../platform/database/schema/columns.js';

@Entity('logon_tokens')
@Index(['tenantId'])
@Index(['deviceId'])
@Index(['userId'])
@Index(['expiresAt'])
@Index(['madeWithCredentialId'])
export class LogonToken {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @TenantIdColumn() tenantId: string;
  @ReferenceColumn('Device', { onDelete: 'CASCADE' }) deviceId: string;
  @ReferenceColumn('User', { onDelete: 'CASCADE' }) userId: string;
  @Column('bytea') hashedSecret: Buffer;
  @Column('timestamptz') expiresAt: Date;
  @Column('timestamptz', { nullable: true }) consumedAt: Date | null;
  @Column('varchar', { length: 252, nullable: true }) userCorrelationId: string | null;
  @Column('varchar', { length: 128, nullable: true }) sessionCorrelationId: string | null;
  /** The desktop sessions that the token allows; null for all. */
  @Column('integer', { array: true, nullable: true }) allowedDesktopSessionIds: number[] | null;
  @Column('integer', { default: 480 }) sessionExpirationMinutes: number;
  /** The key or token that made this one, and with which it ends; null when a session made it. */
  @Column('uuid', { nullable: true }) madeWithCredentialId: string | null;
  /** The account that made the token: `User` or `ServiceAccount`, and its id. Null for tokens of earlier versions. */
  @Column('varchar', { length: 20, nullable: true }) makerKind: TokenMaker['kind'] | null;
  @Column('uuid', { nullable: true }) makerId: string | null;
  /** Expiry of that key or token, and with it of the session that this one opens; null when it never expires. */
  @Column('timestamptz', { nullable: true }) makerExpiresAt: Date | null;
}
