/*
 * Joins the compiled modules of the service and of its commands into a few files, because loading each of 1,200 modules by itself takes a
 * third of a start and 40 MiB. Packages stay in `node_modules`. `dist/service` has the programs that installations run; `dist/src` keeps
 * what they read from disk: the health probe, the threads of password hashes and of backups, the files of the API browser.
 */
import { readFile, rm } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { rolldown } from 'rolldown';

const COMPILED = fileURLToPath(new URL('../dist/src', import.meta.url));
const BUNDLED = fileURLToPath(new URL('../dist/service', import.meta.url));
const PROGRAMS = ['main', 'audit-verify', 'backup', 'doctor', 'nodes-key', 'restore'];

/** Own modules are imported by path, or by a name of `imports` in package.json. */
const isPackage = (id) => !/^[./#]/.test(id);

/** Reads each module with the map to its TypeScript, so that stack traces name lines of the sources. */
const withSourceMaps = {
  name: 'with-source-maps',
  async load(id) {
    const [code, map] = await Promise.all([readFile(id, 'utf8'), readFile(`${id}.map`, 'utf8')]);
    return { code, map };
  },
};

/** Lets modules find files beside them where they were compiled. */
const withCompiledPaths = {
  name: 'with-compiled-paths',
  transform(code, id) {
    const compiled = JSON.stringify(relative(BUNDLED, id));
    return { code: code.replaceAll('import.meta.url', `new URL(${compiled}, import.meta.url).href`), map: null };
  },
};

await rm(BUNDLED, { recursive: true, force: true });
const build = await rolldown({
  input: Object.fromEntries(PROGRAMS.map((name) => [name, `${COMPILED}/${name}.js`])),
  platform: 'node',
  external: isPackage,
  plugins: [withSourceMaps, withCompiledPaths],
  // A busy machine takes long, which is no fault of the build.
  checks: { bundlerTimings: false },
  onLog(_level, { message }) {
    throw new Error(message);
  },
});
// TypeORM, Nest and the log use names of classes. Without comments and characters beyond ASCII the code takes 4 MiB less memory.
await build.write({
  dir: BUNDLED,
  format: 'esm',
  chunkFileNames: '[name].js',
  keepNames: true,
  sourcemap: true,
  comments: false,
  charset: 'ascii',
});
await build.close();
