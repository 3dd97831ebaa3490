import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the failed sign-ins with names that nobody has, which each node counted in its memory before. */
export class UnknownNames1763970000000 implements MigrationInterface {
  readonly name = 'UnknownNames1763970000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "unknown_names" (
        "name_hash" integer NOT NULL,
        "access_failed_count" integer NOT NULL,
        "lockout_end" timestamptz,
        "failed_at" timestamptz NOT NULL,
        CONSTRAINT "pk_unknown_names" PRIMARY KEY ("name_hash")
      )`);
    await runner.query('CREATE INDEX "ix_unknown_names_failed_at" ON "unknown_names" ("failed_at")');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "unknown_names"');
  }
}
