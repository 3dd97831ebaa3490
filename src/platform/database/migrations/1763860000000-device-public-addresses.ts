import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the index by which the neighbours of a device are found, which can wake it. */
export class DevicePublicAddresses1763860000000 implements MigrationInterface {
  readonly name = 'DevicePublicAddresses1763860000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX "ix_devices_tenant_id_public_ip_v4" ON "devices"  ("tenant_id", "public_ip_v4")`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX "ix_devices_tenant_id_public_ip_v4"');
  }
}
