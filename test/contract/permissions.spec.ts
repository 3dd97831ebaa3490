import { readFile } from 'node:fs/promises';

import { beforeAll, describe, expect, it } from 'vitest';

import { permissionPresets, presetScopeOf } from '../../src/access/authorization/permissions/permission-presets.js';
import { permissionCatalog } from '../../src/access/authorization/permissions/permission.js';

/** The permissions and presets of the contract. */
interface Contract {
  readonly permissions: readonly {
    readonly name: string;
    readonly displayName: string;
    readonly category: string;
    readonly allowedScopes: readonly string[];
    readonly selfRemovable: boolean;
  }[];
  readonly presets: readonly {
    readonly name: string;
    readonly grants: readonly { readonly permission: string; readonly scope: string }[];
  }[];
}

/** Our own permissions beside those of the contract, with what they add to its presets. */
const OWN: Contract = {
  permissions: [
    { name: 'tenant.events.read', displayName: 'Read Events', category: 'Tenants', allowedScopes: ['Tenant'], selfRemovable: true },
  ],
  presets: ['Server Administrator', 'Tenant Administrator'].map((name) => ({
    name,
    grants: [{ permission: 'tenant.events.read', scope: 'Tenant' }],
  })),
};

let contract: Contract;

beforeAll(async () => {
  contract = JSON.parse(await readFile(new URL('fixtures/permissions.json', import.meta.url), 'utf8'));
});

const byName = (a: { readonly name: string }, b: { readonly name: string }): number => (a.name < b.name ? -1 : 1);

describe('the permissions', () => {
  it('match the 68 of the contract and our own, with their legal scopes', () => {
    expect(contract.permissions).toHaveLength(68);
    const catalog = permissionCatalog.map(({ name, displayName, category, scopeKinds, selfRemovable }) => ({
      name,
      displayName,
      category,
      allowedScopes: [...scopeKinds].sort(),
      selfRemovable,
    }));
    const wanted = [...contract.permissions, ...OWN.permissions].map((permission) => ({
      ...permission,
      allowedScopes: [...permission.allowedScopes].sort(),
    }));
    expect(catalog.sort(byName)).toEqual(wanted.sort(byName));
  });
});

describe('the pages', () => {
  it('call every permission by its display name', async () => {
    const texts = await readFile(new URL('../../web/src/i18n/en/permissions.json', import.meta.url), 'utf8');
    expect(JSON.parse(texts)).toEqual(Object.fromEntries(permissionCatalog.map(({ name, displayName }) => [name, displayName])));
  });
});

describe('the presets', () => {
  it('match the contract and our own additions, each permission with its scope', () => {
    const presets = permissionPresets.map(({ name, permissions }) => ({
      name,
      grants: permissions.map((permission) => `${permission.name} at ${presetScopeOf(permission)}`).sort(),
    }));
    const wanted = contract.presets.map(({ name, grants }) => ({
      name,
      grants: [...grants, ...OWN.presets.filter((own) => own.name === name).flatMap((own) => own.grants)]
        .map(({ permission, scope }) => `${permission} at ${scope}`)
        .sort(),
    }));
    expect(presets.sort(byName)).toEqual(wanted.sort(byName));
  });
});
