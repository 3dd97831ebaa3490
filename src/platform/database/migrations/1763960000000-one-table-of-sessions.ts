import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = ['access_expires_at timestamptz', 'hashed_lineage bytea', 'hashed_refresh bytea', 'refresh_expires_at timestamptz'];

/** Moves the sessions of programs that use bearer tokens to those of browsers, with which their users see and end them. */
export class OneTableOfSessions1763960000000 implements MigrationInterface {
  readonly name = 'OneTableOfSessions1763960000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await runner.query(`ALTER TABLE "sessions" ADD ${column}`);
    await runner.query(`
      INSERT INTO "sessions" (id, created_at, user_id, hashed_secret, security_stamp, method, is_persistent, expires_at, last_used_at,
        proven_at, remote_address, user_agent, access_expires_at, hashed_lineage, hashed_refresh, refresh_expires_at)
      SELECT id, created_at, user_id, hashed_access, security_stamp, 'Bearer', true, GREATEST(access_expires_at, refresh_expires_at),
        created_at, created_at, remote_address, user_agent, access_expires_at, hashed_lineage, hashed_refresh, refresh_expires_at
      FROM "bearer_sessions"`);
    await runner.query('DROP TABLE "bearer_sessions"');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "bearer_sessions" (
        "id" uuid NOT NULL,
        "created_at" timestamptz NOT NULL DEFAULT now(),
        "user_id" uuid NOT NULL,
        "hashed_lineage" bytea NOT NULL,
        "hashed_access" bytea NOT NULL,
        "access_expires_at" timestamptz NOT NULL,
        "hashed_refresh" bytea NOT NULL,
        "refresh_expires_at" timestamptz NOT NULL,
        "security_stamp" uuid NOT NULL,
        "remote_address" character varying(64),
        "user_agent" character varying(256),
        CONSTRAINT "pk_bearer_sessions" PRIMARY KEY ("id"),
        CONSTRAINT "fk_bearer_sessions_user_id" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE
      )`);
    for (const column of ['user_id', 'refresh_expires_at']) {
      await runner.query(`CREATE INDEX "ix_bearer_sessions_${column}" ON "bearer_sessions" ("${column}")`);
    }
    await runner.query(`
      CREATE TRIGGER invalidate_credential AFTER DELETE OR UPDATE OF hashed_access, access_expires_at, security_stamp ON bearer_sessions
        FOR EACH ROW EXECUTE FUNCTION notify_invalidation('Credential', 'id')`);
    await runner.query(`
      INSERT INTO "bearer_sessions" SELECT id, created_at, user_id, hashed_lineage, hashed_secret, access_expires_at, hashed_refresh,
        refresh_expires_at, security_stamp, remote_address, user_agent FROM "sessions" WHERE access_expires_at IS NOT NULL`);
    await runner.query('DELETE FROM "sessions" WHERE access_expires_at IS NOT NULL');
    for (const column of COLUMNS) await runner.query(`ALTER TABLE "sessions" DROP COLUMN ${column.split(' ')[0]}`);
  }
}
