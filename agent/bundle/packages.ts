import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Platform } from './platforms.js';

/** The packages that the agent and its contracts import. A test compares the list with their source. */
export const AGENT_PACKAGES: readonly string[] = [
  '@julusian/jpeg-turbo',
  '@lydell/node-pty',
  '@microsoft/signalr',
  '@msgpack/msgpack',
  '@noble/ed25519',
  'jpeg-js',
  'node-screenshots',
  'systeminformation',
  'ws',
  'x11',
  'yazl',
];

/** A package of which the agent needs a part only. */
interface Part {
  /** Dependencies that it names for building itself. */
  readonly withoutDependencies: readonly string[];
  /** True for the files, by their path in the package, that run on the platform. Its licence is one of them. */
  readonly isUsed: (path: string, platform: Platform) => boolean;
}

const PARTS: Readonly<Record<string, Part>> = {
  // It has the programs of all platforms, and would build one where it has none.
  '@julusian/jpeg-turbo': {
    withoutDependencies: ['cmake-js', 'node-addon-api'],
    isUsed: (path, { os, cpu }) =>
      ['package.json', 'LICENSE', 'index.js', 'binding-options.js'].includes(path) || path.startsWith(`prebuilds/jpeg-turbo-${os}-${cpu}/`),
  },
  // It has its web site, examples and descriptions of the protocol, too.
  x11: { withoutDependencies: [], isUsed: (path) => ['package.json', 'LICENSE'].includes(path) || path.startsWith('lib/') },
};

/** True for the files of a package, by their path in it, that belong into the bundle of a platform. */
export function isPartOfBundle(name: string, path: string, platform: Platform): boolean {
  return PARTS[name]?.isUsed(path, platform) ?? true;
}

/** A package as the lock file of the project has it. */
export interface LockedPackage {
  /** Path at which npm installs it: `node_modules/ws`, or nested in another package. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

interface LockEntry {
  readonly version?: string;
  readonly integrity?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type Lock = Readonly<Record<string, LockEntry>>;

/** The packages that the agent needs on a platform, with all that they depend on, by path. */
export async function agentPackages(project: string, platform: Platform): Promise<LockedPackage[]> {
  const { packages: lock } = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8')) as { packages: Lock };
  const found = new Map<string, LockedPackage>();
  const waiting = AGENT_PACKAGES.map((name) => ({ name, from: '' }));
  for (const { name, from } of waiting) {
    const path = resolve(lock, name, from);
    if (path === undefined || found.has(path) || !runsOn(lock[path], platform)) continue;
    const { version, integrity, dependencies, optionalDependencies } = lock[path];
    if (version === undefined || integrity === undefined) throw new Error(`package-lock.json has no version or integrity of ${path}.`);
    found.set(path, { path, name, version, integrity });
    const unneeded = PARTS[name]?.withoutDependencies ?? [];
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies }))
      if (!unneeded.includes(needed)) waiting.push({ name: needed, from: path });
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The package that Node.js finds by a name from within another package: the innermost one. */
function resolve(lock: Lock, name: string, from: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (path in lock) return path;
    if (folder === '') return undefined;
  }
}

function runsOn({ os, cpu, libc }: LockEntry, platform: Platform): boolean {
  return (os?.includes(platform.os) ?? true) && (cpu?.includes(platform.cpu) ?? true) && (libc?.includes('glibc') ?? true);
}
