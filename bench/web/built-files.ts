import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const WEB = fileURLToPath(new URL('../../../web/', import.meta.url));

/** The folder of the built front end, for `Service_WebPath`. */
export const WEB_FOLDER = join(WEB, 'dist');

const BYTES_PER_KB = 1000;

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
}

/** Output of the build: the names of the sources, or of shared chunks, with their files. */
export type Manifest = Readonly<Record<string, Chunk>>;

/** Builds the front end, unless it was built from the present sources. */
export async function buildFrontEnd(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(WEB, 'tools/build.mjs')], { cwd: WEB });
}

export async function readManifest(): Promise<Manifest> {
  const manifest: Manifest = JSON.parse(await readFile(join(WEB_FOLDER, '.vite/manifest.json'), 'utf8'));
  return manifest;
}

/** The scripts that a browser fetches for these chunks: themselves, and what they import, as paths below the folder. Packages are named by
 * the end of their path. */
export function scriptsOf(manifest: Manifest, ...names: readonly string[]): Set<string> {
  const scripts = new Set<string>();
  const add = (name: string): void => {
    const chunk = manifest[name] ?? manifest[Object.keys(manifest).find((key) => key.endsWith(name)) ?? ''];
    if (chunk === undefined) throw new Error(`The build has no ${name}.`);
    if (scripts.has(chunk.file)) return;
    scripts.add(chunk.file);
    chunk.imports?.forEach(add);
  };
  names.forEach(add);
  return scripts;
}

/** The size of files as they travel, in kB. */
export async function sizeOf(files: Iterable<string>, encoding: 'gz' | 'br'): Promise<number> {
  const sizes = await Promise.all([...files].map(async (file) => (await stat(join(WEB_FOLDER, `${file}.${encoding}`))).size));
  return sizes.reduce((sum, size) => sum + size, 0) / BYTES_PER_KB;
}
