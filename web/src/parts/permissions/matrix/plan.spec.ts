import { describe, expect, it } from 'vitest';

import { type Changes, type Content, EMPTY } from './contents.js';
import { assignment, CUSTOMER, TENANT } from './examples.js';
import { callsOf, planOf, type Step } from './plan.js';
import { cellKey, type Scope } from '../../../model/permissions/scopes.js';

const on = (notes: string | null = null) => ({ isEnabled: true, notes });
const off = { isEnabled: false, notes: null };
const allow: Content = { Allow: on(), Deny: null };
const deny: Content = { Allow: null, Deny: on() };

const changing = (...cells: readonly [permission: string, scope: Scope, content: Content][]): Changes =>
  new Map(cells.map(([permission, scope, content]) => [cellKey({ permission, scope }), { permission, scope, content }]));
const shortly = (plan: readonly Step[]): string[] =>
  plan.map(({ act, effect, permission, scope }) => `${act} ${effect} ${permission} ${scope.kind}`);

describe('the plan of a save', () => {
  it('creates new assignments and then deletes those that they replace', () => {
    const stored = assignment('a', TENANT, 'Allow');
    const plan = planOf([stored], changing(['a', TENANT, deny]));
    expect(shortly(plan)).toEqual(['create Deny a Tenant', 'delete Allow a Tenant']);
    expect(plan[1].assignmentId).toBe(stored.id);
  });

  it('deletes only the Deny if an Allow lies under it', () => {
    const stored = [assignment('a', TENANT, 'Allow'), assignment('a', TENANT, 'Deny')];
    expect(shortly(planOf(stored, changing(['a', TENANT, allow])))).toEqual(['delete Deny a Tenant']);
  });

  it('enables, disables and notes stored assignments instead of replacing them', () => {
    const stored = [
      assignment('a', TENANT, 'Allow', { isEnabled: false }),
      assignment('b', TENANT, 'Allow'),
      assignment('c', TENANT, 'Allow'),
    ];
    const changes = changing(
      ['a', TENANT, allow],
      ['b', TENANT, { Allow: off, Deny: null }],
      ['c', TENANT, { Allow: on('x'), Deny: null }],
    );
    expect(shortly(planOf(stored, changes))).toEqual(['enable Allow a Tenant', 'disable Allow b Tenant', 'note Allow c Tenant']);
  });

  it('leaves other cells alone', () => {
    const stored = [assignment('a', CUSTOMER, 'Allow'), assignment('a', TENANT, 'Allow')];
    expect(shortly(planOf(stored, changing(['a', TENANT, EMPTY])))).toEqual(['delete Allow a Tenant']);
  });

  it('has only the deletions left once the creations are stored', () => {
    const stored = [assignment('a', TENANT, 'Allow'), assignment('a', TENANT, 'Deny')];
    expect(shortly(planOf(stored, changing(['a', TENANT, deny])))).toEqual(['delete Allow a Tenant']);
  });

  it('never allows in between what neither the old nor the new assignments allow', () => {
    const before = [
      assignment('a', TENANT, 'Allow'),
      assignment('b', TENANT, 'Deny'),
      assignment('c', TENANT, 'Deny', { isEnabled: false }),
      assignment('d', TENANT, 'Allow'),
      assignment('d', TENANT, 'Deny'),
      assignment('e', TENANT, 'Allow'),
      assignment('e', TENANT, 'Deny'),
    ];
    const both: Content = { Allow: on(), Deny: on() };
    const changes = changing(
      ['a', TENANT, deny],
      ['b', TENANT, allow],
      ['c', TENANT, both],
      ['d', TENANT, EMPTY],
      ['e', TENANT, { Allow: off, Deny: off }],
      ['f', TENANT, both],
    );
    const plan = planOf(before, changes);
    const granted = new Set(before.flatMap(({ isEnabled, effect, permissionName }) => (isEnabled ? [`${effect} ${permissionName}`] : [])));
    const allowed = (): string[] =>
      ['a', 'b', 'c', 'd', 'e', 'f'].filter((name) => granted.has(`Allow ${name}`) && !granted.has(`Deny ${name}`));
    const [old, seen] = [allowed(), [] as string[]];
    for (const { effect, permission, slot } of plan) {
      if (slot?.isEnabled === true) granted.add(`${effect} ${permission}`);
      else granted.delete(`${effect} ${permission}`);
      seen.push(...allowed());
    }
    expect(old).toEqual(['a']);
    expect(allowed()).toEqual(['b']);
    expect(seen.filter((name) => name !== 'a' && name !== 'b')).toEqual([]);
  });
});

describe('the calls of a save', () => {
  const step = (act: Step['act'], permission: string): Step => ({
    act,
    permission,
    effect: 'Allow',
    scope: TENANT,
    slot: null,
    wasEnabled: false,
    assignmentId: null,
  });

  it('creates and deletes many assignments in one call, and changes them one by one', () => {
    const plan = [
      step('create', 'a'),
      step('create', 'b'),
      step('enable', 'c'),
      step('enable', 'd'),
      step('delete', 'e'),
      step('delete', 'f'),
    ];
    expect(callsOf(plan).map(({ act, steps }) => [act, steps.length])).toEqual([
      ['create', 2],
      ['enable', 1],
      ['enable', 1],
      ['delete', 2],
    ]);
  });

  it('puts no more assignments into a call than the service takes', () => {
    const plan = Array.from({ length: 1001 }, (_, index) => step('create', `${index}`));
    expect(callsOf(plan).map(({ steps }) => steps.length)).toEqual([1000, 1]);
  });
});
