import { describe, expect, it } from 'vitest';

import { SessionMemory } from './session-memory.js';

const LIMITS = { remembered: 4, rememberedOfPrincipal: 3, waitMs: 1_000 };

describe('the memory of sessions that are over', () => {
  it('forgets an id when no half can wait for it any more', () => {
    let now = 0;
    const memory = new SessionMemory(LIMITS, () => now);
    memory.add('session', 'ann');
    now = 999;
    expect([memory.has('session'), memory.has('another')]).toEqual([true, false]);
    now = 1_000;
    expect(memory.has('session')).toBe(false);
  });

  it('limits the ids of a caller, pending ones included, and of all callers, until it forgets some', () => {
    let now = 0;
    const memory = new SessionMemory(LIMITS, () => now);
    memory.add('1', 'ann');
    memory.add('2', 'ann');
    expect([memory.hasRoomFor('ann', 0), memory.hasRoomFor('ann', 1), memory.hasRoomFor('bob', 2)]).toEqual([true, false, true]);
    memory.add('3', 'bob');
    memory.add('4', 'bob');
    expect(memory.hasRoomFor('eve', 0)).toBe(false);
    now = 1_000;
    expect([memory.hasRoomFor('ann', 2), memory.hasRoomFor('eve', 0)]).toEqual([true, true]);
  });
});
