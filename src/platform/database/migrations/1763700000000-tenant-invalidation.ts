import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets the nodes hear of deleted tenants (src/access/authorization/named-tenants.ts). */
export class TenantInvalidation1763700000000 implements MigrationInterface {
  readonly name = 'TenantInvalidation1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TRIGGER invalidate_tenant AFTER DELETE ON tenants
      FOR EACH ROW EXECUTE FUNCTION notify_invalidation('Tenant', 'id')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER invalidate_tenant ON tenants');
  }
}
