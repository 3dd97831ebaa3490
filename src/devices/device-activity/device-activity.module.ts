import { Module } from '@nestjs/common';

import { NodeModule } from '../../platform/node/node.module.js';
import { ActivityWriter } from './activity-writer.js';
import { DeviceActivityController } from './device-activity.controller.js';
import { DeviceActivities } from './device-activities.js';
import { DeviceActivitiesRepository } from './device-activities.repository.js';
import { SessionRecordings } from './session-recordings.js';

@Module({
  imports: [NodeModule],
  controllers: [DeviceActivityController],
  providers: [ActivityWriter, DeviceActivities, DeviceActivitiesRepository, SessionRecordings],
  exports: [DeviceActivities, SessionRecordings],
})
export class DeviceActivityModule {}
