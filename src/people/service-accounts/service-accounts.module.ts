import { Module } from '@nestjs/common';

import { PermissionAssignmentsModule } from '../../access/permission-assignments/permission-assignments.module.js';
import { TenantsModule } from '../../tenants/tenants/tenants.module.js';
import { BootstrapService } from './bootstrap.service.js';
import { ServerServiceAccountsController } from './server-service-accounts.controller.js';
import { ServiceAccountCredentialsService } from './service-account-credentials.service.js';
import { ServiceAccountsRepository } from './service-accounts.repository.js';
import { ServiceAccountsService } from './service-accounts.service.js';
import { TenantServiceAccountsController } from './tenant-service-accounts.controller.js';

@Module({
  imports: [PermissionAssignmentsModule, TenantsModule],
  controllers: [ServerServiceAccountsController, TenantServiceAccountsController],
  providers: [BootstrapService, ServiceAccountCredentialsService, ServiceAccountsRepository, ServiceAccountsService],
  exports: [BootstrapService],
})
export class ServiceAccountsModule {}
