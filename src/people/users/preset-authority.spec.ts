import { describe, expect, it } from 'vitest';

import { permissionPresets } from '../../access/authorization/permissions/permission-presets.js';
import { missingPresetRight } from './preset-authority.js';

const NONE = { server: false, tenant: false, deny: false };
const OF_TENANT = ['Agent Installer', 'Device Superuser', 'Installer Key Manager', 'Self Service', 'Service Account Manager'];

function missing(rights: typeof NONE): Record<string, string | null> {
  return Object.fromEntries(permissionPresets.map((preset) => [preset.name, missingPresetRight(preset, rights)?.name ?? null]));
}

const all = (names: readonly string[], value: string | null): Record<string, string | null> =>
  Object.fromEntries(names.map((name) => [name, value]));

describe('missingPresetRight', () => {
  it('requires the permission that the assignments of the preset need', () => {
    expect(missing(NONE)).toEqual({
      ...all([...OF_TENANT, 'Tenant Administrator'], 'tenant.permissions.write'),
      'Server Administrator': 'server.permissions.write',
    });
    expect(missing({ ...NONE, deny: true })).toEqual(missing(NONE));
  });

  it('lets tenant administrators without the permission to deny assign every preset but theirs', () => {
    expect(missing({ ...NONE, tenant: true })).toEqual({
      ...all(OF_TENANT, null),
      'Tenant Administrator': 'tenant.permissions.deny',
      'Server Administrator': 'server.permissions.write',
    });
    expect(missing({ ...NONE, tenant: true, deny: true })).toMatchObject({ 'Tenant Administrator': null });
  });

  it('lets callers with server.permissions.write assign every preset', () => {
    expect(missing({ ...NONE, server: true })).toEqual(
      all(
        permissionPresets.map(({ name }) => name),
        null,
      ),
    );
  });
});
