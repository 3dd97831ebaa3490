import { Module } from '@nestjs/common';

import { PermissionAssignmentsModule } from '../../permission-assignments/permission-assignments.module.js';
import { ServerModule } from '../../server/server.module.js';
import { TenantsModule } from '../../tenants/tenants.module.js';
import { ApprovedKeys } from './approved-keys.js';
import { DeviceUpdatesService } from './device-updates.service.js';
import { KeylessDevices } from './keyless-devices.js';
import { KnownDevicesRepository } from './known-devices.repository.js';
import { UnattendedDevices } from './unattended-devices.js';
import { UpdateWriter } from './update-writer.js';
import { UpdateWriterRepository } from './update-writer.repository.js';

@Module({
  imports: [PermissionAssignmentsModule, ServerModule, TenantsModule],
  providers: [
    ApprovedKeys,
    DeviceUpdatesService,
    KeylessDevices,
    KnownDevicesRepository,
    UnattendedDevices,
    UpdateWriter,
    UpdateWriterRepository,
  ],
  exports: [DeviceUpdatesService, KeylessDevices, UpdateWriter],
})
export class DeviceUpdatesModule {}
