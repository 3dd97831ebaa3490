import { describe, expect, it } from '@jest/globals';

import { permissionPresets } from '../authorization/permission-presets.js';
import { missingPresetRight } from './preset-authority.js';

const NONE = { server: false, tenant: false, deny: false };
const OF_TENANT = ['Agent Installer', 'Device Superuser', 'Installer Key Manager', 'Self Service', 'Service Account Manager'];

function missing(rights: typeof NONE): Record<string, string | null> {
  return Object.fromEntries(permissionPresets.map((preset) => [preset.name, missingPresetRight(preset, rights)?.name ?? null]));
}

const all = (names: readonly string[], value: string | null): Record<string, string | null> =>
  Object.fromEntries(names.map((name) => [name, value]));

describe('missingPresetRight', () => {
  it('asks for the right that the rows of the preset need', () => {
    expect(missing(NONE)).toEqual({
      ...all([...OF_TENANT, 'Tenant Administrator'], 'tenant.permissions.write'),
      'Server Administrator': 'server.permissions.write',
    });
    expect(missing({ ...NONE, deny: true })).toEqual(missing(NONE));
  });

  it('lets tenant administrators without the right to deny make everybody but tenant administrators', () => {
    expect(missing({ ...NONE, tenant: true })).toEqual({
      ...all(OF_TENANT, null),
      'Tenant Administrator': 'tenant.permissions.deny',
      'Server Administrator': 'server.permissions.write',
    });
    expect(missing({ ...NONE, tenant: true, deny: true })).toMatchObject({ 'Tenant Administrator': null });
  });

  it('lets whoever writes permissions of the server hand out all', () => {
    expect(missing({ ...NONE, server: true })).toEqual(
      all(
        permissionPresets.map(({ name }) => name),
        null,
      ),
    );
  });
});
