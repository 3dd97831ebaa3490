import { describe, expect, it } from 'vitest';

import type { Act } from '../../api/access/change-log.js';
import { linesOf, onePrincipalOf } from './acts.js';
import type { Entry } from './entry.js';
import { ACTIONS, actionsOn, filterOf, TARGETS } from './kinds.js';

const entry = (id: string, values: Partial<Entry> = {}): Entry => ({
  id,
  actionType: 'user-created',
  actorPrincipalType: 'user',
  actorPrincipalId: 'anna',
  targetType: 'User',
  targetId: 'ben',
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

const act = (requestId: string | null, entries: Entry[], total = entries.length): Act => ({
  id: entries[0].id,
  createdAt: entries[0].createdAt,
  requestId,
  total,
  entries,
});

const given = (id: string, principalId = 'ben', more: object = {}): Entry =>
  entry(id, {
    actionType: 'permission-assignment-created',
    targetType: 'PermissionAssignment',
    afterJson: JSON.stringify({ principalId, permissionName: id, effect: 'Allow', ...more }),
  });

describe('linesOf', () => {
  it('joins the requests of one dialog, in the order in which they were written', () => {
    const invited = act('r', [entry('1'), entry('2', { actionType: 'invite-created', targetType: 'Invite' })]);
    const [line, ...others] = linesOf([act('r', [given('3'), given('4')], 25), invited]);
    expect(others).toEqual([]);
    expect([line.head.id, line.total, line.entries.map(({ id }) => id), line.acts]).toEqual(['2', 27, ['1', '2', '3', '4'], ['3', '1']]);
  });

  it.each<[string, Act, Act]>([
    ['other requests', act('r', [entry('2')]), act('s', [entry('1')])],
    ['another actor', act('r', [entry('2', { actorPrincipalId: 'carl' })]), act('r', [entry('1')])],
    ['acts without a request', act(null, [entry('2')]), act(null, [entry('1')])],
  ])('keeps %s apart', (_what, one, other) => {
    expect(linesOf([one, other]).map(({ id }) => id)).toEqual(['2', '1']);
  });

  it('counts an act once that two pages hold', () => {
    const one = act('r', [entry('1')]);
    expect(linesOf([one, one]).map(({ total }) => total)).toEqual([1]);
  });

  it('takes a deletion for the head of what it took along', () => {
    const taken = { ...given('1'), actionType: 'permission-assignment-deleted' };
    const token = entry('2', { actionType: 'personal-access-token-deleted', targetType: 'PersonalAccessToken' });
    expect(linesOf([act('r', [taken, token, entry('3', { actionType: 'user-deleted' })])])[0].head.id).toBe('3');
  });
});

describe('onePrincipalOf', () => {
  it.each<[string, Entry[], ReturnType<typeof onePrincipalOf>]>([
    ['new permissions of one user', [given('1'), given('2')], { id: 'ben', isGiven: true }],
    ['permissions of several', [given('1'), given('2', 'carl')], undefined],
    ['a denial among them', [given('1'), given('2', 'ben', { effect: 'Deny' })], undefined],
    ['a single permission', [given('1')], undefined],
    ['other entries', [given('1'), entry('2')], undefined],
  ])('of %s', (_what, entries, expected) => {
    expect(onePrincipalOf(linesOf([act('r', entries)])[0])).toEqual(expected);
  });
});

describe('the filters', () => {
  it('have each action under exactly one kind of object', () => {
    const counted = TARGETS.flatMap(actionsOn);
    expect([...counted].sort()).toEqual([...ACTIONS].sort());
  });

  it('ask for the actions of a kind, and for none where kind and action exclude each other', () => {
    expect(filterOf({ target: 'Tag' }).actions).toBe('tag-created,tag-deleted,tag-devices-removed,tag-renamed');
    expect(filterOf({ action: 'tag-created', target: 'Tag' }).actions).toBe('tag-created');
    expect(filterOf({ action: 'tag-created', target: 'User' }).actions).toBe('none');
    expect(filterOf({}).actions).toBeUndefined();
  });
});
