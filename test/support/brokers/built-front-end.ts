import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ask } from './broker-client.js';
import { offer, type Prepared } from './broker.js';

const WEB = fileURLToPath(new URL('../../../web/', import.meta.url));

/** The built front end of this project. */
export interface BuiltFrontEnd {
  /** The folder for `Service_WebPath`. */
  readonly folder: string;
  /** The patterns of all pages. */
  readonly pages: readonly string[];
}

/** Offers the built front end. It is built once in the run, and only if its sources have changed since the last time. */
export function offerFrontEnd(): Promise<() => Promise<void>> {
  return offer('TEST_FRONT_END_BROKER', build);
}

/** The front end as it is built from the sources. The first call of a run builds it. */
export async function builtFrontEnd(): Promise<BuiltFrontEnd> {
  const { folder } = await ask<{ folder: string }>('TEST_FRONT_END_BROKER');
  const pages: string[] = JSON.parse(await readFile(join(folder, 'routes.json'), 'utf8'));
  return { folder, pages };
}

async function build(): Promise<Prepared> {
  await new Promise<void>((resolve, reject) => {
    execFile(process.execPath, ['tools/build.mjs'], { cwd: WEB }, (error, stdout, stderr) => {
      if (error === null) resolve();
      else reject(new Error(`The front end could not be built:\n${stdout}${stderr}`));
    });
  });
  return { answer: { folder: join(WEB, 'dist') } };
}
