import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A running process of the service. One that has not reported for a while is gone, and so are its connections. */
@Entity('nodes')
export class ServerNode {
  @PrimaryColumn('varchar', { length: 100 }) id: string;
  @Column('timestamptz') startedAt: Date;
  @Column('timestamptz') lastSeenAt: Date;
}
