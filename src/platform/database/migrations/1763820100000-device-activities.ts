import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the audit records of terminals and transfers. */
export class DeviceActivities1763820100000 implements MigrationInterface {
  readonly name = 'DeviceActivities1763820100000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE device_activities');
  }
}

const UP: readonly string[] = [
  `CREATE TABLE "device_activities" ("id" uuid NOT NULL, "tenant_id" uuid NOT NULL, "device_id" uuid NOT NULL, "kind" character varying(50) NOT NULL, "principal_kind" character varying(50) NOT NULL, "principal_id" uuid, "principal_name" character varying(256) NOT NULL, "ip_address" character varying(64), "correlation_id" character varying(100) NOT NULL, "subject" character varying(1024), "node_id" character varying(100) NOT NULL, "started_at" TIMESTAMP WITH TIME ZONE NOT NULL, "ended_at" TIMESTAMP WITH TIME ZONE, "bytes_in" bigint NOT NULL DEFAULT '0', "bytes_out" bigint NOT NULL DEFAULT '0', "outcome" character varying(50), CONSTRAINT "pk_device_activities" PRIMARY KEY ("id"))`,
  `CREATE INDEX "ix_device_activities_running" ON "device_activities"  ("node_id") WHERE ended_at IS NULL`,
  `CREATE INDEX "ix_device_activities_started_at" ON "device_activities" USING BRIN ("started_at")`,
  `CREATE INDEX "ix_device_activities_tenant_id_device_id_started_at_id" ON "device_activities"  ("tenant_id", "device_id", "started_at", "id")`,
];
