import { createHash } from 'node:crypto';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * Module hooks that let plain Node run the project's TypeScript as it stands, without a build: for programs that tests
 * start in a process of their own. The next programs of the run find in a folder the files that one has had compiled.
 */

const root = new URL('../../../', import.meta.url);

export async function resolve(specifier, context, nextResolve) {
  const library = /^#libs\/([^/]+)(\/[^/]+)?$/.exec(specifier);
  if (library) return nextResolve(new URL(`libs/${library[1]}/src${library[2] ?? ''}/index.ts`, root).href, context);
  if (/^\.{1,2}\/.+\.js$/.test(specifier) && context.parentURL?.endsWith('.ts')) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (await exists(source)) return nextResolve(source.href, context);
  }
  return nextResolve(specifier, context);
}

export async function load(url, context, nextLoad) {
  if (!url.startsWith(root.href) || !url.endsWith('.ts')) return nextLoad(url, context);
  return { format: 'module', source: await compiled(fileURLToPath(url)), shortCircuit: true };
}

/** The JavaScript of a file: that of the folder, or a new one. */
async function compiled(filename) {
  const source = await readFile(filename, 'utf8');
  const folder = process.env.TEST_COMPILED;
  if (folder === undefined) return compile(filename, source);
  const path = join(folder, createHash('sha256').update(`${filename}\n${source}`).digest('hex'));
  const kept = await readFile(path, 'utf8').catch(() => undefined);
  if (kept !== undefined) return kept;
  const code = await compile(filename, source);
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, code);
  await rename(unfinished, path);
  return code;
}

async function compile(filename, source) {
  // Loaded late, because most programs find everything compiled.
  const { transform } = await import('@swc/core');
  const { code } = await transform(source, {
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

async function exists(url) {
  return stat(url).then(
    () => true,
    () => false,
  );
}
