import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Facts about remote control sessions in the audit records: the desktop, whether the viewer may control it, and consent. */
export class RemoteControlSessions1764260000000 implements MigrationInterface {
  readonly name = 'RemoteControlSessions1764260000000';
  /** Earlier releases write records without the columns. */
  readonly runsOn = '0.1.0';
  readonly locks = ['device_activities'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE device_activities
      ADD desktop_session integer,
      ADD is_view_only boolean,
      ADD consent varchar(20)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE device_activities DROP desktop_session, DROP is_view_only, DROP consent');
  }
}
