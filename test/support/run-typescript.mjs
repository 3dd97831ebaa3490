import { register } from 'node:module';

/* `node --import ./test/support/run-typescript.mjs program.ts` runs a TypeScript program without a build. */
register('./typescript-loader.mjs', import.meta.url);
