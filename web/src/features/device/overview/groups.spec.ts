import { describe, expect, it } from 'vitest';

import { type Group, groupsWith } from './groups.js';

const GROUPS: readonly Group[] = Array.from({ length: 64 }, (_, at) => ({ id: `g${at}`, name: `Group ${at}` }));

describe('the groups that a device is in', () => {
  const find = async (member: readonly string[], groups = GROUPS): Promise<{ readonly found: string[]; readonly questions: number }> => {
    let questions = 0;
    const found = await groupsWith(groups, (ids) => {
      questions += 1;
      return Promise.resolve(ids.some((id) => member.includes(id)));
    });
    return { found: found.map(({ id }) => id), questions };
  };

  it('finds the groups of a device in their order', async () => {
    expect((await find(['g40', 'g3'])).found).toEqual(['g3', 'g40']);
    expect((await find(GROUPS.map(({ id }) => id))).found).toHaveLength(64);
  });

  it('finds the groups of a device by few requests, none by one', async () => {
    expect((await find([])).questions).toBe(1);
    expect((await find(['g40'])).questions).toBeLessThan(16);
    expect((await find([], [])).questions).toBe(0);
  });
});
