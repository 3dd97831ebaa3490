import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the sessions of browsers and the security log. */
export class Sessions1763880000000 implements MigrationInterface {
  readonly name = 'Sessions1763880000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "sessions" (
        "id" uuid NOT NULL,
        "created_at" timestamptz NOT NULL DEFAULT now(),
        "user_id" uuid NOT NULL,
        "hashed_secret" bytea NOT NULL,
        "security_stamp" uuid NOT NULL,
        "method" character varying(50) NOT NULL,
        "is_persistent" boolean NOT NULL,
        "expires_at" timestamptz NOT NULL,
        "last_used_at" timestamptz NOT NULL,
        "proven_at" timestamptz NOT NULL,
        "remote_address" character varying(64),
        "user_agent" character varying(256),
        "logon_token_id" uuid,
        CONSTRAINT "pk_sessions" PRIMARY KEY ("id"),
        CONSTRAINT "fk_sessions_user_id" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE,
        CONSTRAINT "fk_sessions_logon_token_id" FOREIGN KEY ("logon_token_id") REFERENCES "logon_tokens"("id") ON DELETE CASCADE
      )`);
    for (const column of ['user_id', 'logon_token_id', 'expires_at', 'last_used_at']) {
      await runner.query(`CREATE INDEX "ix_sessions_${column}" ON "sessions" ("${column}")`);
    }
    await runner.query(`
      CREATE TABLE "security_events" (
        "id" uuid NOT NULL,
        "created_at" timestamptz NOT NULL DEFAULT now(),
        "tenant_id" uuid NOT NULL,
        "user_id" uuid NOT NULL,
        "user_name" character varying(256) NOT NULL,
        "kind" character varying(50) NOT NULL,
        "detail" character varying(256),
        "remote_address" character varying(64),
        "user_agent" character varying(256),
        "correlation_id" character varying(100),
        CONSTRAINT "pk_security_events" PRIMARY KEY ("id"),
        CONSTRAINT "fk_security_events_tenant_id" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX "ix_security_events_tenant_id_created_at_id" ON "security_events" ("tenant_id", "created_at", "id")');
    await runner.query('CREATE INDEX "ix_security_events_user_id_created_at_id" ON "security_events" ("user_id", "created_at", "id")');
    await runner.query('CREATE INDEX "ix_security_events_created_at" ON "security_events" ("created_at")');
    await runner.query('DROP TRIGGER invalidate_owner ON users');
    await runner.query(`
      CREATE TRIGGER invalidate_owner AFTER DELETE OR UPDATE OF user_name, tenant_id, lockout_end, security_stamp, require_password_change
        ON users FOR EACH ROW EXECUTE FUNCTION notify_invalidation('CredentialOwner', 'id')`);
    await runner.query(`
      CREATE TRIGGER invalidate_credential AFTER DELETE OR UPDATE OF hashed_secret, security_stamp, expires_at, proven_at ON sessions
        FOR EACH ROW EXECUTE FUNCTION notify_invalidation('Credential', 'id')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER invalidate_owner ON users');
    await runner.query(`
      CREATE TRIGGER invalidate_owner AFTER DELETE OR UPDATE OF user_name, tenant_id, lockout_end ON users
        FOR EACH ROW EXECUTE FUNCTION notify_invalidation('CredentialOwner', 'id')`);
    await runner.query('DROP TABLE "security_events"');
    await runner.query('DROP TABLE "sessions"');
  }
}
