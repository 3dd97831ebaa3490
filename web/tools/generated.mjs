// The descriptions of the API that sources are generated from, and the folder of these sources.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';

const root = new URL('../', import.meta.url);
const folder = new URL('src/api/generated/', root);

export const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

/** The descriptions by name. Each call reads them: who generates may change its own. */
export async function descriptions() {
  const names = ['v1', 'account', 'inventory', 'events'];
  return Promise.all(names.map(async (name) => [name, JSON.parse(await readFile(new URL(`../openapi/${name}.json`, root), 'utf8'))]));
}

/**
 * Writes a generated source, but leaves one alone whose content would stay the same, so that builds and watchers see no change. Another
 * build at the same time finds a whole file.
 */
export async function write(name, text) {
  const file = new URL(name, folder);
  if ((await readFile(file, 'utf8').catch(() => undefined)) === text) return;
  await mkdir(folder, { recursive: true });
  const written = new URL(`${name}.${process.pid}`, folder);
  await writeFile(written, text);
  await rename(written, file);
}
