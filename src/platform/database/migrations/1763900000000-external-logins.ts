import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the logins at other providers, and the passages to these providers that are under way. */
export class ExternalLogins1763900000000 implements MigrationInterface {
  readonly name = 'ExternalLogins1763900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "external_logins" (
        "id" uuid NOT NULL,
        "created_at" timestamptz NOT NULL DEFAULT now(),
        "user_id" uuid NOT NULL,
        "provider" character varying(32) NOT NULL,
        "issuer" character varying(500) NOT NULL,
        "subject" character varying(255) NOT NULL,
        "display_name" character varying(256),
        "email" character varying(256),
        "last_used_at" timestamptz,
        CONSTRAINT "pk_external_logins" PRIMARY KEY ("id"),
        CONSTRAINT "uq_external_logins_provider_issuer_subject" UNIQUE ("provider", "issuer", "subject"),
        CONSTRAINT "fk_external_logins_user_id" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX "ix_external_logins_user_id" ON "external_logins" ("user_id")');
    await runner.query(`
      CREATE TABLE "external_passages" (
        "id" uuid NOT NULL,
        "created_at" timestamptz NOT NULL DEFAULT now(),
        "expires_at" timestamptz NOT NULL,
        "provider" character varying(32) NOT NULL,
        "hashed_state" bytea NOT NULL,
        "hashed_browser" bytea NOT NULL,
        "nonce" character varying(100) NOT NULL,
        "code_verifier" character varying(128) NOT NULL,
        "return_path" character varying(500) NOT NULL,
        "is_persistent" boolean NOT NULL,
        "session_id" uuid,
        "address_block" character varying(64) NOT NULL,
        CONSTRAINT "pk_external_passages" PRIMARY KEY ("id"),
        CONSTRAINT "uq_external_passages_hashed_state" UNIQUE ("hashed_state"),
        CONSTRAINT "fk_external_passages_session_id" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX "ix_external_passages_created_at" ON "external_passages" ("created_at")');
    await runner.query(
      'CREATE INDEX "ix_external_passages_address_block_created_at" ON "external_passages" ("address_block", "created_at")',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "external_passages"');
    await runner.query('DROP TABLE "external_logins"');
  }
}
