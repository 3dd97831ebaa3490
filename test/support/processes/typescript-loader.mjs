import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';

/*
 * Module hooks that let plain Node run the project's TypeScript as it stands, without a build: for programs that tests
 * start in a process of their own. The next programs of the run find in a folder the files that one has had compiled.
 */

const root = new URL('../../../', import.meta.url);

export function resolve(specifier, context, nextResolve) {
  const library = /^#libs\/([^/]+)(\/[^/]+)?$/.exec(specifier);
  if (library) return nextResolve(new URL(`libs/${library[1]}/src${library[2] ?? ''}/index.ts`, root).href, context);
  if (/^\.{1,2}\/.+\.js$/.test(specifier) && context.parentURL?.endsWith('.ts')) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(source)) return nextResolve(source.href, context);
  }
  return nextResolve(specifier, context);
}

export function load(url, context, nextLoad) {
  if (!url.startsWith(root.href) || !url.endsWith('.ts')) return nextLoad(url, context);
  return { format: 'module', source: compiled(fileURLToPath(url)), shortCircuit: true };
}

/** The JavaScript of a file: that of the folder, or a new one. */
function compiled(filename) {
  const source = readFileSync(filename, 'utf8');
  const folder = process.env.TEST_COMPILED;
  if (folder === undefined) return compile(filename, source);
  const path = join(folder, createHash('sha256').update(`${filename}\n${source}`).digest('hex'));
  if (existsSync(path)) return readFileSync(path, 'utf8');
  const code = compile(filename, source);
  const unfinished = `${path}.${process.pid}.${threadId}`;
  writeFileSync(unfinished, code);
  renameSync(unfinished, path);
  return code;
}

function compile(filename, source) {
  // Loaded late, because most programs find everything compiled.
  const { transformSync } = createRequire(import.meta.url)('@swc/core');
  const { code } = transformSync(source, {
    filename,
    swcrc: false,
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
      keepClassNames: true,
    },
    module: { type: 'es6' },
    sourceMaps: 'inline',
  });
  return code;
}
