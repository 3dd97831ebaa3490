import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { AdvisoryLock, NamedAdvisoryLock } from '../../src/platform/database/locks/advisory-locks.js';

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));

describe('advisory locks', () => {
  it('have different numbers', () => {
    for (const locks of [AdvisoryLock, NamedAdvisoryLock]) {
      const numbers = Object.values<number>(locks);
      expect(new Set(numbers).size).toBe(numbers.length);
    }
  });

  it('are taken only by the functions of one file', async () => {
    const files = (await readdir(SOURCES, { recursive: true })).filter((file) => /(?<!\.spec)\.ts$/.test(file));
    const texts = await Promise.all(files.map(async (file) => [file, await readFile(join(SOURCES, file), 'utf8')] as const));
    const taking = texts.filter(([, text]) => /pg_(try_)?advisory_/.test(text)).map(([file]) => file.replaceAll('\\', '/'));
    expect(taking).toEqual(['platform/database/locks/advisory-locks.ts']);
  });
});
