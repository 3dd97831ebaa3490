import type { PathLike, Stats } from 'node:fs';
import { access, lstat, realpath, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { DataDirectory } from '../data-directory.js';
import { isMissing, RefusedError } from '../failures.js';
import { unfinishedSettings } from '../settings.js';
import { openFile, type OpenOptions } from './open-file.js';

const OWN = "The agent's own files cannot be reached through the agent.";
const HOLDS_OWN = "The agent's own files are in this directory.";
/** A process, or one of its threads, among the files of the kernel. */
const PROCESS = /^\/proc\/(\d+)(?:\/|$)/;
/** All memory of the machine, the agent's included. */
const MEMORY = '/proc/kcore';

/** Identity of a file, whatever path led to it. */
interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/**
 * Keeps calls about files away from what is the agent's own: its data folder, which holds the key of the device, and what the kernel
 * tells of its process. Folders are compared by identity, so that links, `..`, other mounts and other letter case lead nowhere else.
 */
export class OwnFiles {
  constructor(private readonly directory: DataDirectory) {}

  /** Throws RefusedError when the path leads to something of the agent's own, links followed. */
  async refuseReading(path: string): Promise<void> {
    if (await this.isWithin(await resolved(path))) throw new RefusedError(OWN);
  }

  /**
   * Throws RefusedError when the entry at the path is the agent's own or holds it. A link that leads there is an entry like others:
   * it is not followed when it is replaced or deleted.
   */
  async refuseChanging(path: string): Promise<void> {
    const entry = join(await resolved(dirname(path)), basename(path));
    if (await this.isWithin(entry)) throw new RefusedError(OWN);
    const changed = await identityAt(entry);
    if (changed !== undefined && (await isAtOrAbove(changed, await resolved(this.directory.root)))) throw new RefusedError(HOLDS_OWN);
  }

  /** Opens a file for reading. Throws RefusedError when the path is not a file, or leads to the agent's settings by any way. */
  async open(path: PathLike, options?: OpenOptions): Promise<FileHandle> {
    if (await isOfThisProcess(path)) throw new RefusedError(OWN);
    const file = await openFile(path, options);
    try {
      const opened = await file.stat({ bigint: true });
      for (const secret of [this.directory.settingsFile, unfinishedSettings(this.directory)]) {
        if (isSame(opened, await identityAt(secret))) throw new RefusedError(OWN);
      }
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /**
   * Returns true if the entry is the agent's own, for callers that walk down from a folder without following links. They open files by
   * {@link open}, because a folder on the way may have become a link since.
   */
  async isOwn(path: PathLike, stats: Stats): Promise<boolean> {
    if (await isOfThisProcess(path)) return true;
    return stats.isDirectory() && isSame(await identityAt(path), await identityOf(this.directory.root));
  }

  private async isWithin(real: string): Promise<boolean> {
    if (await isOfThisProcess(real)) return true;
    const root = await identityOf(this.directory.root);
    return root !== undefined && isAtOrAbove(root, real);
  }
}

async function isOfThisProcess(path: PathLike): Promise<boolean> {
  const real = path.toString();
  if (real === MEMORY) return true;
  const id = PROCESS.exec(real)?.[1];
  return id !== undefined && exists(`/proc/self/task/${id}`);
}

/** The path with all links resolved, also when its last parts do not exist. */
async function resolved(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if (!isMissing(error) || parent === path) throw error;
    return join(await resolved(parent), basename(path));
  }
}

/** Returns true if the folder is the one at the path or one above it. The path has no links but perhaps its last part. */
async function isAtOrAbove(folder: Identity, path: string): Promise<boolean> {
  if (isSame(folder, await identityAt(path))) return true;
  const parent = dirname(path);
  return parent !== path && isAtOrAbove(folder, parent);
}

function isSame(one: Identity | undefined, other: Identity | undefined): boolean {
  return one !== undefined && other !== undefined && one.dev === other.dev && one.ino === other.ino;
}

/** Identity of the entry at the path, links not followed; undefined if there is none. */
async function identityAt(path: PathLike): Promise<Identity | undefined> {
  return undefinedIfMissing(lstat(path, { bigint: true }));
}

/** Identity of the entry that the path leads to, links followed; undefined if there is none. */
async function identityOf(path: string): Promise<Identity | undefined> {
  return undefinedIfMissing(stat(path, { bigint: true }));
}

async function undefinedIfMissing(identity: Promise<Identity>): Promise<Identity | undefined> {
  return identity.catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
