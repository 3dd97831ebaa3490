import { describe, expect, it } from 'vitest';

import { eventsOfChanges } from './events-of-changes.js';

const TENANT = '01890000-0000-7000-8000-000000000001';
const TARGET = '01890000-0000-7000-8000-000000000002';
const ANNA = { kind: 'User', id: '01890000-0000-7000-8000-000000000003', name: 'Anna' } as const;

const registered = (before: object | undefined, after: object) =>
  eventsOfChanges([{ action: 'device-registered', targetId: TARGET, tenantId: TENANT, before, after }], null);
const assigned = (action: string, principalId: string, permissionName = 'device.read') => {
  const state = {
    principalKind: 'User',
    principalId,
    permissionName,
    effect: 'Allow',
    scopeKind: 'Tenant',
    scopeId: TENANT,
    isEnabled: true,
  };
  return { action, targetId: TARGET, tenantId: TENANT, ...(action.endsWith('deleted') ? { before: state } : { after: state }) };
};

describe('the events of changes', () => {
  it.each<[string, object | undefined, object, string[]]>([
    ['a new device', undefined, { isNew: true, publicKey: 'A' }, ['device.registered']],
    ['one with an installer key', undefined, { isNew: true, installerKeyId: TARGET }, ['device.registered', 'installer-key.used']],
    ['one that registers itself', undefined, { selfBootstrapped: true }, ['device.registered']],
    ['the same key again', { publicKey: 'A' }, { isNew: false, publicKey: 'A' }, ['device.registered']],
    ['another key', { publicKey: 'A' }, { isNew: false, publicKey: 'B' }, ['device.registered', 'device.key-changed']],
    ['a first key', { publicKey: null }, { isNew: false, publicKey: 'B' }, ['device.registered']],
    [
      'a key that waits',
      { publicKey: null },
      { isNew: false, publicKey: 'B', awaitsApproval: true },
      ['device.registered', 'device.key-changed'],
    ],
  ])('tell of %s', (_what, before, after, kinds) => {
    expect(registered(before, after).map(({ kind }) => kind)).toEqual(kinds);
  });

  it('say what has become of a key', () => {
    const decided = (action: string) =>
      eventsOfChanges([{ action, targetId: TARGET, tenantId: TENANT, before: { publicKey: 'A' }, after: { publicKey: 'B' } }], ANNA);
    const data = { fingerprint: 'B', formerFingerprint: 'A' };
    expect(decided('device-key-approved')).toMatchObject([
      { kind: 'device.key-changed', actor: ANNA, data: { ...data, state: 'approved' } },
    ]);
    expect(decided('device-key-refused')).toMatchObject([{ kind: 'device.key-changed', actor: ANNA, data: { ...data, state: 'refused' } }]);
  });

  it('are one for each principal whose assignments change', () => {
    const changes = [
      assigned('permission-assignment-created', 'anna'),
      assigned('permission-assignment-deleted', 'ben'),
      assigned('permission-assignment-updated', 'anna', 'device.delete'),
    ];
    expect(eventsOfChanges(changes, ANNA).map(({ data }) => data)).toMatchObject([
      { principalId: 'anna', count: 2, changes: [{ action: 'created' }, { action: 'updated', permission: 'device.delete' }] },
      { principalId: 'ben', count: 1, changes: [{ action: 'deleted' }] },
    ]);
  });

  it('list 20 assignments at most, and count all', () => {
    const changes = Array.from({ length: 50 }, () => assigned('permission-assignment-created', 'anna'));
    const listed = Array.from({ length: 20 }, () => expect.objectContaining({ action: 'created' }) as unknown);
    expect(eventsOfChanges(changes, null).map(({ data }) => data)).toEqual([expect.objectContaining({ changes: listed, count: 50 })]);
  });

  it('tell of the presets of a new principal', () => {
    const after = { principalKind: 'User', count: 3, presets: ['Device Superuser'] };
    const change = { action: 'permission-assignments-seeded', targetId: TARGET, tenantId: TENANT, after };
    expect(eventsOfChanges([change], null)).toMatchObject([
      { kind: 'permission.changed', data: { principalId: TARGET, presets: ['Device Superuser'], count: 3 } },
    ]);
  });

  it('are none for other changes, and for those of the server', () => {
    expect(eventsOfChanges([{ action: 'tag-created', targetId: TARGET, tenantId: TENANT, after: {} }], ANNA)).toEqual([]);
    expect(eventsOfChanges([{ ...assigned('permission-assignment-created', 'anna'), tenantId: null }], ANNA)).toEqual([]);
  });
});
