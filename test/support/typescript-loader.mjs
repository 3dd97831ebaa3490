import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

/*
 * Module hooks that let plain Node run the project's TypeScript as it stands, without a build: for programs that tests
 * start in a process of their own.
 */

const root = new URL('../../', import.meta.url);

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
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), {
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
  return { format: 'module', source: code, shortCircuit: true };
}

async function exists(url) {
  return stat(url).then(
    () => true,
    () => false,
  );
}
