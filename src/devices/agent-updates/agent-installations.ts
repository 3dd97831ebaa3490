import { Injectable } from '@nestjs/common';

import { PublishedFiles } from './published-files.js';
import { installCommand, type InstallScript } from './install-command.js';
import { OwnBundles } from './own-bundles.js';

/** How the agent is installed on the devices of a platform. */
export interface AgentInstallation {
  /** As in paths of downloads. */
  readonly platform: string;
  readonly version: string;
  readonly script: InstallScript;
  /** What is typed on the device, with placeholders for an installer key. */
  readonly command: string;
}

/** The platforms that the bundles are built for, each with the script that installs them. */
const PLATFORMS: readonly Pick<AgentInstallation, 'platform' | 'script'>[] = [
  { platform: 'linux-x64', script: 'install.sh' },
  { platform: 'linux-arm64', script: 'install.sh' },
  { platform: 'osx-x64', script: 'install.sh' },
  { platform: 'osx-arm64', script: 'install.sh' },
  { platform: 'win-x64', script: 'install.ps1' },
];

/** Says how devices get the agent that this server hands out. */
@Injectable()
export class AgentInstallations {
  constructor(
    private readonly bundles: OwnBundles,
    private readonly files: PublishedFiles,
  ) {}

  /** The platforms whose bundle and script can be downloaded now, with the command for a tenant. */
  async of(serviceAddress: string, tenantId: string): Promise<AgentInstallation[]> {
    const known = await Promise.all(
      PLATFORMS.map(async ({ platform, script }) => {
        const [version, found] = await Promise.all([this.bundles.versionFor(platform), this.files.find(script)]);
        if (version === null || found === null) return [];
        return [{ platform, version, script, command: installCommand(script, serviceAddress, tenantId) }];
      }),
    );
    return known.flat();
  }
}
