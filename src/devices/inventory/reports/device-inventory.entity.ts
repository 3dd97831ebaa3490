import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import type { DeviceInventoryDto } from '#libs/contracts';

/** The inventory that an agent has reported of its device, without the lists. */
export type StoredFacts = Omit<DeviceInventoryDto, 'software' | 'updates' | 'bootedAt'> & { readonly bootedAt: string | null };

/** The inventory that the agent of a device has reported last. */
@Entity('device_inventories')
export class DeviceInventory {
  @PrimaryColumn('uuid') @ForeignKey('Device', { onDelete: 'CASCADE' }) deviceId: string;
  /** The agent's hash of the inventory. */
  @Column('varchar', { length: 256 }) hash: string;
  /** The last time at which the agent confirmed this inventory, up to half a day old. */
  @Column('timestamptz') confirmedAt: Date;
  @Column('jsonb') facts: StoredFacts;
  /** Null if the agent cannot read it. */
  @Column('jsonb', { nullable: true }) software: DeviceInventoryDto['software'];
  /** Null if the agent cannot read them. */
  @Column('jsonb', { nullable: true }) updates: DeviceInventoryDto['updates'];
}
