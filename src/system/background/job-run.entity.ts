import { Column, Entity, PrimaryColumn } from 'typeorm';

/** When a background job last ran to its end, in whatever process. */
@Entity('job_runs')
export class JobRun {
  @PrimaryColumn('varchar', { length: 50 }) name: string;
  @Column('timestamptz') finishedAt: Date;
}
