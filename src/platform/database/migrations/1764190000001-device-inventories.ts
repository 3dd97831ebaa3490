import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Inventories that agents report of their devices: model, memory, installed programs, pending updates. */
export class DeviceInventories1764190000001 implements MigrationInterface {
  readonly name = 'DeviceInventories1764190000001';
  /** Earlier releases do not know the table. */
  readonly runsOn = '0.1.0';
  readonly locks = ['devices'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE device_inventories (
      device_id uuid NOT NULL,
      hash varchar(256) NOT NULL,
      confirmed_at timestamptz NOT NULL,
      facts jsonb NOT NULL,
      software jsonb,
      updates jsonb,
      CONSTRAINT pk_device_inventories PRIMARY KEY (device_id),
      CONSTRAINT fk_device_inventories_device_id FOREIGN KEY (device_id) REFERENCES devices (id) ON DELETE CASCADE
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE device_inventories');
  }
}
