import { Module } from '@nestjs/common';

import { PermissionAssignmentsModule } from '../../access/permission-assignments/permission-assignments.module.js';
import { TenantsModule } from '../../tenants/tenants/tenants.module.js';
import { DevicesModule } from '../devices/devices.module.js';
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
