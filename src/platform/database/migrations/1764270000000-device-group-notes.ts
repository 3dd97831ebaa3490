import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notes of device groups, beside the members of a group that the API has. */
export class DeviceGroupNotes1764270000000 implements MigrationInterface {
  readonly name = 'DeviceGroupNotes1764270000000';
  /** Earlier releases do not know the table. */
  readonly runsOn = '0.1.0';
  readonly locks = ['device_groups'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE device_group_notes (
      device_group_id uuid NOT NULL,
      notes varchar(2000) NOT NULL,
      CONSTRAINT pk_device_group_notes PRIMARY KEY (device_group_id),
      CONSTRAINT fk_device_group_notes_device_group_id FOREIGN KEY (device_group_id) REFERENCES device_groups (id) ON DELETE CASCADE
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE device_group_notes');
  }
}
