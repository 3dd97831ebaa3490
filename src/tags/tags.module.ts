import { Module } from '@nestjs/common';

import { DevicesModule } from '../devices/devices.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { DeviceTagsController } from './device-tags.controller.js';
import { DeviceTagsService } from './device-tags.service.js';
import { TagsController } from './tags.controller.js';
import { TagsRepository } from './tags.repository.js';
import { TagsService } from './tags.service.js';

@Module({
  imports: [DevicesModule, TenantsModule],
  controllers: [DeviceTagsController, TagsController],
  providers: [DeviceTagsService, TagsRepository, TagsService],
  exports: [DeviceTagsService, TagsService],
})
export class TagsModule {}
