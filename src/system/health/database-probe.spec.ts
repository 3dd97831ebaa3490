import { describe, expect, it } from 'vitest';

import type { ReportsDataSource } from '../../platform/database/connection/reserved-data-source.js';
import { DatabaseProbe } from './database-probe.js';

describe('DatabaseProbe', () => {
  it('asks the database once for all concurrent callers, and for those soon after', async () => {
    const queries: ((rows: unknown[]) => void)[] = [];
    const dataSource = { query: () => new Promise((answer) => queries.push(answer)) };
    const probe = new DatabaseProbe(dataSource as unknown as ReportsDataSource);
    const answers = Array.from({ length: 100 }, () => probe.answers());
    expect(queries).toHaveLength(1);
    queries[0]([]);
    expect(new Set(await Promise.all(answers))).toEqual(new Set([true]));
    expect(await probe.answers()).toBe(true);
    expect(queries).toHaveLength(1);
  });

  it('returns false when the database fails', async () => {
    const dataSource = { query: () => Promise.reject(new Error('away')) };
    expect(await new DatabaseProbe(dataSource as unknown as ReportsDataSource).answers()).toBe(false);
  });
});
