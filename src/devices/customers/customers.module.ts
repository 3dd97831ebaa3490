import { Module } from '@nestjs/common';

import { PermissionAssignmentsModule } from '../../access/permission-assignments/permission-assignments.module.js';
import { TenantsModule } from '../../tenants/tenants/tenants.module.js';
import { DevicesModule } from '../devices/devices.module.js';
import { CustomersController } from './customers.controller.js';
import { CustomersRepository } from './customers.repository.js';
import { CustomersService } from './customers.service.js';

@Module({
  imports: [DevicesModule, PermissionAssignmentsModule, TenantsModule],
  controllers: [CustomersController],
  providers: [CustomersRepository, CustomersService],
  exports: [CustomersService],
})
export class CustomersModule {}
