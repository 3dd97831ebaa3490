import { Column, Entity, Index } from 'typeorm';

import { CreatedAtColumn, IdColumn, ReferenceColumn, TenantIdColumn } from '../../platform/database/schema/columns.js';

/** Limit of an installer key. `Unknown` stands for an omitted type and is never stored. */
export enum InstallerKeyType {
  Unknown = 'Unknown',
  UsageBased = 'UsageBased',
  TimeBased = 'TimeBased',
  Persistent = 'Persistent',
}

/** The kind of principal that created an installer key. */
export enum InstallerKeyCreatorKind {
  User = 'User',
  ServerServiceAccount = 'ServerServiceAccount',
  TenantServiceAccount = 'TenantServiceAccount',
}

@Entity('installer_keys')
@Index(['tenantId', 'creatorId'])
export class InstallerKey {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @TenantIdColumn() tenantId: string;
  @Column('uuid') creatorId: string;
  @Column('varchar', { length: 50 }) creatorKind: InstallerKeyCreatorKind;
  /** The Restricted personal access token that made the key; null when something else did. It may be gone. */
  @Column('uuid', { nullable: true }) creatorTokenId: string | null;
  @Column('varchar', { length: 20 }) keyType: InstallerKeyType;
  @Column('integer', { nullable: true }) allowedUses: number | null;
  @Column('timestamptz', { nullable: true }) expiration: Date | null;
  @Column('varchar', { length: 200, nullable: true }) friendlyName: string | null;
  @Column('bytea') hashedSecret: Buffer;
  /** Number of registrations so far. It is increased under a row lock. */
  @Column('integer', { default: 0 }) usageCount: number;
}

@Entity('installer_key_usages')
@Index(['installerKeyId', 'createdAt'])
@Index(['createdAt'])
export class InstallerKeyUsage {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @TenantIdColumn() tenantId: string;
  @ReferenceColumn('InstallerKey', { onDelete: 'CASCADE' }) installerKeyId: string;
  /** Kept when the device is deleted, so that the history of the key stays complete. */
  @Column('uuid') deviceId: string;
  @Column('varchar', { length: 64, nullable: true }) remoteIpAddress: string | null;
}
