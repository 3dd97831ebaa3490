import { Module } from '@nestjs/common';

import { DevicesModule } from '../devices/devices.module.js';
import { PermissionAssignmentsModule } from '../permission-assignments/permission-assignments.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { DeviceGroupsController } from './device-groups.controller.js';
import { DeviceGroupsRepository } from './device-groups.repository.js';
import { DeviceGroupsService } from './device-groups.service.js';

@Module({
  imports: [DevicesModule, PermissionAssignmentsModule, TenantsModule],
  controllers: [DeviceGroupsController],
  providers: [DeviceGroupsRepository, DeviceGroupsService],
  exports: [DeviceGroupsService],
})
export class DeviceGroupsModule {}
