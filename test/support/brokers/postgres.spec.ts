import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from './postgres.js';

let first: TestDatabase;
let second: TestDatabase;

beforeAll(async () => {
  [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
});

afterAll(async () => {
  await Promise.all([first.drop(), second.drop()]);
});

async function query(database: TestDatabase, text: string): Promise<unknown[]> {
  const client = new Client(database.connection);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

describe('createTestDatabase', () => {
  it('gives each caller its own database', async () => {
    await query(first, 'create table only_here (value int)');
    expect(await query(first, `select to_regclass('only_here')::text as name`)).toEqual([{ name: 'only_here' }]);
    expect(await query(second, `select to_regclass('only_here')::text as name`)).toEqual([{ name: null }]);
  });

  it('drops a database that is still in use', async () => {
    const database = await createTestDatabase();
    const client = new Client(database.connection);
    client.on('error', () => undefined);
    await client.connect();
    await database.drop();
    await expect(query(database, 'select 1')).rejects.toThrow(/does not exist/);
  });
});
