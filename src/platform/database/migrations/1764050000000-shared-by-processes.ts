import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Moves into the database what each process had for itself: the key of agent bundles, counted requests, and when background jobs ran. */
export class SharedByProcesses1764050000000 implements MigrationInterface {
  readonly name = 'SharedByProcesses1764050000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "server_secrets" ADD "source" character varying(500)');
    await runner.query(`
      CREATE TABLE "job_runs" (
        "name" character varying(50) NOT NULL,
        "finished_at" timestamptz NOT NULL,
        CONSTRAINT "pk_job_runs" PRIMARY KEY ("name")
      )`);
    // A crash of the database may empty it: windows last a minute.
    await runner.query(`
      CREATE UNLOGGED TABLE "request_windows" (
        "key" character varying(200) NOT NULL,
        "count" integer NOT NULL,
        "ends_at" timestamptz NOT NULL,
        CONSTRAINT "pk_request_windows" PRIMARY KEY ("key")
      )`);
    await runner.query('CREATE INDEX "ix_request_windows_ends_at" ON "request_windows" ("ends_at")');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "request_windows"');
    await runner.query('DROP TABLE "job_runs"');
    await runner.query(`DELETE FROM server_secrets WHERE name = 'AgentBundles'`);
    await runner.query('ALTER TABLE "server_secrets" DROP COLUMN "source"');
  }
}
