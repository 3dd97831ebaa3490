import { describe, expect, it } from 'vitest';

import { tally } from './outcomes.js';

describe('what came of an act on several devices', () => {
  it('is counted by end and reason', () => {
    const rows = tally([
      { id: '1', kind: 'done' },
      { id: '2', kind: 'refused', reason: 'device.power.manage' },
      { id: '3', kind: 'done' },
      { id: '4', kind: 'failed', reason: 'The device is offline.' },
    ]);

    expect(rows).toEqual([
      { kind: 'done', reason: null, count: 2 },
      { kind: 'refused', reason: 'device.power.manage', count: 1 },
      { kind: 'failed', reason: 'The device is offline.', count: 1 },
    ]);
  });
});
