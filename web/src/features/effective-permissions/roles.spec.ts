import { describe, expect, it } from 'vitest';

import { assignment, CUSTOMER, entry, SERVER, TENANT } from '../../parts/permissions/matrix/examples.js';
import type { Assignment } from '../../api/access/permission-assignments.js';
import type { Verdict } from '../../api/access/effective-permissions.js';
import { type Asked, byRole, type Role, roleOf } from './roles.js';

const TERMINAL = entry('device.terminal.use', ['Device', 'DeviceGroup', 'CustomerTenant', 'Tenant', 'Server']);
const DEVICE: Asked = { scope: { kind: 'Device', id: 'd' }, customerId: 'c' };
const GROUP = { kind: 'DeviceGroup', id: 'g' } as const;

const verdictBy = (deciding: Assignment | null): Verdict => ({
  isAllowed: deciding?.effect === 'Allow',
  denyReason: null,
  decidingAssignment:
    deciding === null
      ? null
      : {
          assignmentId: deciding.id,
          effect: deciding.effect,
          scopeKind: deciding.scopeKind,
          scopeId: deciding.scopeId,
          throughUserGroupId: null,
        },
});
const role = (each: Assignment, deciding: Assignment | null, asked = DEVICE): Role => roleOf(each, TERMINAL, asked, verdictBy(deciding));

describe('the role of an assignment', () => {
  const allow = assignment(TERMINAL.name, TENANT, 'Allow');
  const deny = assignment(TERMINAL.name, CUSTOMER, 'Deny');

  it('tells assignments that decide, are outvoted, or count nowhere', () => {
    expect(role(allow, allow)).toBe('decides');
    expect(role(allow, deny)).toBe('outvoted');
    expect(role(assignment(TERMINAL.name, TENANT, 'Allow', { isEnabled: false }), deny)).toBe('disabled');
    expect(role(assignment(TERMINAL.name, SERVER, 'Allow'), null)).toBe('never-counts');
  });

  it('lets an assignment agree if another one of the same effect decides', () => {
    expect(role(assignment(TERMINAL.name, CUSTOMER, 'Allow'), allow)).toBe('agrees');
    expect(role(assignment(TERMINAL.name, TENANT, 'Deny'), deny)).toBe('agrees');
  });

  it('gives an assignment at another scope no role', () => {
    const elsewhere = { kind: 'CustomerTenant', id: 'x' } as const;
    expect(role(assignment(TERMINAL.name, elsewhere, 'Allow'), null)).toBe('other-scope');
    expect(role(assignment(TERMINAL.name, elsewhere, 'Deny'), allow)).toBe('other-scope');
    expect(role(deny, allow, { scope: TENANT })).toBe('other-scope');
  });

  it('derives the role from the verdict if the groups of a device are not known', () => {
    expect(role(assignment(TERMINAL.name, GROUP, 'Allow'), allow)).toBe('perhaps');
    expect(role(assignment(TERMINAL.name, GROUP, 'Allow'), deny)).toBe('outvoted');
    expect(role(assignment(TERMINAL.name, GROUP, 'Allow'), null)).toBe('other-scope');
    expect(role(assignment(TERMINAL.name, GROUP, 'Deny'), allow)).toBe('other-scope');
  });
});

describe('the list of assignments', () => {
  it('lists the deciding assignment first', () => {
    const rows = (['disabled', 'other-scope', 'decides', 'outvoted'] as const).map((each) => ({ role: each }));
    expect(byRole(rows).map((row) => row.role)).toEqual(['decides', 'outvoted', 'other-scope', 'disabled']);
  });
});
