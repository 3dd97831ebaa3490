import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The last report on the health of the server, and the outcome of the last mail, for all nodes. */
export class LastOutcomes1764450000000 implements MigrationInterface {
  readonly name = 'LastOutcomes1764450000000';
  /** Earlier releases do not know the table. */
  readonly runsOn = '0.1.0';
  readonly locks: readonly string[] = [];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE last_outcomes (
      kind varchar(20) NOT NULL,
      stored_at timestamptz NOT NULL,
      outcome jsonb NOT NULL,
      CONSTRAINT pk_last_outcomes PRIMARY KEY (kind)
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE last_outcomes');
  }
}
