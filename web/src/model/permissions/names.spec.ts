import { readFileSync } from 'node:fs';

import { DevicePermission } from '#libs/contracts';
import { expect, it } from 'vitest';

import { WIDENING_PERMISSIONS } from './names.js';

const read = (path: string): unknown => JSON.parse(readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8'));

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly 'x-permission'?: { readonly name: string } }>>>>;
}

/** The permissions that the operations of a description ask for. */
const askedIn = (name: string): string[] =>
  Object.values((read(`openapi/${name}.json`) as Description).paths)
    .flatMap((operations) => Object.values(operations))
    .flatMap((operation) => operation['x-permission']?.name ?? []);

it('the names of permissions are those of the service', () => {
  const { permissions } = read('test/contract/fixtures/permissions.json') as { readonly permissions: readonly { readonly name: string }[] };
  const names = new Set([...askedIn('v1'), ...askedIn('account'), ...Object.values(DevicePermission), ...WIDENING_PERMISSIONS]);
  expect([...names].sort()).toEqual(permissions.map(({ name }) => name).sort());
});
