import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** The node that a session of the relay is at home at. It goes with the node. */
@Entity('relay_places')
@Index(['nodeId'])
@Index(['expiresAt'])
export class RelayPlaceRow {
  @PrimaryColumn('uuid') session: string;
  @Column('varchar', { length: 100 }) @ForeignKey('ServerNodeRow', { onDelete: 'CASCADE' }) nodeId: string;
  /** True if a viewer has asked for it. */
  @Column('boolean') isRequested: boolean;
  /** The end of the time for which the id of a session that is over stays closed; null before its end. */
  @Column('timestamptz', { nullable: true }) expiresAt: Date | null;
}
