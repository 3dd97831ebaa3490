import { beforeAll, describe, expect, it } from 'vitest';

import { AFTER_FIRST_PAGE } from '../../web/src/first-load/chunks.js';
import { filesOfPages, firstLoad, type LoadedFile, type Manifest, manifestOf, totalOf } from '../../web/tools/first-load.mjs';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';

/*
 * Files that a browser loads before the list of devices shows its first rows. Files over the budget are not needed for them: load these at
 * first use, as menus and dialogs are. `node web/tools/first-load.mjs` lists the files.
 */

/** Most bytes under gzip, by the end of the file name. */
const BUDGET = { '.js': 140_000, '.css': 12_000 } as const;

/** Most files of a page beside those of the shell. A browser loads six at a time. */
const MOST_FILES = 35;

let files: readonly LoadedFile[];
let manifest: Manifest;

beforeAll(async () => {
  const { folder } = await builtFrontEnd();
  files = await firstLoad(folder);
  manifest = await manifestOf(folder);
});

describe('the first load of the front end', () => {
  it.each(Object.entries(BUDGET))('has no more %s than its budget', (extension, budget) => {
    const total = totalOf(files, extension);
    expect(total).toBeGreaterThan(budget / 10);
    expect(total).toBeLessThanOrEqual(budget);
  });

  it('consists of few files, which compress better than many', () => {
    expect(files.filter(({ file }) => file.endsWith('.js')).length).toBeLessThanOrEqual(12);
  });
});

describe('the code of the other pages', () => {
  it('is in few files for each page', () => {
    const counts = [...filesOfPages(manifest)].map(([page, { length }]) => ({ page, length }));
    expect(counts.length).toBeGreaterThan(50);
    expect(counts.filter(({ length }) => length > MOST_FILES)).toEqual([]);
  });
});

describe('the code that follows the first page', () => {
  it.each(AFTER_FIRST_PAGE)('has %s in its one file', (module) => {
    const { file, imports = [] } = manifest[`src/${module}.tsx`];
    expect([file, ...imports.map((name) => manifest[name].file)]).toContainEqual(expect.stringContaining('/later-'));
  });
});
