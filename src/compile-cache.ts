import module from 'node:module';
import { join } from 'node:path';

/** The compile cache of Node.js 22.1 and later. It says by its result, not by an error, that a folder cannot be used. */
interface CompileCache {
  enableCompileCache(folder: string): unknown;
}

/** Keeps compiled code in the data folder, so that the next start need not compile it. Node.js 20 compiles at each start. */
export function keepCompiledCode(dataPath: string): void {
  if (hasCompileCache(module)) module.enableCompileCache(join(dataPath, 'compiled-code'));
}

const hasCompileCache = (candidate: object): candidate is CompileCache => 'enableCompileCache' in candidate;
