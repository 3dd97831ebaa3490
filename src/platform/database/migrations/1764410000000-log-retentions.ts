import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Days for which tenants keep their logs. */
export class LogRetentions1764410000000 implements MigrationInterface {
  readonly name = 'LogRetentions1764410000000';
  /** Earlier releases keep all logs for as long as the server does. */
  readonly runsOn = '0.1.0';
  readonly locks: readonly string[] = [];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE log_retentions (
      tenant_id uuid NOT NULL,
      change_log_days integer,
      security_log_days integer,
      device_activity_days integer,
      event_days integer,
      CONSTRAINT pk_log_retentions PRIMARY KEY (tenant_id)
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE log_retentions');
  }
}
