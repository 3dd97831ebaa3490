import { Module } from '@nestjs/common';

import { TenantsModule } from '../../tenants/tenants/tenants.module.js';
import { DeviceFieldsController } from './device-fields.controller.js';
import { DeviceFieldsRepository } from './device-fields.repository.js';
import { DeviceFieldsService } from './device-fields.service.js';
import { DeviceNotesController } from './device-notes.controller.js';
import { DeviceNotesRepository } from './device-notes.repository.js';
import { DeviceNotesService } from './device-notes.service.js';

@Module({
  imports: [TenantsModule],
  controllers: [DeviceFieldsController, DeviceNotesController],
  providers: [DeviceFieldsRepository, DeviceFieldsService, DeviceNotesRepository, DeviceNotesService],
})
export class InventoryModule {}
