import { beforeAll, describe, expect, it } from 'vitest';

import { firstLoad, type LoadedFile, totalOf } from '../../web/tools/first-load.mjs';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';

/*
 * Files that a browser loads before the list of devices shows its first rows. Files over the budget are not needed for them: load these at
 * first use, as menus and dialogs are. `node web/tools/first-load.mjs` lists the files.
 */

/** Most bytes under gzip, by the end of the file name. */
const BUDGET = { '.js': 140_000, '.css': 12_000 } as const;

let files: readonly LoadedFile[];

beforeAll(async () => {
  files = await firstLoad((await builtFrontEnd()).folder);
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
