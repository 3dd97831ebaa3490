import * as modules from 'node:module';

/* `node --import ./test/support/processes/run-typescript.mjs program.ts` runs a TypeScript program without a build. */
modules.register('./typescript-loader.mjs', import.meta.url);
// Node.js 22 and later keep there what they made of modules.
if (process.env.TEST_COMPILED !== undefined) modules.enableCompileCache?.(process.env.TEST_COMPILED);
