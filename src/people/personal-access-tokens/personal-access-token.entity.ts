import { Column, Entity, Index, Unique } from 'typeorm';

import { CreatedAtColumn, IdColumn, ReferenceColumn } from '../../platform/database/schema/columns.js';

/** Source of a token's permissions: its own (limited by its owner's) or exactly those of its owner. */
export enum PersonalAccessTokenPermissionMode {
  Restricted = 'Restricted',
  InheritOwner = 'InheritOwner',
}

@Entity('personal_access_tokens')
@Index(['userId', 'createdAt'])
@Index(['madeWithCredentialId'])
@Unique(['userId', 'name'])
export class PersonalAccessToken {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @ReferenceColumn('User', { onDelete: 'CASCADE' }) userId: string;
  @Column('varchar', { length: 256 }) name: string;
  @Column('bytea') hashedSecret: Buffer;
  @Column('timestamptz', { nullable: true }) lastUsed: Date | null;
  @Column('varchar', { length: 50, default: PersonalAccessTokenPermissionMode.Restricted })
  permissionMode: PersonalAccessTokenPermissionMode;
  @Column('timestamptz', { nullable: true }) expiresAt: Date | null;
  @Column('timestamptz', { nullable: true }) revokedAt: Date | null;
  @Column('uuid', { nullable: true }) createdByUserId: string | null;
  /** The key or token that made this one, and with which it ends; null when a session made it. */
  @Column('uuid', { nullable: true }) madeWithCredentialId: string | null;
}
