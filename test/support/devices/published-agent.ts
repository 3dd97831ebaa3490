import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Publishes what the page about deploying asks for: bundles for two platforms, and their script. Nobody installs them. */
export async function publishAgent(dataPath: string): Promise<void> {
  const downloads = join(dataPath, 'downloads');
  await mkdir(downloads, { recursive: true });
  await writeFile(join(downloads, 'install.sh'), 'a script');
  for (const platform of ['linux-x64', 'linux-arm64']) {
    const bundles = join(dataPath, 'agent-bundles', platform);
    await mkdir(bundles, { recursive: true });
    await writeFile(join(bundles, 'device-agent.tar.gz'), 'a bundle');
    await writeFile(join(bundles, 'device-agent.version'), '1.0.0.0\n');
  }
}

/** Publishes an agent that brings an installer of its own, for Linux. */
export async function publishInstaller(dataPath: string): Promise<void> {
  const downloads = join(dataPath, 'downloads');
  await mkdir(join(downloads, 'linux-x64'), { recursive: true });
  await writeFile(join(downloads, 'linux-x64/ControlR.Agent.Installer'), 'an installer');
  await writeFile(join(downloads, 'linux-x64/ControlR.Agent.bundle.zip'), 'a bundle');
  await writeFile(join(downloads, 'Version.txt'), '4.5.6.7');
}
