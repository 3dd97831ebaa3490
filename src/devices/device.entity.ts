import { Column, Entity, Index } from 'typeorm';

import { CreatedAtColumn, IdColumn, ReferenceColumn, TenantIdColumn } from '../database/columns.js';

/** A drive as the agent reports it; sizes in GiB. */
export interface StoredDrive {
  readonly name: string;
  readonly driveType: string;
  readonly rootDirectory: string;
  readonly driveFormat: string;
  readonly freeSpace: number;
  readonly totalSize: number;
  readonly volumeLabel: string;
}

@Entity('devices')
@Index(['tenantId', 'createdAt', 'id'])
@Index(['createdAt', 'id'])
@Index(['customerId'])
@Index(['tenantId', 'isOnline', 'isTagged', 'id'])
@Index('ix_devices_tenant_id_lower_name_created_at_id', { synchronize: false })
@Index('ix_devices_search_text_trgm', { synchronize: false })
@Index('ix_devices_node_id_online', { synchronize: false })
export class Device {
  /** Chosen by the agent; unique over the server. */
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @TenantIdColumn() tenantId: string;
  @ReferenceColumn('Customer', { onDelete: 'SET NULL', nullable: true }) customerId: string | null;
  @Column('varchar', { length: 100, default: '' }) name: string;
  @Column('varchar', { length: 100, default: '' }) alias: string;
  @Column('varchar', { length: 50, default: '' }) agentVersion: string;
  /** The hub connection that commands go to; empty while offline. */
  @Column('varchar', { length: 100, default: '' }) connectionId: string;
  /** The node that holds the connection; null while offline. */
  @Column('varchar', { length: 100, nullable: true }) nodeId: string | null;
  @Column('varchar', { length: 255, default: '' }) dnsHostName: string;
  @Column('varchar', { length: 300, default: '' }) osDescription: string;
  @Column('varchar', { length: 15, default: '' }) localIpV4: string;
  @Column('varchar', { length: 39, default: '' }) localIpV6: string;
  @Column('varchar', { length: 15, default: '' }) publicIpV4: string;
  @Column('varchar', { length: 39, default: '' }) publicIpV6: string;
  /** Ed25519 public key, base64 of 32 bytes; empty until the device has one. Never in a response. */
  @Column('varchar', { length: 100, default: '' }) publicKey: string;
  /** Ticks of the last signed update that was accepted, so that a captured one cannot be replayed. */
  @Column('bigint', { default: 0 }) lastUpdateTicks: string;
  @Column('double precision', { default: 0 }) cpuUtilization: number;
  @Column('double precision', { default: 0 }) totalMemory: number;
  @Column('double precision', { default: 0 }) usedMemory: number;
  @Column('double precision', { default: 0 }) totalStorage: number;
  @Column('double precision', { default: 0 }) usedStorage: number;
  @Column('integer', { default: 0 }) processorCount: number;
  @Column('boolean', { default: false }) is64Bit: boolean;
  @Column('boolean', { default: false }) isOnline: boolean;
  @Column('timestamptz', { default: () => 'now()' }) lastSeen: Date;
  @Column('smallint', { default: 0 }) osArchitecture: number;
  @Column('smallint', { default: 0 }) platform: number;
  @Column('text', { array: true, default: () => "'{}'" }) currentUsers: string[];
  @Column('text', { array: true, default: () => "'{}'" }) macAddresses: string[];
  @Column('jsonb', { default: () => "'[]'" }) drives: StoredDrive[];
  /** Whether the device carries a tag; kept by a trigger, so that counting needs no join. */
  @Column('boolean', { default: false }) isTagged: boolean;
  /** What a search looks at, lower case; kept by a trigger. */
  @Column('text', { default: '' }) searchText: string;
}
