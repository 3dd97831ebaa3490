import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { Clock } from '../common/clock.js';
import { Settings } from '../config/settings.js';
import { AgentVersion } from './agent-version.js';
import { PublicServerSettingsController } from './public-server-settings.controller.js';
import { PublicServerSettingsService } from './public-server-settings.service.js';
import { PublishedFiles } from './published-files.js';
import { ServerNode } from './server-node.js';
import { ServerVersion } from './server-version.js';
import { VersionController } from './version.controller.js';
import { VersionService } from './version.service.js';

/** What the server says of itself. */
@Module({
  controllers: [PublicServerSettingsController, VersionController],
  providers: [
    AgentVersion,
    PublicServerSettingsService,
    PublishedFiles,
    {
      provide: ServerNode,
      inject: [Settings, DataSource, Clock],
      useFactory: (settings: Settings, dataSource: DataSource, clock: Clock) => ServerNode.open(settings, dataSource, clock),
    },
    ServerVersion,
    VersionService,
  ],
  exports: [AgentVersion, PublicServerSettingsService, PublishedFiles, ServerNode, ServerVersion, VersionService],
})
export class ServerModule {}
