import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds authenticator apps and recovery codes. */
export class TwoFactor1763895000000 implements MigrationInterface {
  readonly name = 'TwoFactor1763895000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "authenticators" (
        "user_id" uuid NOT NULL,
        "secret" bytea NOT NULL,
        "confirmed_at" timestamptz,
        "last_step" integer,
        CONSTRAINT "pk_authenticators" PRIMARY KEY ("user_id"),
        CONSTRAINT "fk_authenticators_user_id" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE TABLE "recovery_codes" (
        "id" uuid NOT NULL,
        "user_id" uuid NOT NULL,
        "hashed_code" bytea NOT NULL,
        CONSTRAINT "pk_recovery_codes" PRIMARY KEY ("id"),
        CONSTRAINT "fk_recovery_codes_user_id" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX "ix_recovery_codes_user_id" ON "recovery_codes" ("user_id")');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "recovery_codes"');
    await runner.query('DROP TABLE "authenticators"');
  }
}
