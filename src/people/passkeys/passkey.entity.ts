import { Column, Entity, Index, Unique } from 'typeorm';

import { CreatedAtColumn, IdColumn, ReferenceColumn } from '../../platform/database/schema/columns.js';

/** Kind of a passkey: bound to the device that it was made on, or able to leave it. */
export enum PasskeyDeviceType {
  SingleDevice = 'SingleDevice',
  MultiDevice = 'MultiDevice',
}

/** A passkey of a user: the public half, whose private half only the user's authenticator has. */
@Entity('passkeys')
@Index(['userId'])
@Unique(['credentialId'])
export class Passkey {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @ReferenceColumn('User', { onDelete: 'CASCADE' }) userId: string;
  @Column('varchar', { length: 100 }) name: string;
  /** The id that the authenticator gave it. */
  @Column('bytea') credentialId: Buffer;
  /** In COSE form. */
  @Column('bytea') publicKey: Buffer;
  /** Number of uses by the authenticator's count; always 0 where it does not count. */
  @Column('bigint') counter: string;
  /** Transports by which browsers reach the authenticator, as reported when the passkey was made. */
  @Column('text', { array: true }) transports: string[];
  @Column('varchar', { length: 50 }) deviceType: PasskeyDeviceType;
  /** True if a copy of it is kept elsewhere, such as in the user's account at a vendor. */
  @Column('boolean') isBackedUp: boolean;
  @Column('timestamptz', { nullable: true }) lastUsedAt: Date | null;
}

/** A challenge that was answered, kept until it would have expired. A second answer to it is a copy. */
@Entity('used_passkey_challenges')
@Index(['expiresAt'])
export class UsedPasskeyChallenge {
  @IdColumn() id: string;
  @Column('timestamptz') expiresAt: Date;
}
