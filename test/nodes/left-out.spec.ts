import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { LEFT_OUT } from './left-out.js';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const SENTENCE = /^[A-Z].+\.$/;

/* `leave-out.ts` refuses titles that a spec does not have, when the spec runs. */
describe('the tests that are left out with several nodes', () => {
  it.each(Object.keys(LEFT_OUT))('are in a spec that exists: %s', (path) => {
    expect(path).toMatch(/^test\/(?:api|hubs)\/.+\.e2e-spec\.ts$/);
    expect(existsSync(join(PROJECT, path))).toBe(true);
  });

  it.each(Object.entries(LEFT_OUT))('have reasons: %s', (_path, tests) => {
    expect(tests.length).toBeGreaterThan(0);
    for (const { reason } of tests) expect(reason).toMatch(SENTENCE);
  });
});
