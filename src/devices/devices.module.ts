import { Module } from '@nestjs/common';

import { InstallerKeysModule } from '../installer-keys/installer-keys.module.js';
import { PermissionAssignmentsModule } from '../permission-assignments/permission-assignments.module.js';
import { ServerModule } from '../server/server.module.js';
import { DeviceEvents } from './device-events.js';
import { DeviceSearches } from './device-searches.js';
import { DesktopSessionsController } from './desktop-sessions.controller.js';
import { DevicesController } from './devices.controller.js';
import { DevicesRepository } from './devices.repository.js';
import { DevicesService } from './devices.service.js';
import { HeldDevices } from './held-devices.js';
import { RegistrationController } from './registration.controller.js';
import { RegistrationRepository } from './registration.repository.js';
import { RegistrationService } from './registration.service.js';

@Module({
  imports: [InstallerKeysModule, PermissionAssignmentsModule, ServerModule],
  controllers: [DesktopSessionsController, DevicesController, RegistrationController],
  providers: [DeviceEvents, DeviceSearches, DevicesRepository, DevicesService, HeldDevices, RegistrationRepository, RegistrationService],
  exports: [DeviceEvents, DevicesService, HeldDevices],
})
export class DevicesModule {}
