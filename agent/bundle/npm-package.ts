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
  const { stdout } = await run('npm', ['pack', `${name}@${version}`, '--json', '--ignore-scripts', '--pack-destination', target]);
  const [{ filename }] = JSON.parse(stdout) as { filename: string }[];
  const archive = join(target, filename);
  const actual = await sha512(archive);
  if (actual !== integrity) throw new Error(`${name}@${version} has the integrity ${actual} instead of ${integrity}.`);
  await run('tar', ['-xzf', archive, '-C', target]);
  return join(target, 'package');
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
