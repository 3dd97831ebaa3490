import { Module } from '@nestjs/common';

import { DeviceActivityModule } from '../device-activity/device-activity.module.js';
import { DevicesModule } from '../devices/devices.module.js';
import { DeviceUpdatesModule } from '../devices/updates/device-updates.module.js';
import { ServerModule } from '../server/server.module.js';
import { UsersModule } from '../users/users.module.js';
import { AgentGateway } from './agent/agent.gateway.js';
import { DeviceChanges } from './device-changes.js';
import { DeviceAccess } from './viewer/device-access.js';
import { DevicesGateway } from './viewer/devices.gateway.js';
import { FileUpload } from './viewer/file-upload.js';
import { FilesGateway } from './viewer/files.gateway.js';
import { HeartbeatSubscriptions } from './viewer/heartbeat-subscriptions.js';
import { HeartbeatsGateway } from './viewer/heartbeats.gateway.js';
import { ServerStatsFeed } from './viewer/server-stats-feed.js';
import { TerminalActivities } from './viewer/terminal-activities.js';
import { TerminalsGateway } from './viewer/terminals.gateway.js';
import { ViewerAccess } from './viewer/viewer-access.js';
import { ViewerCalls } from './viewer/viewer-calls.js';
import { ViewerMessages } from './viewer/viewer-messages.js';
import { ViewerTerminals } from './viewer/viewer-terminals.js';
import { ViewerGateway } from './viewer/viewer.gateway.js';

@Module({
  imports: [DeviceActivityModule, DevicesModule, DeviceUpdatesModule, ServerModule, UsersModule],
  providers: [
    AgentGateway,
    DeviceAccess,
    DeviceChanges,
    DevicesGateway,
    FilesGateway,
    FileUpload,
    HeartbeatsGateway,
    HeartbeatSubscriptions,
    ServerStatsFeed,
    TerminalActivities,
    TerminalsGateway,
    ViewerAccess,
    ViewerCalls,
    ViewerGateway,
    ViewerMessages,
    ViewerTerminals,
  ],
})
export class HubsModule {}
