import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { filesBelow, writeArchive, type Contents } from './archive.js';
import { builtVersion } from './built-program.js';
import { packageFolder } from './npm-package.js';
import { agentPackages, isPartOfBundle } from './packages.js';
import type { Platform } from './platforms.js';

/** Types and source maps, which nothing reads at run time. */
const UNUSED = /\.(d\.[cm]?ts|map|tsbuildinfo)$/;

export interface BuildRequest {
  /** Folder of the built project. */
  readonly project: string;
  readonly platform: Platform;
  /** Folder of all bundles. */
  readonly output: string;
  /** A Node.js program to use instead of the one of the npm package. */
  readonly node?: string;
}

/** Builds the bundle of a platform: the agent, the packages that it needs, and Node.js. Returns the path of the archive. */
export async function buildBundle({ project, platform, output, node }: BuildRequest): Promise<string> {
  const folder = join(output, platform.runtime);
  const fetched = await mkdtemp(join(tmpdir(), 'agent-bundle-'));
  try {
    const contents = new Map<string, Contents>(await programFiles(project));
    for (const found of await agentPackages(project, platform)) {
      const source = await packageFolder(found, join(project, found.path), fetched);
      for (const [path, file] of await filesBelow(source, found.path, isUsed))
        if (isPartOfBundle(found.name, path.slice(found.path.length + 1), platform)) contents.set(path, file);
    }
    const nodeFile = node ?? join(await packageFolder(platform.node, fetched, fetched), platform.node.path);
    contents.set(`runtime/${platform.node.path}`, { file: nodeFile, isProgram: true });
    const unfinished = join(fetched, 'device-agent.tar.gz');
    await writeArchive(unfinished, contents);
    await mkdir(folder, { recursive: true });
    const archive = join(folder, 'device-agent.tar.gz');
    await copyFile(unfinished, `${archive}.new`);
    await rename(`${archive}.new`, archive);
    await writeFile(join(folder, 'device-agent.version'), `${await builtVersion(project)}\n`);
    return archive;
  } finally {
    await rm(fetched, { recursive: true, force: true });
  }
}

/** Copies the installers of the bundles, and writes the version of these. */
export async function writeInstallers(project: string, output: string): Promise<void> {
  await mkdir(output, { recursive: true });
  for (const script of ['install.sh', 'install.ps1']) await copyFile(join(project, 'agent/bundle', script), join(output, script));
  await writeFile(join(output, 'Version.txt'), `${await builtVersion(project)}\n`);
}

async function programFiles(project: string): Promise<[string, Contents][]> {
  const { license, imports } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8')) as Record<string, unknown>;
  // npm's versions have three parts.
  const version = (await builtVersion(project)).split('.').slice(0, 3).join('.');
  const manifest = { name: 'device-agent', version, license, private: true, type: 'module', imports };
  return [
    ['package.json', { text: `${JSON.stringify(manifest, null, 2)}\n` }],
    ['LICENSE', { file: join(project, 'LICENSE') }],
    ['device-agent', { file: join(project, 'agent/bundle/device-agent'), isProgram: true }],
    ...(await filesBelow(join(project, 'dist/agent/src'), 'dist/agent/src', isUsed)),
    ...(await filesBelow(join(project, 'dist/libs/contracts'), 'dist/libs/contracts', isUsed)),
    ...(await filesBelow(join(project, 'dist/libs/desktop-stream'), 'dist/libs/desktop-stream', isUsed)),
    ...(await filesBelow(join(project, 'dist/libs/signalr/src/wire'), 'dist/libs/signalr/src/wire', isUsed)),
  ];
}

function isUsed(name: string): boolean {
  return !UNUSED.test(name) && !name.includes('.spec.');
}
