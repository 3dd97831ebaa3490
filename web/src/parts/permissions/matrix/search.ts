import type { Assignment, CatalogEntry } from '../../../api/access/permission-assignments.js';
import { t } from '../texts.js';
import type { Changes } from './contents.js';
import { grouped } from './grouped.js';

/** Permissions that people look for by other words than those of the catalogue. */
const OTHER_WORDS = [
  'agent.install',
  'device.alias.write',
  'device.ctrl-alt-del.send',
  'device.delete',
  'device.file-system.read',
  'device.file-system.transfer-download',
  'device.file-system.transfer-upload',
  'device.power.manage',
  'device.remote-control.connect',
  'device.terminal.use',
  'device.vnc-relay.connect',
  'device.wake.send',
  'tenant.permissions.write',
  'tenant.users.write',
] as const;

/** Other words for a permission, such as "reboot". */
export function otherWords(permission: string): string {
  const known = OTHER_WORDS.find((name) => name === permission);
  return known === undefined ? '' : t(`words-${known}`);
}

/** A heading with its permissions. */
export type Category = readonly [label: string, entries: readonly CatalogEntry[]];

/** The catalogue by category, in its own order, narrowed to permissions that have every word of a text. */
export function categoriesOf(catalog: readonly CatalogEntry[], text: string, wordsOf: (permission: string) => string): readonly Category[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = catalog.filter(({ name, displayName, description }) => {
    const words = [name, displayName, description, wordsOf(name)].join(' ').toLowerCase();
    return wanted.every((word) => words.includes(word));
  });
  return [...grouped(found, ({ categoryLabel }) => categoryLabel)];
}

/** The permissions that an assignment names, or a change that is not saved yet. */
export function namedIn(catalog: readonly CatalogEntry[], assignments: readonly Assignment[], changes: Changes): readonly CatalogEntry[] {
  const names = new Set([
    ...assignments.map(({ permissionName }) => permissionName),
    ...[...changes.values()].map(({ permission }) => permission),
  ]);
  return catalog.filter(({ name }) => names.has(name));
}
