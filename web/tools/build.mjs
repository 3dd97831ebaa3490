// Builds the front end, unless `dist` was built from the same sources: `npm start` calls this every time.
import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

// Callers, tests included, get the build that is served to people.
process.env.NODE_ENV = 'production';

const web = new URL('../', import.meta.url);
const stamp = new URL('dist/.sources', web);

/** Everything that the result depends on, relative to this package. */
const SOURCES = [
  'src',
  'public',
  'tools',
  'index.html',
  'vite.config.ts',
  'package.json',
  '../package-lock.json',
  '../openapi/v1.json',
  '../openapi/account.json',
  '../openapi/inventory.json',
  '../openapi/events.json',
  '../libs/contracts/src',
  '../libs/desktop-stream/src',
  '../libs/signalr/src/wire',
];
const GENERATED = /^(?:src\/api\/generated|src\/routes\.gen\.ts)/;

/** The files of a path: itself, or all below it. */
async function filesOf(path) {
  const url = new URL(path, web);
  if (!(await stat(url)).isDirectory()) return [path];
  const entries = await readdir(url, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(fileURLToPath(web), join(entry.parentPath, entry.name)));
}

async function hashOfSources() {
  const paths = (await Promise.all(SOURCES.map(filesOf))).flat().filter((path) => !GENERATED.test(path));
  const hash = createHash('sha256');
  for (const path of paths.sort())
    hash
      .update(path)
      .update('\0')
      .update(await readFile(new URL(path, web)));
  return hash.digest('hex');
}

const hash = await hashOfSources();
if ((await readFile(stamp, 'utf8').catch(() => '')) === hash) {
  console.log('The front end is up to date.');
} else {
  const begin = performance.now();
  console.log('Building the front end. This takes some seconds, and is repeated only when its sources change.');
  await import('./generate.mjs');
  const { build } = await import('vite');
  await build({ root: fileURLToPath(web), logLevel: 'warn' });
  await writeFile(stamp, hash);
  console.log(`The front end was built in ${Math.round((performance.now() - begin) / 1000)} s.`);
}
