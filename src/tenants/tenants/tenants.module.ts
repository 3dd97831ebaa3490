import { Module } from '@nestjs/common';

import { TenantRemoval } from './tenant-removal.js';
import { TenantsController } from './tenants.controller.js';
import { TenantsRepository } from './tenants.repository.js';
import { TenantsService } from './tenants.service.js';

@Module({
  controllers: [TenantsController],
  providers: [TenantRemoval, TenantsRepository, TenantsService],
  exports: [TenantRemoval, TenantsService],
})
export class TenantsModule {}
