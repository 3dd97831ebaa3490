import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Number of a caller's calls of a route in a window. The table is not logged: a crash of the database may empty it. */
@Entity('request_windows')
@Index(['endsAt'])
export class RequestWindow {
  /** Hash of the route and the address block. */
  @PrimaryColumn('varchar', { length: 200 }) key: string;
  @Column('integer') count: number;
  @Column('timestamptz') endsAt: Date;
}
