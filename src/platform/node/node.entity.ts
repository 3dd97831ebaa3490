import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A node: one run of a process of the service. One that has not reported for a while counts as gone, with all its connections. */
@Entity('nodes')
export class ServerNodeRow {
  @PrimaryColumn('varchar', { length: 100 }) id: string;
  /** Host and port at which other nodes reach it; null while there is only one. */
  @Column('varchar', { length: 255, nullable: true }) address: string | null;
  @Column('varchar', { length: 40, default: '' }) version: string;
  @Column('varchar', { length: 20, default: 'running' }) state: string;
  /** Hub connections, as of its last report. */
  @Column('integer', { default: 0 }) connections: number;
  /** The digest of the files that it offers for download; null where it has not reported one. */
  @Column('varchar', { length: 64, nullable: true }) downloadsDigest: string | null;
  @Column('timestamptz') startedAt: Date;
  @Column('timestamptz') lastSeenAt: Date;
}
