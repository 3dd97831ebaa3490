import { Column, Entity, Index } from 'typeorm';

import { CreatedAtColumn, IdColumn, TenantIdColumn } from '../../platform/database/schema/columns.js';

export enum UserAccountType {
  User = 'User',
  ExternalUser = 'ExternalUser',
}

@Entity('users')
@Index('uq_users_normalized_user_name', ['normalizedUserName'], { unique: true, where: `account_type = 'User'` })
// The same external person may be a user of several tenants.
@Index('uq_users_external_user_name', ['tenantId', 'normalizedUserName'], { unique: true, where: `account_type = 'ExternalUser'` })
@Index(['tenantId', 'userName', 'id'])
@Index(['normalizedEmail'])
export class User {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @TenantIdColumn() tenantId: string;
  @Column('varchar', { length: 256 }) userName: string;
  /** The unique form of the name: in upper case for people, unchanged for external users. */
  @Column('varchar', { length: 256 }) normalizedUserName: string;
  @Column('varchar', { length: 256, nullable: true }) email: string | null;
  @Column('varchar', { length: 256, nullable: true }) normalizedEmail: string | null;
  @Column('boolean', { default: false }) emailConfirmed: boolean;
  /** Null when the user cannot sign in with a password. */
  @Column('text', { nullable: true }) passwordHash: string | null;
  /** Changes with every sign-in credential, which ends older sessions. */
  @Column('uuid') securityStamp: string;
  @Column('boolean', { default: false }) twoFactorEnabled: boolean;
  @Column('timestamptz', { nullable: true }) lockoutEnd: Date | null;
  @Column('boolean', { default: true }) lockoutEnabled: boolean;
  @Column('integer', { default: 0 }) accessFailedCount: number;
  @Column('varchar', { length: 50, nullable: true }) phoneNumber: string | null;
  @Column('varchar', { length: 50, default: UserAccountType.User }) accountType: UserAccountType;
  @Column('timestamptz', { nullable: true }) lastLogin: Date | null;
  @Column('boolean', { default: false }) requirePasswordChange: boolean;
  /** Null while the user may sign in. The credentials of a suspended user do not work. */
  @Column('timestamptz', { nullable: true }) suspendedAt: Date | null;
}
