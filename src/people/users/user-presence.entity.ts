import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A user who is connected to the viewer hub of a node. */
@Entity('user_presences')
@Index(['nodeId'])
export class UserPresenceRow {
  @PrimaryColumn('uuid') @ForeignKey('User', { onDelete: 'CASCADE' }) userId: string;
  @PrimaryColumn('varchar', { length: 100 }) @ForeignKey('ServerNodeRow', { onDelete: 'CASCADE' }) nodeId: string;
}
