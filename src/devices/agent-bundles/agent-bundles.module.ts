import { Module } from '@nestjs/common';

import { AgentUpdatesModule } from '../agent-updates/agent-updates.module.js';
import { AgentBundlesController } from './agent-bundles.controller.js';
import { AgentBundlesService } from './agent-bundles.service.js';
import { BundleBuilder } from './bundle-builder.js';
import { BundleBuilds } from './bundle-builds.js';

/** Builds of the agent's bundles by the service itself. */
@Module({
  imports: [AgentUpdatesModule],
  controllers: [AgentBundlesController],
  providers: [AgentBundlesService, BundleBuilder, BundleBuilds],
  exports: [BundleBuilds],
})
export class AgentBundlesModule {}
