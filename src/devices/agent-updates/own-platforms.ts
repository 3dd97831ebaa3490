import type { InstallScript } from './install-command.js';

/** The platforms that the bundles of the service's own agent are built for, each with the script that installs them. */
export const OWN_PLATFORMS: readonly { readonly platform: string; readonly script: InstallScript }[] = [
  { platform: 'linux-x64', script: 'install.sh' },
  { platform: 'linux-arm64', script: 'install.sh' },
  { platform: 'osx-x64', script: 'install.sh' },
  { platform: 'osx-arm64', script: 'install.sh' },
  { platform: 'win-x64', script: 'install.ps1' },
];
