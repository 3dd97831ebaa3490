import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Backups that the service makes: outcome, and whether their files were verified. */
export class BackupRuns1764310000000 implements MigrationInterface {
  readonly name = 'BackupRuns1764310000000';
  /** Earlier releases do not know the table. */
  readonly runsOn = '0.1.0';
  readonly locks: readonly string[] = [];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE backup_runs (
      id uuid NOT NULL,
      kind varchar(10) NOT NULL,
      started_at timestamptz NOT NULL,
      finished_at timestamptz,
      file varchar(100),
      size bigint,
      failure varchar(1000),
      verified_at timestamptz,
      verification_failure varchar(1000),
      CONSTRAINT pk_backup_runs PRIMARY KEY (id)
    )`);
    await runner.query('CREATE INDEX ix_backup_runs_started_at ON backup_runs (started_at)');
    await runner.query('CREATE INDEX ix_backup_runs_file ON backup_runs (file)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE backup_runs');
  }
}
