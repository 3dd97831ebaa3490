import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds what another system calls a user and a session to the records of what is done in sessions of logon tokens. */
export class CorrelationIds1763920000000 implements MigrationInterface {
  readonly name = 'CorrelationIds1763920000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['authorization_change_logs', 'device_activities']) {
      await runner.query(`ALTER TABLE "${table}" ADD "user_correlation_id" character varying(252)`);
      await runner.query(`ALTER TABLE "${table}" ADD "session_correlation_id" character varying(128)`);
    }
    for (const name of ['user_correlation_id', 'session_correlation_id']) {
      await runner.query(`CREATE INDEX "ix_change_logs_${name}" ON "authorization_change_logs" ("${name}") WHERE ${name} IS NOT NULL`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['authorization_change_logs', 'device_activities']) {
      await runner.query(`ALTER TABLE "${table}" DROP COLUMN "session_correlation_id"`);
      await runner.query(`ALTER TABLE "${table}" DROP COLUMN "user_correlation_id"`);
    }
  }
}
