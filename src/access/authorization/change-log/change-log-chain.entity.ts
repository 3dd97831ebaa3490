import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/*
 * The chains of the change log. The database writes them at the end of each transaction
 * (`src/platform/database/triggers/change-log-chain.ts`). `logId` is the tenant, or the all-zero GUID for the log of the server. Nothing
 * refers to entries or tenants by a foreign key: what is left of them shows what is missing.
 */

/** The place of an entry in its chain. */
@Entity('change_log_links')
@Unique(['entryId'])
export class ChangeLogLink {
  @PrimaryColumn('uuid') logId: string;
  /** From 1, without a gap. */
  @PrimaryColumn('bigint') position: string;
  @Column('uuid') entryId: string;
  /** The hash of the entry before it; empty for the first. */
  @Column('bytea') previousHash: Buffer;
  /** SHA-256 over the contents of the entry, its position and the hash before it. */
  @Column('bytea') hash: Buffer;
}

/** The two ends of a chain. It stays when all its entries have expired and its tenant is deleted. */
@Entity('change_log_chains')
export class ChangeLogChain {
  @PrimaryColumn('uuid') logId: string;
  /** The last entry. */
  @Column('bigint', { default: 0 }) position: string;
  @Column('bytea', { default: () => `'\\x'` }) hash: Buffer;
  /** The last entry that expired, after which the chain now begins. */
  @Column('bigint', { default: 0 }) removedPosition: string;
  @Column('bytea', { default: () => `'\\x'` }) removedHash: Buffer;
}
