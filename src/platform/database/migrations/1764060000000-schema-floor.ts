import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds which releases may run on the schema. */
export class SchemaFloor1764060000000 implements MigrationInterface {
  readonly name = 'SchemaFloor1764060000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "schema_floor" (
        "release" character varying(40) NOT NULL,
        "made_by" character varying(40) NOT NULL,
        CONSTRAINT "pk_schema_floor" PRIMARY KEY ("release")
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "schema_floor"');
  }
}
