import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the tokens of programs that still count after newer ones were given out. */
export class FormerTokens1764030000000 implements MigrationInterface {
  readonly name = 'FormerTokens1764030000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "former_tokens" (
        "session_id" uuid NOT NULL,
        "hashed_secret" bytea NOT NULL,
        "kind" character varying(10) NOT NULL,
        "counts_until" timestamptz NOT NULL,
        CONSTRAINT "pk_former_tokens" PRIMARY KEY ("session_id", "hashed_secret"),
        CONSTRAINT "fk_former_tokens_session_id" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "former_tokens"');
  }
}
