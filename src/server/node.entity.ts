import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A process of the service as the database knows it. One that has not reported for a while counts as gone, with all its connections. */
@Entity('nodes')
export class ServerNodeRow {
  @PrimaryColumn('varchar', { length: 100 }) id: string;
  @Column('timestamptz') startedAt: Date;
  @Column('timestamptz') lastSeenAt: Date;
}
