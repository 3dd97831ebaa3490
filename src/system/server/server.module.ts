import { Module } from '@nestjs/common';

import { AgentUpdatesModule } from '../../devices/agent-updates/agent-updates.module.js';
import { NodeModule } from '../../platform/node/node.module.js';
import { PublicServerSettingsController } from './public-server-settings.controller.js';
import { PublicServerSettingsService } from './public-server-settings.service.js';
import { ServerAlertController } from './server-alert.controller.js';
import { ServerAlertService } from './server-alert.service.js';
import { ServerLogsController } from './server-logs.controller.js';
import { ServerLogsService } from './server-logs.service.js';
import { ServerNodesController } from './server-nodes.controller.js';
import { ServerNodesRepository } from './server-nodes.repository.js';
import { ServerNodesService } from './server-nodes.service.js';
import { ServerStatsController } from './server-stats.controller.js';
import { ServerStatsService } from './server-stats.service.js';
import { SERVER_INTERNAL_CONTROLLERS } from './server.internal.js';
import { UserServerSettingsController } from './user-server-settings.controller.js';
import { VersionController } from './version.controller.js';
import { VersionService } from './version.service.js';

/** The server's version, alert, statistics and settings. */
@Module({
  imports: [AgentUpdatesModule, NodeModule],
  controllers: [
    PublicServerSettingsController,
    ServerAlertController,
    ServerLogsController,
    ServerNodesController,
    ServerStatsController,
    UserServerSettingsController,
    VersionController,
    ...SERVER_INTERNAL_CONTROLLERS,
  ],
  providers: [
    PublicServerSettingsService,
    ServerAlertService,
    ServerLogsService,
    ServerNodesRepository,
    ServerNodesService,
    ServerStatsService,
    VersionService,
  ],
  exports: [PublicServerSettingsService, ServerAlertService, ServerLogsService, ServerStatsService, VersionService],
})
export class ServerModule {}
