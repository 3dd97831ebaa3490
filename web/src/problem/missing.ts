import { type Problem, ProblemError } from './problem.js';
import type { PermissionName } from '../model/permissions/names.js';

/** A refusal that a page knows of without asking: a permission that the user lacks on a device. */
export const missingOnDevice = (permission: PermissionName, deviceId: string): ProblemError =>
  new ProblemError(403, {}, permission, null, `Device:${deviceId}`);

/** Names of permissions have parts with dots between them, as nothing else in the sentences of the service. */
const PERMISSION = /\b[a-z][a-z-]*(?:\.[a-z][a-z-]*)+\b/;

/**
 * The permission that a refused caller lacks. A refusal names it; where it says nothing, it is the one that the operation asks for. Refusals
 * for other reasons name none.
 */
export const missingIn = ({ detail }: Problem, ofOperation: string | null): string | null =>
  detail === undefined ? ofOperation : (PERMISSION.exec(detail)?.[0] ?? null);

/** A sentence of the service with the names that people see in place of the names for programs. */
export const withPermissionNames = (sentence: string, nameOf: (permission: string) => string): string =>
  sentence.replaceAll(new RegExp(PERMISSION, 'g'), nameOf);

/** A permission that a caller lacks, with its place: null for the whole tenant or the server. */
export interface Missing {
  readonly permission: string;
  readonly place: string | null;
}

/** Scope at which a permission is missing: the object that the request names. */
export function placeOf(permission: string, named: Readonly<Record<string, unknown>>): string | null {
  const place = (kind: string, id: unknown): string | null => (typeof id === 'string' ? `${kind}:${id}` : null);
  if (permission.startsWith('device.')) return place('Device', named.deviceId);
  if (permission.startsWith('device-group.')) return place('DeviceGroup', named.deviceGroupId);
  if (permission.startsWith('user-group.')) return place('UserGroup', named.userGroupId);
  return null;
}
