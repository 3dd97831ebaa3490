import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds to passages what they are for. Those under way, which last ten minutes, begin anew. */
export class PassagePurposes1763950000000 implements MigrationInterface {
  readonly name = 'PassagePurposes1763950000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM "external_passages"');
    await runner.query('ALTER TABLE "external_passages" ADD "purpose" character varying(20) NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "external_passages" DROP COLUMN "purpose"');
  }
}
