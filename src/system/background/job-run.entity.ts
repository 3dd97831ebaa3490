import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Time at which a background job last ran to its end, in any process. */
@Entity('job_runs')
export class JobRun {
  @PrimaryColumn('varchar', { length: 50 }) name: string;
  @Column('timestamptz') finishedAt: Date;
}
