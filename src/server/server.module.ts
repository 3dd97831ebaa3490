import { Module } from '@nestjs/common';

import { AgentVersion } from './agent-version.js';
import { PublicServerSettingsController } from './public-server-settings.controller.js';
import { PublicServerSettingsService } from './public-server-settings.service.js';
import { PublishedFiles } from './published-files.js';
import { ServerAlertController } from './server-alert.controller.js';
import { ServerAlertService } from './server-alert.service.js';
import { ServerLogsController } from './server-logs.controller.js';
import { ServerLogsService } from './server-logs.service.js';
import { NodeTimes } from './node-times.js';
import { ServerNode } from './server-node.js';
import { ServerStatsController } from './server-stats.controller.js';
import { ServerStatsService } from './server-stats.service.js';
import { ServerVersion } from './server-version.js';
import { SERVER_INTERNAL_CONTROLLERS } from './server.internal.js';
import { UserServerSettingsController } from './user-server-settings.controller.js';
import { VersionController } from './version.controller.js';
import { VersionService } from './version.service.js';

/** The server's version, alert, statistics and settings. */
@Module({
  controllers: [
    PublicServerSettingsController,
    ServerAlertController,
    ServerLogsController,
    ServerStatsController,
    UserServerSettingsController,
    VersionController,
    ...SERVER_INTERNAL_CONTROLLERS,
  ],
  providers: [
    AgentVersion,
    PublicServerSettingsService,
    PublishedFiles,
    NodeTimes,
    ServerNode,
    ServerAlertService,
    ServerLogsService,
    ServerStatsService,
    ServerVersion,
    VersionService,
  ],
  exports: [
    AgentVersion,
    PublicServerSettingsService,
    NodeTimes,
    PublishedFiles,
    ServerAlertService,
    ServerLogsService,
    ServerNode,
    ServerStatsService,
    ServerVersion,
    VersionService,
  ],
})
export class ServerModule {}
