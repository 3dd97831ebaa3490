import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createTestDatabase, type TestDatabase } from '../support/brokers/postgres.js';
import { builtProject } from '../support/processes/service-process.js';

describe('on the database that DATABASE_URL names', () => {
  let project: string;
  let database: TestDatabase;

  beforeAll(async () => {
    [project, database] = [await builtProject(), await createTestDatabase()];
  });
  afterAll(() => database.drop());

  /** Returns the output of a built program. */
  async function output(program: string, ...args: readonly string[]): Promise<string> {
    const { host, user, database: name } = database.connection;
    const env = { ...process.env, DATABASE_URL: `socket:${host}?db=${name}&user=${user}` };
    return (await promisify(execFile)(process.execPath, [join(project, program), ...args], { cwd: project, env })).stdout;
  }

  it("TypeORM's command line uses the data source of ormconfig.ts", async () => {
    const shown = await output('node_modules/typeorm/cli.js', '--dataSource', 'dist/ormconfig.js', 'migration:show');

    expect(shown).toMatch(/\[X\] .*FirstSchema1763650000000/);
    expect(shown).not.toContain('[ ]');
  });

  it('the drafts of migrations find nothing that it lacks', async () => {
    expect(await output('dist/src/write-migration.js', 'AddNothing')).toBe('The database lacks nothing.\n');
  });
});
