import { Module } from '@nestjs/common';

import { TenantsModule } from '../../tenants/tenants/tenants.module.js';
import { DeviceActivityModule } from '../device-activity/device-activity.module.js';
import { DeviceLinkModule } from '../device-link/device-link.module.js';
import { DeviceFieldsController } from './device-fields.controller.js';
import { DeviceFieldsRepository } from './device-fields.repository.js';
import { DeviceFieldsService } from './device-fields.service.js';
import { DeviceGroupNotesController } from './device-group-notes.controller.js';
import { DeviceGroupNotesRepository } from './device-group-notes.repository.js';
import { DeviceGroupNotesService } from './device-group-notes.service.js';
import { DeviceNotesController } from './device-notes.controller.js';
import { DeviceNotesRepository } from './device-notes.repository.js';
import { DeviceNotesService } from './device-notes.service.js';
import { DeviceInventoriesRepository } from './reports/device-inventories.repository.js';
import { DeviceInventoryController } from './reports/device-inventory.controller.js';
import { DeviceInventoryService } from './reports/device-inventory.service.js';
import { InventoryReports } from './reports/inventory-reports.js';
import { RunningSessionsRepository } from './reports/running-sessions.repository.js';
import { SessionRecordingsController } from './reports/session-recordings.controller.js';
import { SessionRecordingsService } from './reports/session-recordings.service.js';

@Module({
  imports: [DeviceActivityModule, DeviceLinkModule, TenantsModule],
  controllers: [
    DeviceFieldsController,
    DeviceGroupNotesController,
    DeviceInventoryController,
    DeviceNotesController,
    SessionRecordingsController,
  ],
  providers: [
    DeviceFieldsRepository,
    DeviceFieldsService,
    DeviceGroupNotesRepository,
    DeviceGroupNotesService,
    DeviceInventoriesRepository,
    DeviceInventoryService,
    DeviceNotesRepository,
    DeviceNotesService,
    InventoryReports,
    RunningSessionsRepository,
    SessionRecordingsService,
  ],
  exports: [InventoryReports],
})
export class InventoryModule {}
