import { execFile } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { offer, type Prepared } from './broker.js';

interface NestConfiguration {
  readonly sourceRoot: string;
  /** Each asset is a file, or a folder whose pattern ends with a star. */
  readonly compilerOptions: { readonly assets: readonly string[] };
}

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
// With `-b` the compiler looks at the files' times first, and loads nothing when all is up to date.
const BUILD = ['node_modules/typescript/bin/tsc', '-b', 'tsconfig.build.json'];

/** Offers the built programs, brought up to date once in the run: what stands in `dist` is built over, not removed. */
export function offerBuild(): Promise<() => Promise<void>> {
  return offer('TEST_BUILD_BROKER', build);
}

async function build(): Promise<Prepared> {
  await new Promise<void>((resolve, reject) => {
    execFile(process.execPath, BUILD, { cwd: PROJECT }, (error, stdout) => {
      if (error === null) resolve();
      else reject(new Error(`The build failed:\n${stdout}`));
    });
  });
  await copyAssets();
  return { answer: { project: PROJECT } };
}

/** Copies what is not compiled, as `nest build` does. */
async function copyAssets(): Promise<void> {
  const { sourceRoot, compilerOptions } = JSON.parse(await readFile(join(PROJECT, 'nest-cli.json'), 'utf8')) as NestConfiguration;
  for (const pattern of compilerOptions.assets) {
    const path = join(sourceRoot, pattern.replace(/\/\*$/, ''));
    await cp(join(PROJECT, path), join(PROJECT, 'dist', path), { recursive: true });
  }
}
