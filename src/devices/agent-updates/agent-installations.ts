import { Injectable } from '@nestjs/common';

import { Settings } from '../../platform/config/settings.js';
import { AgentVersion } from './agent-version.js';
import { installCommand, installerCommand, type InstallScript } from './install-command.js';
import { OwnBundles } from './own-bundles.js';
import { OWN_PLATFORMS } from './own-platforms.js';
import { PublishedFiles } from './published-files.js';
import { publishedPaths, RUNTIMES } from './published-paths.js';

/** Installation of the agent on the devices of a platform. */
export interface AgentInstallation {
  /** Name of the platform in paths of downloads. */
  readonly platform: string;
  readonly version: string;
  /** Brand of an agent that brings an installer of its own; null for the agent of this service. */
  readonly brand: string | null;
  readonly script: InstallScript | 'installer';
  /** Path of the script or of the installer. */
  readonly path: string;
  /** The command to run on the device, with placeholders for an installer key. */
  readonly command: string;
}

/** Installations of the agents that this server hands out. */
@Injectable()
export class AgentInstallations {
  constructor(
    private readonly bundles: OwnBundles,
    private readonly files: PublishedFiles,
    private readonly agentVersion: AgentVersion,
    private readonly settings: Settings,
  ) {}

  /** Returns the published agents, with the installation commands for a tenant: the agent of this service first. */
  async of(serviceAddress: string, tenantId: string): Promise<AgentInstallation[]> {
    const known = await Promise.all(
      OWN_PLATFORMS.map(async ({ platform, script }) => {
        const [version, found] = await Promise.all([this.bundles.versionFor(platform), this.files.find(script)]);
        if (version === null || found === null) return [];
        return [
          {
            platform,
            version,
            brand: null,
            script,
            path: `/downloads/${script}`,
            command: installCommand(script, serviceAddress, tenantId),
          },
        ];
      }),
    );
    return [...known.flat(), ...(await this.withInstallers(serviceAddress, tenantId))];
  }

  /** The platforms of the agents with an installer of their own, for which all is published that the installer asks for. */
  private async withInstallers(serviceAddress: string, tenantId: string): Promise<AgentInstallation[]> {
    const version = await this.agentVersion.current();
    if (version === null) return [];
    const { brandName } = this.settings.agentBundle;
    const published = await Promise.all(
      RUNTIMES.map(async (platform) => {
        const { bundle, installer } = publishedPaths(platform);
        const found = await Promise.all([bundle, installer].map((path) => this.files.find(path)));
        if (found.includes(null)) return [];
        const command = installerCommand(installer, serviceAddress, tenantId);
        return [{ platform, version, brand: brandName, script: 'installer' as const, path: `/downloads/${installer}`, command }];
      }),
    );
    return published.flat();
  }
}
