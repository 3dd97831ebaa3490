import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets audit records name no device: sessions of the relay that were not asked for through the viewer hub. */
export class RelayActivities1763850000000 implements MigrationInterface {
  readonly name = 'RelayActivities1763850000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP: readonly string[] = [
  `ALTER TABLE "device_activities" ALTER COLUMN "tenant_id" DROP NOT NULL`,
  `ALTER TABLE "device_activities" ALTER COLUMN "device_id" DROP NOT NULL`,
];

const DOWN: readonly string[] = [
  `DELETE FROM "device_activities" WHERE "tenant_id" IS NULL OR "device_id" IS NULL`,
  `ALTER TABLE "device_activities" ALTER COLUMN "device_id" SET NOT NULL`,
  `ALTER TABLE "device_activities" ALTER COLUMN "tenant_id" SET NOT NULL`,
];
