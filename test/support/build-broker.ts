import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { offer, type Prepared } from './broker.js';

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
  return { answer: { project: PROJECT } };
}
