import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An index of all devices in the order of their names: pages of callers who reach every tenant follow it, instead of sorting all matches.
 * No report of a device changes its columns.
 */
export class NamesAcrossTenants1764440000000 implements MigrationInterface {
  readonly name = 'NamesAcrossTenants1764440000000';
  /** Earlier releases do without it. */
  readonly runsOn = '0.1.0';
  readonly locks = ['devices'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX ix_devices_lower_name_created_at_id ON devices (lower(name), created_at, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_devices_lower_name_created_at_id');
  }
}
