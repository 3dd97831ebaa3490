import { Module } from '@nestjs/common';

import { PermissionAssignmentsModule } from '../../../access/permission-assignments/permission-assignments.module.js';
import { NodeModule } from '../../../platform/node/node.module.js';
import { TenantsModule } from '../../../tenants/tenants/tenants.module.js';
import { AgentUpdatesModule } from '../../agent-updates/agent-updates.module.js';
import { AcceptedUpdates } from './accepted-updates.js';
import { DeviceKeysRepository } from './device-keys.repository.js';
import { DeviceUpdatesService } from './device-updates.service.js';
import { KeylessDevices } from './keyless-devices.js';
import { KeysInForce } from './keys-in-force.js';
import { KnownDevicesRepository } from './known-devices.repository.js';
import { ReportMetrics } from './report-metrics.js';
import { UnattendedDevices } from './unattended-devices.js';
import { UpdateWriter } from './update-writer.js';
import { UpdateWriterRepository } from './update-writer.repository.js';

@Module({
  imports: [AgentUpdatesModule, NodeModule, PermissionAssignmentsModule, TenantsModule],
  providers: [
    AcceptedUpdates,
    DeviceKeysRepository,
    DeviceUpdatesService,
    KeylessDevices,
    KeysInForce,
    KnownDevicesRepository,
    ReportMetrics,
    UnattendedDevices,
    UpdateWriter,
    UpdateWriterRepository,
  ],
  exports: [AcceptedUpdates, DeviceUpdatesService, KeylessDevices, KeysInForce, UpdateWriter],
})
export class DeviceUpdatesModule {}
