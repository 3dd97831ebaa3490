import { Injectable } from '@nestjs/common';

import { RuntimeId, WireTypeError } from '#libs/contracts';

import { invalidField, notFound } from '../../platform/common/errors/errors.js';
import { Settings } from '../../platform/config/settings.js';
import { AgentVersion } from './agent-version.js';
import type { BundleMetadataDto } from './bundle-metadata.dto.js';
import { FileDigests } from './file-digests.js';
import { publishedPaths, RUNTIMES } from './published-paths.js';

/** Bundles that the operator has published for agents that bring an installer of their own. */
@Injectable()
export class BundleMetadataService {
  constructor(
    private readonly digests: FileDigests,
    private readonly agentVersion: AgentVersion,
    private readonly settings: Settings,
  ) {}

  /**
   * Bundle and installer of a platform, which is named as a member of the enumeration or with a dash, in any case. 400 for an unknown
   * platform, 404 when one of both files is missing.
   * @throws Error when the files are there without the version, which is a fault of the server
   */
  async find(platform: string): Promise<BundleMetadataDto> {
    const runtime = runtimeOf(platform);
    const { bundle, installer } = publishedPaths(runtime);
    const [bundleSha256, installerSha256] = await Promise.all([this.digests.sha256(bundle), this.digests.sha256(installer)]);
    if (bundleSha256 === null) throw notFound(`The file downloads/${bundle}`);
    if (installerSha256 === null) throw notFound(`The file downloads/${installer}`);
    const version = await this.agentVersion.current();
    if (version === null) throw new Error('downloads/Version.txt holds no version of the agent whose bundles are published.');
    return {
      brandName: this.settings.agentBundle.brandName,
      bundleDownloadUrl: `/downloads/${bundle}`,
      bundleSha256: bundleSha256.toUpperCase(),
      installerDownloadUrl: `/downloads/${installer}`,
      installerSha256: installerSha256.toUpperCase(),
      publisher: this.settings.agentBundle.publisher,
      runtime,
      version,
    };
  }
}

/** The dashed name of a platform. */
function runtimeOf(platform: string): string {
  try {
    return String(RuntimeId.encode(RuntimeId.decode(platform, 'json'), 'json'));
  } catch (error) {
    if (error instanceof WireTypeError) throw invalidField('runtime', `runtime must be one of ${RUNTIMES.join(', ')}.`);
    throw error;
  }
}
