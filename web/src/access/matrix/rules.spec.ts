import { describe, expect, it } from 'vitest';

import type { Assignment } from '../permissions.js';
import {
  type Cell,
  cellKey,
  type CellState,
  type Changes,
  columnsOf,
  type Effect,
  isLegal,
  nextState,
  planOf,
  type Scope,
  storedStates,
  usualScope,
  withCell,
  withPreset,
} from './rules.js';

const TENANT: Scope = { kind: 'Tenant', id: 't' };
const CUSTOMER: Scope = { kind: 'CustomerTenant', id: 'c' };

let last = 0;
function assignment(permissionName: string, scope: Scope, effect: Effect, isEnabled = true): Assignment {
  last += 1;
  return {
    id: `${last}`,
    principalKind: 'User',
    principalId: 'u',
    permissionName,
    effect,
    scopeKind: scope.kind,
    scopeId: scope.id,
    notes: null,
    isEnabled,
    createdAt: '2026-01-01T00:00:00Z',
  };
}

const cell = (permission: string, scope: Scope): Cell => ({ permission, scope });
const changing = (...cells: readonly (Cell & { state: CellState })[]): Changes => new Map(cells.map((each) => [cellKey(each), each]));
const entry = (name: string, allowedScopeKinds: string[]) => ({
  name,
  displayName: name,
  categoryLabel: 'Devices',
  description: name,
  allowedScopeKinds,
  selfRemovable: true,
});

describe('the state of a cell', () => {
  it('is a Deny where both effects are assigned, in either order', () => {
    const allow = assignment('device.read', TENANT, 'Allow');
    const deny = assignment('device.read', TENANT, 'Deny');
    for (const list of [
      [allow, deny],
      [deny, allow],
    ])
      expect(storedStates(list).get(cellKey(cell('device.read', TENANT)))).toBe('Deny');
  });

  it('is none where the assignment is disabled', () => {
    expect(storedStates([assignment('device.read', TENANT, 'Deny', false)]).size).toBe(0);
  });

  it('goes from none to Allow to Deny and back, without Deny for those who may not deny', () => {
    expect([nextState('none', true), nextState('Allow', true), nextState('Deny', true)]).toEqual(['Allow', 'Deny', 'none']);
    expect([nextState('none', false), nextState('Allow', false)]).toEqual(['Allow', 'none']);
  });
});

describe('the columns', () => {
  it('are the scopes with assignments and those added, each once, the broadest first', () => {
    const assignments = [assignment('a', CUSTOMER, 'Allow'), assignment('b', CUSTOMER, 'Deny')];
    expect(columnsOf(assignments, [TENANT, CUSTOMER])).toEqual([TENANT, CUSTOMER]);
  });
});

describe('a legal cell', () => {
  const device = entry('device.read', ['Device', 'Tenant', 'Server']);
  const server = entry('server.tenants.read', ['Server']);

  it('is one at a scope kind that the permission lists', () => {
    expect(isLegal(device, 'Tenant', false)).toBe(true);
    expect(isLegal(device, 'UserGroup', false)).toBe(false);
  });

  it('is one at the server for accounts of the server, and for permissions of the server alone', () => {
    expect(isLegal(device, 'Server', true)).toBe(true);
    expect(isLegal(device, 'Server', false)).toBe(false);
    expect(isLegal(server, 'Server', false)).toBe(true);
  });
});

describe('the usual scope', () => {
  it('is the tenant, or the server for permissions of the server alone', () => {
    expect(usualScope({ allowedScopeKinds: ['Device', 'Tenant', 'Server'] }, 't')).toEqual(TENANT);
    expect(usualScope({ allowedScopeKinds: ['Server'] }, 't')).toEqual({ kind: 'Server', id: null });
  });
});

describe('changes', () => {
  it('lose a cell that is set back to what is stored', () => {
    const stored = storedStates([assignment('device.read', TENANT, 'Allow')]);
    const denied = withCell(new Map(), cell('device.read', TENANT), 'Deny', stored);
    expect(denied.size).toBe(1);
    expect(withCell(denied, cell('device.read', TENANT), 'Allow', stored).size).toBe(0);
  });

  it('take what a preset adds, in the tenant where possible, and keep denials', () => {
    const catalog = [
      entry('device.read', ['Device', 'Tenant', 'Server']),
      entry('device.delete', ['Device', 'Tenant']),
      entry('server.x', ['Server']),
    ];
    const stored = storedStates([assignment('device.delete', TENANT, 'Deny')]);
    const preset = { name: 'P', permissions: ['device.read', 'device.delete', 'server.x'] };
    const changes = withPreset(new Map(), preset, catalog, 't', stored);
    expect([...changes.keys()]).toEqual(['device.read@Tenant:t', 'server.x@Server:']);
  });
});

describe('the plan of a save', () => {
  it('creates what is new and deletes what it replaces', () => {
    const allow = assignment('device.read', TENANT, 'Allow');
    const plan = planOf([allow], changing({ ...cell('device.read', TENANT), state: 'Deny' }));
    expect(plan.creates).toEqual([{ ...cell('device.read', TENANT), effect: 'Deny' }]);
    expect(plan.deletes).toEqual([allow]);
  });

  it('deletes only the Deny where an Allow lies under it', () => {
    const allow = assignment('device.read', TENANT, 'Allow');
    const deny = assignment('device.read', TENANT, 'Deny');
    expect(planOf([allow, deny], changing({ ...cell('device.read', TENANT), state: 'Allow' }))).toEqual({ creates: [], deletes: [deny] });
  });

  it('leaves other cells and disabled assignments alone', () => {
    const other = assignment('device.read', CUSTOMER, 'Allow');
    const disabled = assignment('device.read', TENANT, 'Allow', false);
    const enabled = assignment('device.read', TENANT, 'Allow');
    const plan = planOf([other, disabled, enabled], changing({ ...cell('device.read', TENANT), state: 'none' }));
    expect(plan).toEqual({ creates: [], deletes: [enabled] });
  });

  it('has only the deletions left once the creations are stored', () => {
    const allow = assignment('device.read', TENANT, 'Allow');
    const changes = changing({ ...cell('device.read', TENANT), state: 'Deny' });
    const created = assignment('device.read', TENANT, 'Deny');
    expect(planOf([allow, created], changes)).toEqual({ creates: [], deletes: [allow] });
  });
});
