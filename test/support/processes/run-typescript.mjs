import * as modules from 'node:module';
import { load, resolve } from './typescript-loader.mjs';

/* `node --import ./test/support/processes/run-typescript.mjs program.ts` runs a TypeScript program without a build. */
// Where Node.js can, it calls the hooks in the thread that loads: one of their own for them took more time than a small program runs.
if (modules.registerHooks === undefined) modules.register('./typescript-loader.mjs', import.meta.url);
else modules.registerHooks({ resolve, load });
// Node.js 22 and later keep there what they made of modules.
if (process.env.TEST_COMPILED !== undefined) modules.enableCompileCache?.(process.env.TEST_COMPILED);
