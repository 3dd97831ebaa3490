import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets the new key of a device wait for approval. */
export class PendingDeviceKeys1763830000000 implements MigrationInterface {
  readonly name = 'PendingDeviceKeys1763830000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "devices" ADD "key_pending_since" TIMESTAMP WITH TIME ZONE`);
    await runner.query(`ALTER TABLE "devices" ADD "former_public_key" character varying(100) NOT NULL DEFAULT ''`);
    await runner.query(`CREATE INDEX "ix_devices_key_pending" ON "devices"  ("created_at", "id") WHERE key_pending_since IS NOT NULL`);
    await notifyOf(runner, 'tenant_id, customer_id, key_pending_since');
  }

  async down(runner: QueryRunner): Promise<void> {
    await notifyOf(runner, 'tenant_id, customer_id');
    await runner.query('DROP INDEX "ix_devices_key_pending"');
    await runner.query('ALTER TABLE "devices" DROP COLUMN "former_public_key"');
    await runner.query('ALTER TABLE "devices" DROP COLUMN "key_pending_since"');
  }
}

/** Makes the nodes hear of every device that is deleted or of which one of the columns is written. */
async function notifyOf(runner: QueryRunner, columns: string): Promise<void> {
  await runner.query('DROP TRIGGER invalidate_device ON devices');
  await runner.query(`CREATE TRIGGER invalidate_device AFTER DELETE OR UPDATE OF ${columns} ON devices
     FOR EACH ROW EXECUTE FUNCTION notify_device_invalidation()`);
}
