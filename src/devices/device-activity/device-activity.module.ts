import { Module } from '@nestjs/common';

import { LogRetentionModule } from '../../access/log-retention/log-retention.module.js';
import { NodeModule } from '../../platform/node/node.module.js';
import { ActivityWriter } from './activity-writer.js';
import { DeviceActivityController } from './device-activity.controller.js';
import { DeviceActivities } from './device-activities.js';
import { DeviceActivitiesRepository } from './device-activities.repository.js';
import { SessionRecordings } from './session-recordings.js';

@Module({
  imports: [LogRetentionModule, NodeModule],
  controllers: [DeviceActivityController],
  providers: [ActivityWriter, DeviceActivities, DeviceActivitiesRepository, SessionRecordings],
  exports: [DeviceActivities, SessionRecordings],
})
export class DeviceActivityModule {}
