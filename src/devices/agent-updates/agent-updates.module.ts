import { Module } from '@nestjs/common';

import { AgentInstallations } from './agent-installations.js';
import { AgentVersion } from './agent-version.js';
import { BundleKey } from './bundle-key.js';
import { BundleMetadataController } from './bundle-metadata.controller.js';
import { BundleMetadataService } from './bundle-metadata.service.js';
import { DownloadsController } from './downloads.controller.js';
import { FileDigests } from './file-digests.js';
import { OwnBundles } from './own-bundles.js';
import { PublishedFiles } from './published-files.js';

/** Installation and updates of agents. */
@Module({
  controllers: [BundleMetadataController, DownloadsController],
  providers: [AgentInstallations, AgentVersion, BundleKey, BundleMetadataService, FileDigests, OwnBundles, PublishedFiles],
  exports: [AgentInstallations, AgentVersion, FileDigests, OwnBundles, PublishedFiles],
})
export class AgentUpdatesModule {}
