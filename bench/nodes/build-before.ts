import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
/** The folder with which several nodes began. */
const FOLDER = 'src/live/nodes';

/** A build of the service as it was before there were several nodes. */
export interface BuildBefore {
  readonly commit: string;
  /** The file that starts the service. */
  readonly main: string;
  remove(): Promise<void>;
}

/** The commit to compare with: `BENCH_BEFORE`, or the one before several nodes; null without its history. */
export async function commitBefore(): Promise<string | null> {
  try {
    const wanted = process.env.BENCH_BEFORE ?? `${await firstIn(FOLDER)}^`;
    return (await git('rev-parse', '--verify', '--short=12', `${wanted}^{commit}`)).trim();
  } catch {
    return null;
  }
}

/** Builds the service of that commit beside this one, with the same dependencies. */
export async function buildBefore(commit: string): Promise<BuildBefore> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-before-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const archive = join(folder, 'tree.tar');
  try {
    await git('archive', '--format=tar', '-o', archive, commit);
    await run('tar', ['-xf', archive], { cwd: folder });
    await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
    await run('npm', ['run', 'build'], { cwd: folder });
    return { commit, main: programIn(folder), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The service as installations run it. Earlier releases ran the compiled modules themselves. */
function programIn(folder: string): string {
  const bundled = join(folder, 'dist', 'service', 'main.js');
  return existsSync(bundled) ? bundled : join(folder, 'dist', 'src', 'main.js');
}

/** The first commit that added something to a folder. */
async function firstIn(folder: string): Promise<string> {
  const [commit = ''] = (await git('log', '--diff-filter=A', '--format=%H', '--reverse', '--', folder)).split('\n');
  if (commit === '') throw new Error(`No commit adds ${folder}.`);
  return commit;
}

async function git(...args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', [...args], { cwd: PROJECT });
  return stdout;
}
