import { Module } from '@nestjs/common';

import { OwnTenantController } from './own-tenant.controller.js';
import { TenantRemoval } from './tenant-removal.js';
import { TenantsController } from './tenants.controller.js';
import { TenantsRepository } from './tenants.repository.js';
import { TenantsService } from './tenants.service.js';

@Module({
  controllers: [OwnTenantController, TenantsController],
  providers: [TenantRemoval, TenantsRepository, TenantsService],
  exports: [TenantRemoval, TenantsService],
})
export class TenantsModule {}
