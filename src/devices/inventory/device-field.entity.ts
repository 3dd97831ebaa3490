import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

import { CreatedAtColumn, IdColumn, TenantIdColumn } from '../../platform/database/schema/columns.js';
import type { DeviceFieldType } from './field-value.js';

/** A field that a tenant has defined for its devices. */
@Entity('device_fields')
@Unique(['tenantId', 'name'])
export class DeviceField {
  @IdColumn() id: string;
  @CreatedAtColumn() createdAt: Date;
  @TenantIdColumn() tenantId: string;
  @Column('varchar', { length: 50 }) name: string;
  @Column('varchar', { length: 20 }) type: DeviceFieldType;
  /** True if lists of devices may show the field as a column. */
  @Column('boolean') isListed: boolean;
  /** Place among the fields of the tenant, from 0. */
  @Column('integer') position: number;
  /** The texts to choose from; empty unless the type is `Choice`. */
  @Column('text', { array: true }) choices: string[];
}

/** The value of a field on one device. A device without a value has no row. */
@Entity('device_field_values')
@Index(['fieldId'])
@Index('ix_device_field_values_trgm', { synchronize: false })
export class DeviceFieldValue {
  @PrimaryColumn('uuid') @ForeignKey('Device', { onDelete: 'CASCADE' }) deviceId: string;
  @PrimaryColumn('uuid') @ForeignKey('DeviceField', { onDelete: 'CASCADE' }) fieldId: string;
  @Column('varchar', { length: 1_000 }) value: string;
}

/** The note of one device. A device without a note has no row. */
@Entity('device_notes')
@Index('ix_device_notes_trgm', { synchronize: false })
export class DeviceNote {
  @PrimaryColumn('uuid') @ForeignKey('Device', { onDelete: 'CASCADE' }) deviceId: string;
  @Column('varchar', { length: 10_000 }) note: string;
}
