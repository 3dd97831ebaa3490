import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `ALTER TABLE "tenants" ADD "deleted_at" TIMESTAMP WITH TIME ZONE`,
  `DROP TRIGGER invalidate_tenant ON tenants`,
  `CREATE TRIGGER invalidate_tenant AFTER DELETE OR UPDATE OF deleted_at ON tenants
     FOR EACH ROW EXECUTE FUNCTION notify_invalidation('Tenant', 'id')`,
];

const DOWN = [
  `DROP TRIGGER invalidate_tenant ON tenants`,
  `CREATE TRIGGER invalidate_tenant AFTER DELETE ON tenants
     FOR EACH ROW EXECUTE FUNCTION notify_invalidation('Tenant', 'id')`,
  `DELETE FROM tenants WHERE deleted_at IS NOT NULL`,
  `ALTER TABLE "tenants" DROP COLUMN "deleted_at"`,
];

/** Lets the deletion of a tenant take several transactions: the first marks it, the last removes its row. */
export class TenantDeletion1763800100000 implements MigrationInterface {
  readonly name = 'TenantDeletion1763800100000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
