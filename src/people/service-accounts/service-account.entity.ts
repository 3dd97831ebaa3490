import { Check, Column, Entity, Index } from 'typeorm';

import { CreatedAtColumn, IdColumn, ReferenceColumn, TenantIdColumn } from '../../platform/database/schema/columns.js';

export enum ServiceAccountKind {
  Tenant = 'Tenant',
  Server = 'Server',
}

/** Kind of a server service account's authorization; fixed when the account is created. */
export enum ServiceAccountAccessMode {
  Restricted = 'Restricted',
  Unrestricted = 'Unrestricted',
}

@Entity('service_accounts')
@Check('ck_service_accounts_tenant', `("kind" = 'Server') = ("tenant_id" IS NULL)`)
@Index('uq_service_accounts_server_name', ['name'], { unique: true, where: `kind = 'Server'` })
@Index('uq_service_accounts_tenant_name', ['tenantId', 'name'], { unique: true, where: `kind = 'Tenant'` })
export class ServiceAccount {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @Column('varchar', { length: 50 }) kind: ServiceAccountKind;
  @TenantIdColumn({ nullable: true }) tenantId: string | null;
  @Column('varchar', { length: 100 }) name: string;
  @Column('varchar', { length: 500, nullable: true }) description: string | null;
  @Column('boolean', { default: true }) isEnabled: boolean;
  @Column('varchar', { length: 50, default: ServiceAccountAccessMode.Restricted }) accessMode: ServiceAccountAccessMode;
}

@Entity('service_account_credentials')
@Index(['serviceAccountId', 'createdAt', 'id'])
export class ServiceAccountCredential {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @ReferenceColumn('ServiceAccount', { onDelete: 'CASCADE' }) serviceAccountId: string;
  @Column('varchar', { length: 100 }) name: string;
  @Column('bytea') hashedSecret: Buffer;
  @Column('timestamptz', { nullable: true }) expiresAt: Date | null;
  @Column('timestamptz', { nullable: true }) lastUsedAt: Date | null;
  @Column('timestamptz', { nullable: true }) revokedAt: Date | null;
}
