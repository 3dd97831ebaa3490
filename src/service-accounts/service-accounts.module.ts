import { Module } from '@nestjs/common';

import { PermissionAssignmentsModule } from '../permission-assignments/permission-assignments.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { BootstrapService } from './bootstrap.service.js';
import { ServerServiceAccountsController } from './server-service-accounts.controller.js';
import { ServiceAccountsService } from './service-accounts.service.js';
import { TenantServiceAccountsController } from './tenant-service-accounts.controller.js';

@Module({
  imports: [PermissionAssignmentsModule, TenantsModule],
  controllers: [ServerServiceAccountsController, TenantServiceAccountsController],
  providers: [BootstrapService, ServiceAccountsService],
  exports: [BootstrapService, ServiceAccountsService],
})
export class ServiceAccountsModule {}
