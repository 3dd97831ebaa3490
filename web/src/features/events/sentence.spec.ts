import { describe, expect, it } from 'vitest';

import type { TenantEvent } from '../../api/system/events.js';
import { detailOf, sentenceOf } from './sentence.js';

const EMPTY = { name: null, presets: null, changes: null } as unknown as TenantEvent['data'];

const event = (kind: TenantEvent['kind'], data: Partial<TenantEvent['data']>, actor: string | null = 'Anna'): TenantEvent => ({
  id: '1-00000000',
  kind,
  occurredAt: '2026-11-27T08:00:00Z',
  tenantId: '',
  deviceId: null,
  actor: actor === null ? null : { kind: 'User', id: '', name: actor },
  data: { ...EMPTY, ...data },
});

describe('an event', () => {
  it.each<[TenantEvent, string, string]>([
    [event('device.registered', { name: 'PC-1', isNew: true }), 'PC-1 was registered', ''],
    [event('device.registered', { name: 'PC-1', isNew: false }), 'PC-1 was registered again', ''],
    [event('device.online', { name: 'PC-1' }), 'PC-1 came online', ''],
    [event('device.key-changed', { name: 'PC-1', state: 'approved' }), 'Anna approved the new key of PC-1', ''],
    [event('session.begun', { name: 'PC-1', session: 'Terminal' }), 'Anna opened a terminal on PC-1', ''],
    [event('session.ended', { name: 'PC-1', session: 'Vnc', outcome: 'Failed' }), 'VNC session of Anna on PC-1 ended', 'Failed'],
    [
      event('permission.changed', { principalName: 'Ben', count: 1, changes: [{ permission: 'device.read' }] } as Partial<
        TenantEvent['data']
      >),
      'Anna changed 1 permission of Ben',
      'Read Device',
    ],
    [event('permission.changed', { principalName: 'Ben', presets: ['Device Superuser'], count: 27 }, null), 'Ben got Device Superuser', ''],
    [
      event('user.signed-in', { isNewBrowser: true, isNewNetwork: false, client: 'Firefox on Linux', address: '203.0.113.5' }),
      'Anna signed in',
      'New browser · Firefox on Linux · 203.0.113.5',
    ],
  ])('reads as a sentence with its details: %#', (given, sentence, detail) => {
    expect([sentenceOf(given), detailOf(given)]).toEqual([sentence, detail]);
  });
});
