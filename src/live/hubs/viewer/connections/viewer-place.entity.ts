import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** The node of a viewer that uses terminals or chats. It goes with the viewer's connection, or with the node. */
@Entity('viewer_places')
@Index(['nodeId'])
export class ViewerPlaceRow {
  @PrimaryColumn('varchar', { length: 100 }) connectionId: string;
  @Column('varchar', { length: 100 }) @ForeignKey('ServerNodeRow', { onDelete: 'CASCADE' }) nodeId: string;
}
