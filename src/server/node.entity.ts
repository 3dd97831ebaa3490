import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A node: a process of the service. One that has not reported for a while counts as gone, with all its connections. */
@Entity('nodes')
export class ServerNodeRow {
  @PrimaryColumn('varchar', { length: 100 }) id: string;
  @Column('timestamptz') startedAt: Date;
  @Column('timestamptz') lastSeenAt: Date;
}
