import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keeps the key in force of a device in its place while another one waits for approval, and notifies of every other key. A device whose key
 * waits goes back to its former key, and is offline until it reports with it.
 */
export class WaitingKeys1764040000000 implements MigrationInterface {
  readonly name = 'WaitingKeys1764040000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "devices" RENAME COLUMN "former_public_key" TO "waiting_public_key"');
    await runner.query('ALTER TABLE "devices" ADD "waiting_update_ticks" bigint NOT NULL DEFAULT 0');
    await runner.query(`
      UPDATE devices SET public_key = waiting_public_key, waiting_public_key = public_key,
        last_update_ticks = 0, waiting_update_ticks = last_update_ticks, is_online = FALSE, connection_id = '', node_id = NULL
      WHERE key_pending_since IS NOT NULL AND waiting_public_key <> ''`);
    await notifyOf(runner, 'tenant_id, customer_id, key_pending_since, waiting_public_key');
    await runner.query(`CREATE TRIGGER invalidate_device_key AFTER UPDATE OF public_key ON devices FOR EACH ROW
     WHEN (OLD.public_key <> NEW.public_key) EXECUTE FUNCTION notify_device_invalidation()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER invalidate_device_key ON devices');
    await notifyOf(runner, 'tenant_id, customer_id, key_pending_since');
    await runner.query(`
      UPDATE devices SET public_key = waiting_public_key, waiting_public_key = public_key, last_update_ticks = waiting_update_ticks,
        is_online = FALSE, connection_id = '', node_id = NULL
      WHERE key_pending_since IS NOT NULL AND waiting_public_key <> ''`);
    await runner.query('ALTER TABLE "devices" DROP COLUMN "waiting_update_ticks"');
    await runner.query('ALTER TABLE "devices" RENAME COLUMN "waiting_public_key" TO "former_public_key"');
  }
}

/** Makes the nodes hear of every device that is deleted or of which one of the columns is written. */
async function notifyOf(runner: QueryRunner, columns: string): Promise<void> {
  await runner.query('DROP TRIGGER invalidate_device ON devices');
  await runner.query(`CREATE TRIGGER invalidate_device AFTER DELETE OR UPDATE OF ${columns} ON devices
     FOR EACH ROW EXECUTE FUNCTION notify_device_invalidation()`);
}
