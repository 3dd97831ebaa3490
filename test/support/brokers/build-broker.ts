import { execFile } from 'node:child_process';
import { cp, readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { offer, type Prepared } from './broker.js';

interface NestConfiguration {
  readonly sourceRoot: string;
  /** Each asset is a file, or a folder whose pattern ends with a star. */
  readonly compilerOptions: { readonly assets: readonly string[] };
}

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
/** Types are checked by `npm run check`, and take half of the time of a build. */
const BUILD = ['node_modules/typescript/bin/tsc', '-b', '--noCheck', 'tsconfig.build.json'];
/** Folders that the programs are built from. */
const SOURCES = ['src', 'libs', 'agent', 'bench', 'demo'];
const SETTINGS = ['ormconfig.ts', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];
/** File that a build writes last. */
const RECORD = 'dist/.tsbuildinfo';

/** Offers the built programs, brought up to date once in the run: compiled files in `dist` are written over, not removed. */
export function offerBuild(): Promise<() => Promise<void>> {
  return offer('TEST_BUILD_BROKER', build);
}

async function build(): Promise<Prepared> {
  if (!(await isUpToDate())) await compile();
  await copyAssets();
  await bundle();
  return { answer: { project: PROJECT } };
}

/**
 * Returns true if everything is older than the last build. The compiler would find that out as well, but not after `npm run build`, which
 * does not record that it found no errors: then it checks all types again.
 */
async function isUpToDate(): Promise<boolean> {
  const built = await changedAt(RECORD);
  const listed = await Promise.all(SOURCES.map((folder) => readdir(join(PROJECT, folder), { recursive: true, withFileTypes: true })));
  const files = listed.flat().filter((entry) => entry.isFile() && entry.name.endsWith('.ts'));
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  const times = await Promise.all([...paths, ...SETTINGS].map(changedAt));
  return times.every((time) => time < built);
}

/** Returns the time when a file was changed, in milliseconds since 1970; 0 if it does not exist. */
async function changedAt(path: string): Promise<number> {
  return stat(resolve(PROJECT, path)).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

async function compile(): Promise<void> {
  await promisify(execFile)(process.execPath, BUILD, { cwd: PROJECT }).catch((error: Error & { readonly stdout: string }) => {
    throw new Error(`The build failed:\n${error.stdout}`);
  });
}

/** Joins the modules of the service, as `npm run build` does after compiling. */
async function bundle(): Promise<void> {
  await promisify(execFile)(process.execPath, ['tools/bundle-service.mjs'], { cwd: PROJECT });
}

/** Copies the files that are not compiled, as `nest build` does. */
async function copyAssets(): Promise<void> {
  const { sourceRoot, compilerOptions } = JSON.parse(await readFile(join(PROJECT, 'nest-cli.json'), 'utf8')) as NestConfiguration;
  for (const pattern of compilerOptions.assets) {
    const path = join(sourceRoot, pattern.replace(/\/\*$/, ''));
    await cp(join(PROJECT, path), join(PROJECT, 'dist', path), { recursive: true });
  }
}
