import { Column, Entity, ForeignKey, Index, PrimaryColumn, type ColumnOptions } from 'typeorm';

import { CreatedAtColumn, IdColumn, ReferenceColumn, TenantIdColumn } from '../../platform/database/schema/columns.js';
import { fieldOf, type FieldName, type FieldType, type StoredDrive, type StoredFields } from './row/device-fields.js';

/** The column of a field, by the type of the field. Keys and references have decorators of their own. */
const COLUMN_OPTIONS: Readonly<Record<Exclude<FieldType, 'guid' | 'guids'>, ColumnOptions>> = {
  text: { type: 'varchar', default: '' },
  texts: { type: 'text', array: true, default: () => "'{}'" },
  number: { type: 'double precision', default: 0 },
  integer: { type: 'integer', default: 0 },
  boolean: { type: 'boolean', default: false },
  instant: { type: 'timestamptz', default: () => 'now()' },
  architecture: { type: 'smallint', default: 0 },
  platform: { type: 'smallint', default: 0 },
  drives: { type: 'jsonb', default: () => "'[]'" },
};

/** The column that the table of fields describes under the name of the property. */
function FieldColumn(): PropertyDecorator {
  return (entity, property) => {
    const { type, maxLength: length } = fieldOf(property as FieldName);
    if (type === 'guid' || type === 'guids') throw new Error(`${String(property)} is no plain column.`);
    Column({ ...COLUMN_OPTIONS[type], length })(entity, property);
  };
}

@Entity('devices')
@Index(['tenantId', 'createdAt', 'id'])
@Index(['createdAt', 'id'])
@Index(['customerId'])
@Index('ix_devices_key_pending', ['createdAt', 'id'], { where: 'key_pending_since IS NOT NULL' })
@Index(['tenantId', 'publicIpV4'])
@Index('ix_devices_tenant_id_is_online_is_tagged_id', { synchronize: false })
@Index('ix_devices_lower_name_created_at_id', { synchronize: false })
@Index('ix_devices_tenant_id_lower_name_created_at_id', { synchronize: false })
@Index('ix_devices_tenant_id_is_online_lower_name_created_at_id', { synchronize: false })
@Index('ix_devices_node_id_online', { synchronize: false })
export class Device implements StoredFields {
  /** Chosen by the agent; unique on the server. */
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @TenantIdColumn() tenantId: string;
  @ReferenceColumn('Customer', { onDelete: 'SET NULL', nullable: true }) customerId: string | null;
  @FieldColumn() name: string;
  @FieldColumn() alias: string;
  @FieldColumn() agentVersion: string;
  /** The hub connection through which commands are sent; empty while the device is offline. */
  @FieldColumn() connectionId: string;
  /** The node that holds the connection; null while the device is offline. */
  @Column('varchar', { length: 100, nullable: true }) nodeId: string | null;
  @FieldColumn() dnsHostName: string;
  @FieldColumn() osDescription: string;
  @FieldColumn() localIpV4: string;
  @FieldColumn() localIpV6: string;
  @FieldColumn() publicIpV4: string;
  @FieldColumn() publicIpV6: string;
  /**
   * Ed25519 public key, base64 of 32 bytes; empty until the device has one. It is in force unless it waits for approval and no other key
   * waits beside it. Never part of a response.
   */
  @Column('varchar', { length: 100, default: '' }) publicKey: string;
  /** Time since which a key waits for approval; null while none does. */
  @Column('timestamptz', { nullable: true }) keyPendingSince: Date | null;
  /** The key that waits for approval beside the one in force; empty when none does. */
  @Column('varchar', { length: 100, default: '' }) waitingPublicKey: string;
  /** As `lastUpdateTicks`, for updates that the waiting key signed. */
  @Column('bigint', { default: 0 }) waitingUpdateTicks: string;
  /** Timestamp, in ticks, of the last signed update that was accepted. It prevents the replay of captured updates. */
  @Column('bigint', { default: 0 }) lastUpdateTicks: string;
  @FieldColumn() cpuUtilization: number;
  @FieldColumn() totalMemory: number;
  @FieldColumn() usedMemory: number;
  @FieldColumn() totalStorage: number;
  @FieldColumn() usedStorage: number;
  @FieldColumn() processorCount: number;
  @FieldColumn() is64Bit: boolean;
  @FieldColumn() isOnline: boolean;
  @FieldColumn() lastSeen: Date;
  @FieldColumn() osArchitecture: number;
  @FieldColumn() platform: number;
  @FieldColumn() currentUsers: string[];
  @FieldColumn() macAddresses: string[];
  @FieldColumn() drives: StoredDrive[];
  /**
   * The digest (`digestOf`) of the details that a report wrote last: a report with the same digest changes none of them. Empty when it is
   * not known. A trigger empties it when something else changes a detail. Never part of a response.
   */
  @Column('varchar', { length: 40, default: '' }) detailsDigest: string;
  /** True if the device carries a tag. A trigger maintains it, so that counts need no join. */
  @Column('boolean', { default: false }) isTagged: boolean;
}

/** The texts of a device that a search looks at, as the function `searchable` writes them. A trigger maintains the row. */
@Entity('device_search_texts')
@Index('ix_device_search_texts_trgm', { synchronize: false })
export class DeviceSearchText {
  @PrimaryColumn('uuid') @ForeignKey('Device', { onDelete: 'CASCADE' }) deviceId: string;
  @Column('text') searchText: string;
}
