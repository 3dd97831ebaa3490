import { open, readdir, readFile, readlink, rename, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isMissing } from '../failures.js';
import { lstatOrUndefined } from '../files/file-system.js';
import { removeEmpty, type Undo } from './undo.js';

/** Exit code that tells the launcher to start the current version. */
export const EXIT_RESTART = 75;
/** Name of the folder of a version: the hash of its bundle, and on Windows a number if the bundle is unpacked once more. */
const VERSION_FOLDER = /^([0-9a-f]{64})(?:-\d+)?$/;
const MAX_STATE_BYTES = 64 * 1024;
/** Wait before a version is tried again that could not reach the server in its trial. It doubles with each such trial. */
const FIRST_WAIT_MS = 60 * 60_000;

/** An agent that was installed from a bundle. The launcher, a shell script in the same folder, knows the same files. */
export class Program {
  private readonly trial: string;
  private readonly refusedFile: string;
  private readonly postponed: string;
  private readonly serverAway: string;
  private readonly rolledBack: string;

  private constructor(
    readonly root: string,
    /** The hash of the bundle that runs. */
    readonly version: string,
    /** True if the launcher started this process, and so starts the next version too. */
    readonly isLaunched: boolean,
  ) {
    this.trial = join(root, 'trial');
    this.refusedFile = join(root, 'refused');
    this.postponed = join(root, 'postponed');
    this.serverAway = join(root, 'server-away');
    this.rolledBack = join(root, 'rolled-back');
  }

  /** The program whose main file this is; undefined when it did not come in a bundle. */
  static of(mainFile: string, environment: NodeJS.ProcessEnv = process.env): Program | undefined {
    const folder = dirname(dirname(dirname(dirname(mainFile))));
    const versions = dirname(folder);
    const version = VERSION_FOLDER.exec(basename(folder))?.[1];
    if (basename(versions) !== 'versions' || version === undefined) return undefined;
    const root = dirname(versions);
    return new Program(root, version, environment['DEVICE_AGENT_LAUNCHER'] === root);
  }

  get launcher(): string {
    return join(this.root, 'device-agent');
  }

  folderOf(version: string): string {
    return join(this.root, 'versions', version);
  }

  /** Returns true if this version was tried and did not come online. */
  async isRefused(version: string): Promise<boolean> {
    return (await textOf(this.refusedFile)).split('\n').includes(version);
  }

  /**
   * Returns the time, in milliseconds since 1970, from which a version may be tried again that could not reach the server in its trials.
   * Undefined if there was no such trial, or the clock was set back since.
   */
  async againAt(version: string): Promise<number | undefined> {
    const trials = (await textOf(this.postponed)).split('\n').filter((line) => line === version).length;
    if (trials === 0) return undefined;
    // The launcher writes the file after each such trial.
    const { mtimeMs } = await stat(this.postponed);
    return mtimeMs > Date.now() ? undefined : mtimeMs + FIRST_WAIT_MS * 2 ** (trials - 1);
  }

  /** Records for the launcher, while this version is on trial, whether the server can be reached and judge it. */
  async noteServer(isJudged: boolean): Promise<void> {
    if (isJudged) await removeFile(this.serverAway);
    else if (await this.isOnTrial()) await this.replace(this.serverAway, Buffer.from(`${this.version}\n`));
  }

  async isOnTrial(): Promise<boolean> {
    return (await textOf(this.trial)).trim() !== '';
  }

  /** Makes an unpacked version the current one, on trial. It runs after a restart. */
  async switchTo(version: string): Promise<void> {
    await syncAll(this.folderOf(version));
    // In one step: without the name of the version before, the launcher could not bring it back.
    await this.replace(this.trial, Buffer.from(`${this.version}\n`));
    try {
      await this.pointTo(`versions/${version}`);
    } catch (error) {
      await removeFile(this.trial);
      throw error;
    }
  }

  /**
   * Makes this version the current one, without a trial: a person installs it, also where it did not come online before. `undo` gets the
   * step that puts the version before in its place.
   */
  async install(undo: Undo): Promise<void> {
    const own = join(this.folderOf(this.version), 'device-agent');
    const former = await targetOf(this.current);
    const texts = [this.trial, this.refusedFile, this.postponed, this.launcher];
    const before = await Promise.all(texts.map(async (path) => ((await lstatOrUndefined(path)) === undefined ? null : readFile(path))));
    undo.add(`The program in ${this.root} is not as it was`, async () => {
      if (former === undefined) await removeFile(this.current);
      else await this.pointTo(former);
      for (const [index, path] of texts.entries()) {
        const text = before[index] ?? null;
        if (text === null) await removeFile(path);
        else await this.replace(path, text);
      }
    });
    await syncAll(this.folderOf(this.version));
    await this.replace(this.launcher, await readFile(own));
    await removeFile(this.trial);
    await removeFile(this.refusedFile);
    await removeFile(this.postponed);
    await this.pointTo(`versions/${this.version}`);
  }

  /** Replaces a file in one step: a running launcher keeps the one that it has open. */
  private async replace(path: string, contents: Buffer): Promise<void> {
    await writeFile(`${path}.new`, contents, { mode: path === this.launcher ? 0o755 : 0o644, flush: true });
    await rename(`${path}.new`, path);
  }

  private get current(): string {
    return join(this.root, 'current');
  }

  private async pointTo(target: string): Promise<void> {
    await removeFile(`${this.current}.new`);
    await symlink(target, `${this.current}.new`);
    await rename(`${this.current}.new`, this.current);
  }

  /** Ends the trial of this version and removes all others. False when it was not on trial. */
  async confirm(): Promise<boolean> {
    if (!(await this.isOnTrial())) return false;
    for (const path of [this.trial, this.postponed, this.serverAway]) await removeFile(path);
    await this.removeUnused();
    await this.replace(this.launcher, await readFile(join(this.folderOf(this.version), 'device-agent')));
    return true;
  }

  /** Removes all versions, also unfinished ones, but this one and the current one. */
  async removeUnused(): Promise<void> {
    const used = [this.version, basename((await targetOf(this.current)) ?? '')];
    for (const name of await readdir(join(this.root, 'versions'))) {
      if (!used.includes(name)) await rm(this.folderOf(name), { recursive: true, force: true });
    }
  }

  /** The version that the launcher has taken back, told once. It is refused, or tried again later. */
  async takeRolledBack(): Promise<string | undefined> {
    const version = (await textOf(this.rolledBack)).trim();
    await removeFile(this.rolledBack);
    return version === '' ? undefined : version;
  }

  /** Removes the program, and its folder when nothing else is in it. */
  async remove(): Promise<void> {
    for (const name of ['trial', 'refused', 'postponed', 'server-away', 'current', 'device-agent'])
      for (const path of [name, `${name}.new`]) await removeFile(join(this.root, path));
    for (const name of ['rolled-back', 'update.tar.gz']) await removeFile(join(this.root, name));
    await rm(join(this.root, 'versions'), { recursive: true, force: true });
    await removeEmpty([this.root]);
  }
}

/** Writes everything in the folder to the disk. A loss of power after a version has become the current one must not find empty files. */
async function syncAll(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const file = await open(join(entry.parentPath, entry.name), 'r');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  }
}

/** Returns the target of a symbolic link; undefined if there is none. */
async function targetOf(link: string): Promise<string | undefined> {
  return (await lstatOrUndefined(link)) === undefined ? undefined : readlink(link);
}

async function textOf(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).slice(0, MAX_STATE_BYTES);
  } catch (error) {
    if (isMissing(error)) return '';
    throw error;
  }
}

async function removeFile(path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}
