import { Module } from '@nestjs/common';

import { PermissionAssignmentsModule } from '../../access/permission-assignments/permission-assignments.module.js';
import { TenantSettingsModule } from '../../tenants/tenant-settings/tenant-settings.module.js';
import { AgentUpdatesModule } from '../agent-updates/agent-updates.module.js';
import { InstallerKeysModule } from '../installer-keys/installer-keys.module.js';
import { DeletedDeviceRetention } from './deleted-device-retention.js';
import { DesktopSessionsController } from './desktop-sessions.controller.js';
import { DeviceEvents } from './device-events.js';
import { DevicesController } from './devices.controller.js';
import { DevicesInternalController } from './devices.internal.js';
import { DevicesRepository } from './devices.repository.js';
import { DevicesService } from './devices.service.js';
import { KeyApprovalsController } from './key-approvals/key-approvals.controller.js';
import { KeyApprovalsRepository } from './key-approvals/key-approvals.repository.js';
import { KeyApprovalsService } from './key-approvals/key-approvals.service.js';
import { LockedDevices } from './locked-devices.js';
import { OfflineDevices } from './offline-devices.js';
import { RegistrationAuthority } from './registration/registration-authority.js';
import { RegistrationWriter } from './registration/registration-writer.js';
import { RegistrationController } from './registration/registration.controller.js';
import { RegistrationRepository } from './registration/registration.repository.js';
import { RegistrationService } from './registration/registration.service.js';
import { DeviceSearches } from './search/device-searches.js';

@Module({
  imports: [AgentUpdatesModule, InstallerKeysModule, PermissionAssignmentsModule, TenantSettingsModule],
  // Key approvals come first: their list is no device id.
  controllers: [DesktopSessionsController, KeyApprovalsController, DevicesController, DevicesInternalController, RegistrationController],
  providers: [
    DeletedDeviceRetention,
    DeviceEvents,
    DeviceSearches,
    DevicesRepository,
    DevicesService,
    LockedDevices,
    KeyApprovalsRepository,
    KeyApprovalsService,
    OfflineDevices,
    RegistrationAuthority,
    RegistrationRepository,
    RegistrationService,
    RegistrationWriter,
  ],
  exports: [DeletedDeviceRetention, DeviceEvents, DevicesService, LockedDevices, OfflineDevices],
})
export class DevicesModule {}
