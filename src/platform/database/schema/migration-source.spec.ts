import { runInNewContext } from 'node:vm';

import { describe, expect, it } from 'vitest';

import { migrationSource } from './migration-source.js';

describe('the source of a migration', () => {
  it('is named after the migration and its time', () => {
    const { file, className, text } = migrationSource('AddDeviceNotes2', 1_763_650_000_001, { up: [], down: [] });
    expect(file).toBe('1763650000001-add-device-notes2.ts');
    expect(className).toBe('AddDeviceNotes21763650000001');
    expect(text).toContain(`export class ${className} implements MigrationInterface {\n  readonly name = '${className}';`);
  });

  it('holds the statements as they are, whatever characters they contain', () => {
    const up = ['SELECT 1', String.raw`SELECT E'\n', '${'`'}', '$${'{x}'} $1 $$'`, 'SELECT\n  2'];
    const { text } = migrationSource('Name', 1, { up, down: ['SELECT 3'] });
    const list = /const UP = (\[.*?\n\]);/s.exec(text)?.[1] ?? '';
    expect(runInNewContext(list)).toEqual(up);
  });
});
