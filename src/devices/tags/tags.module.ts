import { Module } from '@nestjs/common';

import { TenantsModule } from '../../tenants/tenants/tenants.module.js';
import { DevicesModule } from '../devices/devices.module.js';
import { DeviceTagsController } from './device-tags.controller.js';
import { DeviceTagsInternalController } from './device-tags.internal.js';
import { DeviceTagsService } from './device-tags.service.js';
import { TagsController } from './tags.controller.js';
import { TagsInternalController } from './tags.internal.js';
import { TagsRepository } from './tags.repository.js';
import { TagsService } from './tags.service.js';

@Module({
  imports: [DevicesModule, TenantsModule],
  controllers: [DeviceTagsController, DeviceTagsInternalController, TagsController, TagsInternalController],
  providers: [DeviceTagsService, TagsRepository, TagsService],
  exports: [DeviceTagsService, TagsService],
})
export class TagsModule {}
