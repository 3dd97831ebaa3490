import { describe, expect, it } from 'vitest';

import { byDay } from '../../model/days.js';
import type { Entry } from './entry.js';
import { ACTIONS } from './kinds.js';
import { sentenceOf, targetOf } from './sentence.js';

const NAMES: Readonly<Record<string, string>> = { 'user-1': 'Dana', 'group-1': 'Helpdesk', 'customer-1': 'Acme Dental' };
const nameOf = (id: string): string | undefined => NAMES[id];

const entry = (values: Partial<Entry>): Entry => ({
  id: 'entry-1',
  actionType: 'customer-created',
  actorPrincipalType: 'user',
  actorPrincipalId: 'user-1',
  targetType: 'Customer',
  targetId: '019a5b3c-0000-7000-8000-000000000001',
  owningTenantId: null,
  ipAddress: null,
  userCorrelationId: null,
  sessionCorrelationId: null,
  createdAt: '2026-03-01T10:00:00Z',
  beforeJson: null,
  afterJson: null,
  subjects: [],
  ...values,
});

describe('sentenceOf', () => {
  it('names actor, permission, holder and scope of an assignment', () => {
    const afterJson = JSON.stringify({
      principalKind: 'UserGroup',
      principalId: 'group-1',
      permissionName: 'device.terminal.use',
      effect: 'Allow',
      scopeKind: 'CustomerTenant',
      scopeId: 'customer-1',
    });
    const allowed = entry({ actionType: 'permission-assignment-created', targetType: 'PermissionAssignment', afterJson });
    expect(sentenceOf(allowed, nameOf)).toBe('Dana gave Helpdesk the permission “Use Remote Terminal” at customer Acme Dental');
    expect(targetOf(allowed, nameOf)).toBe('Use Remote Terminal');
    const denied = { ...allowed, afterJson: afterJson.replace('Allow', 'Deny') };
    expect(sentenceOf(denied, nameOf)).toBe('Dana denied Helpdesk the permission “Use Remote Terminal” at customer Acme Dental');
  });

  it('names every kind of scope', () => {
    const at = (scopeKind: string, scopeId: string | null): string => {
      const afterJson = JSON.stringify({ permissionName: 'device.read', principalId: 'user-1', effect: 'Allow', scopeKind, scopeId });
      return sentenceOf(entry({ actionType: 'permission-assignment-created', afterJson }), nameOf);
    };
    const allowed = 'Dana gave Dana the permission “Read Device”';
    expect(at('Server', null)).toBe(`${allowed} on the server`);
    expect(at('Tenant', 'tenant-1')).toBe(`${allowed} on the whole tenant`);
    expect(at('CustomerTenant', 'customer-1')).toBe(`${allowed} at customer Acme Dental`);
    expect(at('DeviceGroup', 'group-1')).toBe(`${allowed} at device group Helpdesk`);
    expect(at('Device', '019a5b3c-0000')).toBe(`${allowed} on device 019a5b3c`);
    expect(at('UserGroup', 'group-1')).toBe(`${allowed} on user group Helpdesk`);
  });

  it('names objects as they were called then, also deleted ones', () => {
    const deleted = entry({ actionType: 'customer-deleted', beforeJson: '{"name":"Old Acme"}' });
    expect(sentenceOf(deleted, nameOf)).toBe('Dana deleted customer Old Acme');
    const renamed = entry({ actionType: 'tag-renamed', beforeJson: '{"name":"a"}', afterJson: '{"name":"b"}' });
    expect(sentenceOf(renamed, nameOf)).toBe('Dana renamed a tag to b');
  });

  it('does not take the name of a tag for that of its device', () => {
    const tagged = entry({ actionType: 'device-tag-added', targetType: 'Device', afterJson: '{"tagId":"1","name":"server"}' });
    expect(sentenceOf(tagged, nameOf)).toBe('Dana tagged device 019a5b3c with server');
  });

  it('writes counts into the sentence', () => {
    const added = entry({ actionType: 'user-group-members-added', targetId: 'group-1', afterJson: '{"name":"Helpdesk","count":1}' });
    expect(sentenceOf(added, nameOf)).toBe('Dana added 1 user to user group Helpdesk');
    const named = { ...added, afterJson: '{"name":"Helpdesk","count":1,"userIds":["user-1"]}' };
    expect(sentenceOf(named, nameOf)).toBe('Dana added Dana to user group Helpdesk');
    expect(sentenceOf({ ...added, afterJson: '{"name":"Helpdesk","count":3}' }, nameOf)).toBe('Dana added 3 users to user group Helpdesk');
  });

  it('says that a tenant had no name', () => {
    expect(sentenceOf(entry({ actionType: 'tenant-created', targetType: 'Tenant' }), nameOf)).toBe('Dana created tenant (unnamed)');
  });

  it('names the service, and actors without a name', () => {
    const alert = entry({ actionType: 'server-alert-updated', actorPrincipalType: 'system', actorPrincipalId: null });
    expect(sentenceOf(alert, nameOf)).toBe('The server changed the server alert');
    const unnamed = { ...alert, actorPrincipalType: 'service-account', actorPrincipalId: '12345678-aaaa' };
    expect(sentenceOf(unnamed, nameOf)).toBe('Service account 12345678 changed the server alert');
  });

  it('shows unknown actions, and states that are no JSON', () => {
    const unknown = entry({ actionType: 'moon-landed', afterJson: '{"name":' });
    expect(sentenceOf(unknown, nameOf)).toBe('Dana: moon-landed 019a5b3c');
  });

  it('has a whole sentence for every action', () => {
    for (const actionType of ACTIONS) expect(sentenceOf(entry({ actionType }), nameOf)).not.toMatch(/\{\{|sentence-/);
  });
});

describe('byDay', () => {
  it('splits entries by days of the browser, and shows an entry of two pages once', () => {
    const at = (id: string, day: number): Entry => entry({ id, createdAt: new Date(2026, 2, day, 12).toISOString() });
    const days = byDay([at('c', 2), at('b', 2), at('b', 2), at('a', 1)]);
    expect(days.map(({ entries }) => entries.map(({ id }) => id))).toEqual([['c', 'b'], ['a']]);
  });
});
