import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Remembers the ids of deleted devices, so that none comes back by itself. */
export class DeletedDevices1763810000000 implements MigrationInterface {
  readonly name = 'DeletedDevices1763810000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "deleted_devices" (
        "id" uuid NOT NULL,
        "deleted_at" timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT "pk_deleted_devices" PRIMARY KEY ("id"))`);
    await runner.query(`CREATE FUNCTION note_deleted_devices() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO deleted_devices (id) SELECT id FROM deleted ON CONFLICT (id) DO UPDATE SET deleted_at = EXCLUDED.deleted_at;
     RETURN NULL;
   END $$`);
    await runner.query(
      `CREATE TRIGGER note_deleted_devices AFTER DELETE ON devices REFERENCING OLD TABLE AS deleted
     FOR EACH STATEMENT EXECUTE FUNCTION note_deleted_devices()`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER note_deleted_devices ON devices');
    await runner.query('DROP FUNCTION note_deleted_devices()');
    await runner.query('DROP TABLE "deleted_devices"');
  }
}
