import { describe, expect, it } from 'vitest';

import {
  type Changes,
  contentsOf,
  effectOf,
  EMPTY,
  nextState,
  stateOf,
  withAllow,
  withCells,
  withEnabled,
  withNotes,
  withState,
} from './contents.js';
import { assignment, CUSTOMER, entry, SERVER, TENANT } from './examples.js';
import { cellKey } from '../../../model/permissions/scopes.js';

const READ = { permission: 'device.read', scope: TENANT };
const ALLOWED = { Allow: { isEnabled: true, notes: null }, Deny: null };
const DENIED = { Allow: null, Deny: { isEnabled: true, notes: null } };
const NONE: Changes = new Map();

describe('a cell', () => {
  it('holds the stored assignments of a cell, an Allow and a Deny at most', () => {
    const stored = contentsOf([
      assignment('device.read', TENANT, 'Allow', { isEnabled: false, notes: 'later' }),
      assignment('device.read', TENANT, 'Deny'),
      assignment('device.read', CUSTOMER, 'Allow'),
    ]);
    expect(stored.get(cellKey(READ))).toEqual({ Allow: { isEnabled: false, notes: 'later' }, Deny: { isEnabled: true, notes: null } });
    expect(stored.size).toBe(2);
  });

  it('shows enabled assignments of a cell, and a Deny beats an Allow', () => {
    expect([EMPTY, ALLOWED, DENIED, { ...ALLOWED, Deny: DENIED.Deny }, withEnabled(ALLOWED, false)].map(stateOf)).toEqual([
      'none',
      'Allow',
      'Deny',
      'Deny',
      'none',
    ]);
  });

  it('turns a cell from empty to Allow to Deny to empty, without Deny where it may not be given', () => {
    expect([nextState('none', true), nextState('Allow', true), nextState('Deny', true)]).toEqual(['Allow', 'Deny', 'none']);
    expect([nextState('none', false), nextState('Allow', false)]).toEqual(['Allow', 'none']);
  });

  it('sets a cell to one effect only, and keeps the stored note', () => {
    const stored = { Allow: { isEnabled: false, notes: 'on call' }, Deny: null };
    const denied = withState(stored, 'Deny', stored);
    expect(denied).toEqual(DENIED);
    expect(withState(denied, 'Allow', stored)).toEqual({ Allow: { isEnabled: true, notes: 'on call' }, Deny: null });
    expect(withState(denied, 'none', stored)).toEqual(EMPTY);
  });

  it('takes notes for assignments of a cell, and blank ones are none', () => {
    expect(withNotes(ALLOWED, { Allow: ' on call ', Deny: 'x' })).toEqual({ Allow: { isEnabled: true, notes: 'on call' }, Deny: null });
    expect(withNotes({ Allow: { isEnabled: true, notes: 'x' }, Deny: null }, { Allow: '  ' })).toEqual(ALLOWED);
  });
});

describe('changes', () => {
  it('drops the change of a cell that is set back to the stored content', () => {
    const stored = contentsOf([assignment('device.read', TENANT, 'Allow')]);
    const denied = withCells(NONE, [READ], (content) => withState(content, 'Deny'), stored);
    expect(denied.size).toBe(1);
    expect(withCells(denied, [READ], (content) => withState(content, 'Allow'), stored).size).toBe(0);
  });
});

describe('a preset', () => {
  const catalog = [
    entry('device.read', ['Device', 'Tenant', 'Server']),
    entry('device.delete', ['Device', 'Tenant']),
    entry('device.wake', ['Device', 'Tenant']),
    entry('server.x', ['Server']),
  ];
  const preset = { name: 'P', permissions: ['device.read', 'device.delete', 'device.wake', 'server.x'] };

  it('adds missing permissions of a preset, in the tenant if possible, enables disabled ones, and skips the rest', () => {
    const stored = contentsOf([
      assignment('device.delete', TENANT, 'Allow'),
      assignment('device.wake', TENANT, 'Allow', { isEnabled: false }),
    ]);
    const { added, enabled, present } = effectOf(preset, catalog, TENANT, stored, NONE);
    expect(added).toEqual([READ, { permission: 'server.x', scope: SERVER }]);
    expect(enabled).toEqual([{ permission: 'device.wake', scope: TENANT }]);
    expect(present).toEqual([{ permission: 'device.delete', scope: TENANT }]);
  });

  it('adds at a narrower scope what can be assigned there, and names the rest', () => {
    const device = { kind: 'Device', id: 'd' } as const;
    const { added, impossible } = effectOf(preset, catalog, device, contentsOf([assignment('device.read', TENANT, 'Allow')]), NONE);
    expect(added).toEqual(['device.read', 'device.delete', 'device.wake'].map((permission) => ({ permission, scope: device })));
    expect(impossible).toEqual(['server.x']);
  });

  it('leaves a Deny where it is when a preset is applied', () => {
    expect(withAllow(DENIED, DENIED)).toEqual({ ...ALLOWED, Deny: DENIED.Deny });
  });
});
