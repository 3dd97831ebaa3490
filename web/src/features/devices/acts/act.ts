import type { PermissionName } from '../../../model/permissions/names.js';

/*
 * Actions on devices, one or many at once.
 */

/** A device that something is done with. */
export interface Target {
  readonly id: string;
  /** Display name. */
  readonly name: string;
  readonly macAddresses: readonly string[];
  readonly isOnline: boolean;
}

/** Messages to the device itself. */
export type ToldKind = 'refresh' | 'wake' | 'restart' | 'shutdown' | 'update' | 'uninstall';
/** Acts that put devices somewhere: which of them has to be chosen. */
export type PlacingKind = 'tag' | 'customer' | 'group';
export type Kind = ToldKind | PlacingKind | 'delete';

/** An act as it is carried out: with the tag, customer or group that was chosen. */
export type Act =
  { readonly kind: ToldKind } | { readonly kind: 'delete' } | { readonly kind: PlacingKind; readonly id: string; readonly name: string };

/** The permission on a device that an act asks for. The service checks again: this decides only what a page offers. */
export const PERMISSIONS: Readonly<Record<Exclude<Kind, 'customer' | 'group'>, PermissionName>> = {
  refresh: 'device.read',
  wake: 'device.wake.send',
  restart: 'device.power.manage',
  shutdown: 'device.power.manage',
  update: 'device.agent.update',
  uninstall: 'device.delete',
  delete: 'device.delete',
  tag: 'device.tags.write',
};

/** Question that an act asks before it begins. */
export type Question =
  /** Nothing: the act does no harm, or can be undone. */
  | 'none'
  /** Choice of a tag, customer or group. */
  | 'choice'
  /** Confirmation. */
  | 'confirm'
  /** The name of the device, or the number of devices: it has to be typed. */
  | 'typed';

/** Acts that reach the device itself: its agent has to be connected. */
export const NEEDS_CONNECTION: ReadonlySet<Kind> = new Set(['refresh', 'restart', 'shutdown', 'update', 'uninstall']);

/** Acts that only an online device can carry out, and that are asked about: offline devices are left out unless the user includes them. */
const NEED_ONLINE: ReadonlySet<Kind> = new Set(['restart', 'shutdown', 'uninstall']);

/** The devices that a confirmed act is for. `withOffline` is the user's wish to try offline ones, too. */
export function actedOn(kind: Kind, targets: readonly Target[], withOffline: boolean): readonly Target[] {
  if (withOffline || !NEED_ONLINE.has(kind)) return targets;
  const online = targets.filter(({ isOnline }) => isOnline);
  // There is nothing to leave out where none is online.
  return online.length === 0 ? targets : online;
}

/** Above so many devices, an act that interrupts people asks for their number. */
export const MANY = 25;

export function questionOf(kind: Kind, count: number): Question {
  switch (kind) {
    case 'refresh':
    case 'wake':
    case 'update':
      return 'none';
    case 'tag':
    case 'customer':
    case 'group':
      return 'choice';
    case 'restart':
    case 'shutdown':
      return count > MANY ? 'typed' : 'confirm';
    case 'uninstall':
    case 'delete':
      return 'typed';
  }
}
