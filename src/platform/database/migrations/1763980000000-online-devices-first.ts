import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the index in the order in which the front end lists devices: those that are online first, each part by name. */
export class OnlineDevicesFirst1763980000000 implements MigrationInterface {
  readonly name = 'OnlineDevicesFirst1763980000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX ix_devices_tenant_id_is_online_lower_name_created_at_id
       ON devices (tenant_id, is_online DESC NULLS LAST, lower(name), created_at, id)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_devices_tenant_id_is_online_lower_name_created_at_id');
  }
}
