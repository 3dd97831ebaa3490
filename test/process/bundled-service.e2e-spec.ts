import { readdir, readFile } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join, resolve } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { builtProject } from '../support/processes/service-process.js';

describe('dist/service', () => {
  let folder: string;
  let files: readonly string[];

  beforeAll(async () => {
    folder = join(await builtProject(), 'dist/service');
    files = (await readdir(folder)).filter((name) => name.endsWith('.js'));
  });

  it('has the programs that package.json starts', async () => {
    const { scripts } = JSON.parse(await readFile(join(folder, '../../package.json'), 'utf8')) as { scripts: Record<string, string> };
    const programs = Object.values(scripts).flatMap((script) => /dist\/service\/(\S+)$/.exec(script)?.[1] ?? []);

    expect(programs).toHaveLength(6);
    expect(files).toEqual(expect.arrayContaining(programs));
  });

  it('joins the modules into few files', () => {
    expect(files.length).toBeLessThan(100);
  });

  it('names the lines of the sources in stack traces', async () => {
    const thrown = await Promise.all(files.map(async (name) => linesThatThrow(join(folder, name))));

    expect(thrown.flat().length).toBeGreaterThan(200);
    expect(thrown.flat().filter(({ source }) => !source.includes('throw new'))).toEqual([]);
  });
});

/** The lines of a built file that throw an error, each with the line of the TypeScript that its map names. */
async function linesThatThrow(path: string): Promise<readonly { readonly line: string; readonly source: string }[]> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  const throwing = lines.flatMap((line, index) => (line.includes('throw new ') ? [index] : []));
  if (throwing.length === 0) return [];
  const map = new SourceMap(JSON.parse(await readFile(`${path}.map`, 'utf8')) as SourceMapPayload);
  return Promise.all(
    throwing.map(async (index) => {
      const line = lines[index] ?? '';
      const entry = map.findEntry(index, line.indexOf('throw'));
      if (!('originalSource' in entry)) return { line, source: 'nothing' };
      const source = await readFile(resolve(path, '..', entry.originalSource), 'utf8');
      return { line, source: source.split('\n')[entry.originalLine] ?? 'no line' };
    }),
  );
}
