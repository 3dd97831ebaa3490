import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the sessions of programs that use bearer tokens. */
export class BearerSessions1763910000000 implements MigrationInterface {
  readonly name = 'BearerSessions1763910000000';

  async up(runner: QueryRunner): Promise<void> {
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
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "bearer_sessions"');
  }
}
