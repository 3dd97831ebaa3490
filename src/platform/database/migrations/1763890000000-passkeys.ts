import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds passkeys, the challenges that were used up, and secrets that the nodes share. */
export class Passkeys1763890000000 implements MigrationInterface {
  readonly name = 'Passkeys1763890000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "passkeys" (
        "id" uuid NOT NULL,
        "created_at" timestamptz NOT NULL DEFAULT now(),
        "user_id" uuid NOT NULL,
        "name" character varying(100) NOT NULL,
        "credential_id" bytea NOT NULL,
        "public_key" bytea NOT NULL,
        "counter" bigint NOT NULL,
        "transports" text array NOT NULL,
        "device_type" character varying(50) NOT NULL,
        "is_backed_up" boolean NOT NULL,
        "last_used_at" timestamptz,
        CONSTRAINT "pk_passkeys" PRIMARY KEY ("id"),
        CONSTRAINT "uq_passkeys_credential_id" UNIQUE ("credential_id"),
        CONSTRAINT "fk_passkeys_user_id" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX "ix_passkeys_user_id" ON "passkeys" ("user_id")');
    await runner.query(`
      CREATE TABLE "used_passkey_challenges" (
        "id" uuid NOT NULL,
        "expires_at" timestamptz NOT NULL,
        CONSTRAINT "pk_used_passkey_challenges" PRIMARY KEY ("id")
      )`);
    await runner.query('CREATE INDEX "ix_used_passkey_challenges_expires_at" ON "used_passkey_challenges" ("expires_at")');
    await runner.query(`
      CREATE TABLE "server_secrets" (
        "name" character varying(50) NOT NULL,
        "created_at" timestamptz NOT NULL DEFAULT now(),
        "value" bytea NOT NULL,
        CONSTRAINT "pk_server_secrets" PRIMARY KEY ("name")
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "server_secrets"');
    await runner.query('DROP TABLE "used_passkey_challenges"');
    await runner.query('DROP TABLE "passkeys"');
  }
}
