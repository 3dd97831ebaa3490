import { describe, expect, it } from 'vitest';

import { type Changes, type Content, EMPTY } from './contents.js';
import { assignment, CUSTOMER, entry, SERVER, TENANT } from './examples.js';
import { planOf } from './plan.js';
import { cellKey, type Scope } from '../../../model/permissions/scopes.js';
import { broughtBy, grantsAfter, grantsOf, outvotedBy, protectedSteps, summaryOf } from './standing.js';

const ANYWHERE = ['Device', 'CustomerTenant', 'Tenant', 'Server'];
const ALLOW: Content = { Allow: { isEnabled: true, notes: null }, Deny: null };
const DENY: Content = { Allow: null, Deny: { isEnabled: true, notes: null } };
const changing = (permission: string, scope: Scope, content: Content): Changes =>
  new Map([[cellKey({ permission, scope }), { permission, scope, content }]]);

describe('the summary', () => {
  const catalog = ['a', 'b', 'c', 'd', 'e'].map((name) => entry(name, ANYWHERE));

  it('counts usable permissions, those that a group alone grants, and denied ones', () => {
    const grants = grantsOf([
      assignment('a', TENANT, 'Allow'),
      assignment('a', TENANT, 'Allow', { groupId: 'g' }),
      assignment('b', CUSTOMER, 'Allow', { groupId: 'g' }),
      assignment('c', CUSTOMER, 'Allow'),
      assignment('c', TENANT, 'Deny', { groupId: 'g' }),
      assignment('d', TENANT, 'Allow', { isEnabled: false }),
    ]);
    expect(summaryOf(catalog, grants, false)).toEqual({ usable: 2, total: 5, through: [{ groupId: 'g', count: 1 }], denied: 1 });
  });

  it('counts an Allow beside a narrower Deny', () => {
    const grants = grantsOf([assignment('a', TENANT, 'Allow'), assignment('a', CUSTOMER, 'Deny')]);
    expect(summaryOf(catalog, grants, false)).toMatchObject({ usable: 1, denied: 1 });
  });

  it('counts server-wide Allows of tenant permissions for accounts of the server only', () => {
    const grants = grantsOf([assignment('a', SERVER, 'Allow')]);
    expect([summaryOf(catalog, grants, false).usable, summaryOf(catalog, grants, true).usable]).toEqual([0, 1]);
  });
});

describe('groups', () => {
  it('collects enabled assignments of groups, by cell and with their groups', () => {
    const brought = broughtBy([
      assignment('a', TENANT, 'Allow', { groupId: 'g' }),
      assignment('a', TENANT, 'Deny', { groupId: 'h' }),
      assignment('b', TENANT, 'Allow', { groupId: 'g', isEnabled: false }),
    ]);
    expect([...brought.keys()]).toEqual([cellKey({ permission: 'a', scope: TENANT })]);
    expect(brought.get(cellKey({ permission: 'a', scope: TENANT }))?.map(({ effect, groupId }) => `${effect} ${groupId}`)).toEqual([
      'Allow g',
      'Deny h',
    ]);
  });
});

describe('the grants that a plan leaves without effect', () => {
  const outvoted = (own: Parameters<typeof grantsAfter>[0], groups: Parameters<typeof grantsAfter>[1], changes: Changes): string[] =>
    outvotedBy(planOf(own, changes), grantsAfter(own, groups, changes)).map(
      ({ allow, deny }) => `${allow.permission} ${allow.scope.kind} by ${deny.groupId ?? 'own'} ${deny.scope.kind}`,
    );

  it('finds an Allow under a Deny of a broader scope, own or through a group', () => {
    const group = [assignment('a', TENANT, 'Deny', { groupId: 'g' })];
    expect(outvoted([], group, changing('a', CUSTOMER, ALLOW))).toEqual(['a CustomerTenant by g Tenant']);
    expect(outvoted([assignment('a', TENANT, 'Deny')], [], changing('a', CUSTOMER, ALLOW))).toEqual(['a CustomerTenant by own Tenant']);
  });

  it('finds an Allow that a new Deny covers', () => {
    const own = [assignment('a', CUSTOMER, 'Allow')];
    expect(outvoted(own, [], changing('a', TENANT, DENY))).toEqual(['a CustomerTenant by own Tenant']);
  });

  it('finds neither grants from before, nor an Allow that a Deny replaces', () => {
    const own = [assignment('a', CUSTOMER, 'Allow'), assignment('a', TENANT, 'Deny'), assignment('b', TENANT, 'Allow')];
    expect(outvoted(own, [], changing('b', TENANT, DENY))).toEqual([]);
  });
});

describe('steps that take administrative rights', () => {
  const catalog = [entry('kept', ANYWHERE, { selfRemovable: false }), entry('other', ANYWHERE)];
  const taken = (content: Content, permission = 'kept'): number => {
    const own = [assignment(permission, TENANT, 'Allow')];
    return protectedSteps(planOf(own, changing(permission, TENANT, content)), catalog).length;
  };

  it('finds steps that delete, disable or outvote administrative rights', () => {
    expect([taken(EMPTY), taken({ Allow: { isEnabled: false, notes: null }, Deny: null }), taken({ ...ALLOW, Deny: DENY.Deny })]).toEqual([
      1, 1, 1,
    ]);
  });

  it('finds no steps of other rights, nor notes', () => {
    expect([taken(EMPTY, 'other'), taken({ Allow: { isEnabled: true, notes: 'x' }, Deny: null })]).toEqual([0, 0]);
  });
});
