import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { afterAll } from 'vitest';

/** The script of the small front end, long enough to be compressed. */
export const SCRIPT = `// ${'A front end. '.repeat(200)}\n`;
export const SCRIPT_PATH = '/assets/index-Ab1_x-9$.js';
export const FONT = Buffer.from('wOF2 and what follows');
export const INDEX = `<!doctype html><title>A small front end</title><script type="module" src="${SCRIPT_PATH}"></script>\n`;

const PAGES = [
  '/',
  '/account/profile',
  '/account/sessions',
  '/device-access',
  '/devices',
  '/devices/$deviceId',
  '/devices/$deviceId/files',
];

/** The files that are compressed, too. */
const COMPRESSED: readonly string[] = ['index.html', SCRIPT_PATH.slice(1)];
const FILES: Readonly<Record<string, string | Buffer>> = {
  'index.html': INDEX,
  [SCRIPT_PATH.slice(1)]: SCRIPT,
  'routes.json': JSON.stringify(PAGES),
  'theme.js': '// Before the first paint.\n',
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
  'assets/inter-0a1b2c3d.woff2': FONT,
  '.sources': 'hash',
  '.vite/manifest.json': '{}',
  'assets/.hidden.js': '// Not for anybody.\n',
};

/**
 * A folder like the one that the build of the front end writes, for `Service_WebPath`. `files` adds or replaces some. It is removed after
 * the tests.
 */
export function smallFrontEnd(files: Readonly<Record<string, string>> = {}): string {
  const all = { ...FILES, ...files };
  const folder = mkdtempSync(join(tmpdir(), 'front-end-'));
  const write = (name: string, content: string | Buffer): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  for (const [name, content] of Object.entries(all)) write(name, content);
  for (const name of COMPRESSED) {
    write(`${name}.br`, brotliCompressSync(all[name] ?? ''));
    write(`${name}.gz`, gzipSync(all[name] ?? ''));
  }
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
