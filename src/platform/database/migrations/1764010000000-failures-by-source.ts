import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the failed sign-ins by source, and the browsers in which people have signed in, which the guesses of others do not lock. */
export class FailuresBySource1764010000000 implements MigrationInterface {
  readonly name = 'FailuresBySource1764010000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "source_failures" (
        "subject" character varying(41) NOT NULL,
        "source" character varying(80) NOT NULL,
        "access_failed_count" integer NOT NULL,
        "lockout_end" TIMESTAMP WITH TIME ZONE,
        "failed_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        CONSTRAINT "pk_source_failures" PRIMARY KEY ("subject", "source")
      )`);
    await runner.query('CREATE INDEX "ix_source_failures_failed_at" ON "source_failures" ("failed_at")');
    await runner.query(`
      CREATE TABLE "known_browsers" (
        "user_id" uuid NOT NULL,
        "browser_hash" bytea NOT NULL,
        "address_block" character varying(64) NOT NULL,
        "last_sign_in_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        CONSTRAINT "pk_known_browsers" PRIMARY KEY ("user_id", "browser_hash"),
        CONSTRAINT "fk_known_browsers_user_id" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX "ix_known_browsers_browser_hash" ON "known_browsers" ("browser_hash")');
    await runner.query(
      'CREATE INDEX "ix_known_browsers_address_block_last_sign_in_at" ON "known_browsers" ("address_block", "last_sign_in_at")',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "known_browsers"');
    await runner.query('DROP TABLE "source_failures"');
  }
}
