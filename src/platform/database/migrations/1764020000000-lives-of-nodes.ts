import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds to nodes what they say of themselves. A row is one life of a process now, not a data folder. */
export class LivesOfNodes1764020000000 implements MigrationInterface {
  readonly name = 'LivesOfNodes1764020000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "nodes" ADD "address" character varying(255)');
    await runner.query(`ALTER TABLE "nodes" ADD "version" character varying(40) NOT NULL DEFAULT ''`);
    await runner.query(`ALTER TABLE "nodes" ADD "state" character varying(20) NOT NULL DEFAULT 'running'`);
    await runner.query('ALTER TABLE "nodes" ADD "connections" integer NOT NULL DEFAULT 0');
    await runner.query('ALTER TABLE "nodes" ADD "downloads_digest" character varying(64)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of ['downloads_digest', 'connections', 'state', 'version', 'address']) {
      await runner.query(`ALTER TABLE "nodes" DROP COLUMN "${column}"`);
    }
  }
}
