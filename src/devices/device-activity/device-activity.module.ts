import { Module } from '@nestjs/common';

import { ActivityWriter } from './activity-writer.js';
import { DeviceActivityController } from './device-activity.controller.js';
import { DeviceActivities } from './device-activities.js';
import { DeviceActivitiesRepository } from './device-activities.repository.js';

@Module({
  controllers: [DeviceActivityController],
  providers: [ActivityWriter, DeviceActivities, DeviceActivitiesRepository],
  exports: [DeviceActivities],
})
export class DeviceActivityModule {}
