import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** The notes of one device group. A group without notes has no row. */
@Entity('device_group_notes')
export class DeviceGroupNotes {
  @PrimaryColumn('uuid') @ForeignKey('DeviceGroup', { onDelete: 'CASCADE' }) deviceGroupId: string;
  @Column('varchar', { length: 2_000 }) notes: string;
}
