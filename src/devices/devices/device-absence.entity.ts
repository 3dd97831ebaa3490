import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A device that is offline. A trigger writes and deletes it with each change of `is_online`. */
@Entity('device_absences')
@Index('ix_device_absences_untold', ['since'], { where: 'told_at IS NULL' })
export class DeviceAbsence {
  @PrimaryColumn('uuid') @ForeignKey('Device', { onDelete: 'CASCADE' }) deviceId: string;
  @Column('timestamptz') since: Date;
  /** Time of its event `device.offline`; null while the absence is too short for one. */
  @Column('timestamptz', { nullable: true }) toldAt: Date | null;
}
