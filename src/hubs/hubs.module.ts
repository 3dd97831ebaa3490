import { Module } from '@nestjs/common';

import { DeviceUpdatesModule } from '../devices/updates/device-updates.module.js';
import { AgentGateway } from './agent/agent.gateway.js';
import { DeviceAccess } from './viewer/device-access.js';
import { FileUpload } from './viewer/file-upload.js';
import { HeartbeatSubscriptions } from './viewer/heartbeat-subscriptions.js';
import { Terminals } from './viewer/terminals.js';
import { ViewerAccess } from './viewer/viewer-access.js';
import { ViewerMessages } from './viewer/viewer-messages.js';
import { ViewerGateway } from './viewer/viewer.gateway.js';

@Module({
  imports: [DeviceUpdatesModule],
  providers: [AgentGateway, DeviceAccess, FileUpload, HeartbeatSubscriptions, Terminals, ViewerAccess, ViewerGateway, ViewerMessages],
})
export class HubsModule {}
