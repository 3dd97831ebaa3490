import { copyFile, readdir, readFile, rename, rm, rmdir, symlink, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf, isMissing } from '../failures.js';

/** Exit code that tells the launcher to start the current version. */
export const EXIT_RESTART = 75;
const HASH = /^[0-9a-f]{64}$/;
const MAX_STATE_BYTES = 64 * 1024;

/** An agent that was installed from a bundle. The launcher, a shell script in the same folder, knows the same files. */
export class Program {
  private readonly trial: string;
  private readonly refusedFile: string;
  private readonly rolledBack: string;

  private constructor(
    readonly root: string,
    /** The hash of the bundle that runs. */
    readonly version: string,
    /** Whether the launcher started this process, and so starts the next version too. */
    readonly isLaunched: boolean,
  ) {
    this.trial = join(root, 'trial');
    this.refusedFile = join(root, 'refused');
    this.rolledBack = join(root, 'rolled-back');
  }

  /** The program whose main file this is; undefined when it did not come in a bundle. */
  static of(mainFile: string, environment: NodeJS.ProcessEnv = process.env): Program | undefined {
    const folder = dirname(dirname(dirname(dirname(mainFile))));
    const [versions, version] = [dirname(folder), basename(folder)];
    if (basename(versions) !== 'versions' || !HASH.test(version)) return undefined;
    const root = dirname(versions);
    return new Program(root, version, environment['DEVICE_AGENT_LAUNCHER'] === root);
  }

  get launcher(): string {
    return join(this.root, 'device-agent');
  }

  folderOf(version: string): string {
    return join(this.root, 'versions', version);
  }

  /** Whether this version was tried and did not come online. */
  async isRefused(version: string): Promise<boolean> {
    return (await textOf(this.refusedFile)).split('\n').includes(version);
  }

  async isOnTrial(): Promise<boolean> {
    return (await textOf(this.trial)).trim() !== '';
  }

  /** Makes an unpacked version the current one, on trial. It runs after a restart. */
  async switchTo(version: string): Promise<void> {
    await writeFile(this.trial, `${this.version}\n`, { flush: true });
    const link = join(this.root, 'current.new');
    await removeFile(link);
    await symlink(`versions/${version}`, link);
    await rename(link, join(this.root, 'current'));
  }

  /** Ends the trial of this version and removes all others. False when it was not on trial. */
  async confirm(): Promise<boolean> {
    if (!(await this.isOnTrial())) return false;
    await removeFile(this.trial);
    for (const name of await readdir(join(this.root, 'versions'))) {
      if (name !== this.version) await rm(this.folderOf(name), { recursive: true, force: true });
    }
    // The running launcher keeps the file that it has open.
    await copyFile(join(this.folderOf(this.version), 'device-agent'), `${this.launcher}.new`);
    await rename(`${this.launcher}.new`, this.launcher);
    return true;
  }

  /** The version that the launcher has taken back, told once. */
  async takeRolledBack(): Promise<string | undefined> {
    const version = (await textOf(this.rolledBack)).trim();
    await removeFile(this.rolledBack);
    return version === '' ? undefined : version;
  }

  /** Removes the program, and its folder when nothing else is in it. */
  async remove(): Promise<void> {
    const own = ['trial', 'refused', 'rolled-back', 'current.new', 'update.tar.gz', 'device-agent.new', 'device-agent', 'current'];
    for (const name of own) await removeFile(join(this.root, name));
    await rm(join(this.root, 'versions'), { recursive: true, force: true });
    await rmdir(this.root).catch((error: unknown) => {
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(error) ?? '')) throw error;
    });
  }
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
