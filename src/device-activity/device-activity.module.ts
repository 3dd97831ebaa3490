import { Module } from '@nestjs/common';

import { ServerModule } from '../server/server.module.js';
import { ActivityWriter } from './activity-writer.js';
import { DeviceActivities } from './device-activities.js';
import { DeviceActivitiesRepository } from './device-activities.repository.js';

@Module({
  imports: [ServerModule],
  providers: [ActivityWriter, DeviceActivities, DeviceActivitiesRepository],
  exports: [DeviceActivities],
})
export class DeviceActivityModule {}
