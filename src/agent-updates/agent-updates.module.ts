import { Module } from '@nestjs/common';

import { ServerModule } from '../server/server.module.js';
import { AgentInstallations } from './agent-installations.js';
import { BundleKey } from './bundle-key.js';
import { BundleMetadataController } from './bundle-metadata.controller.js';
import { BundleMetadataService } from './bundle-metadata.service.js';
import { DownloadsController } from './downloads.controller.js';
import { FileDigests } from './file-digests.js';
import { OwnBundles } from './own-bundles.js';

/** Where agents are installed from and updated with. */
@Module({
  imports: [ServerModule],
  controllers: [BundleMetadataController, DownloadsController],
  providers: [AgentInstallations, BundleKey, BundleMetadataService, FileDigests, OwnBundles],
  exports: [AgentInstallations],
})
export class AgentUpdatesModule {}
