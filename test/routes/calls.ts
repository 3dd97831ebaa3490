import { Permission } from '../../src/access/authorization/permissions/permission.js';
import { newGuid } from '../../src/platform/common/identifiers/guid.js';
import type { MakeCall, ValidCall } from './resource.js';
import type { Scene } from './scene.js';

/* Calls that several resources have in common. */

interface WithId {
  readonly id: string;
}

/** Devices are offline, so a caller with access gets this answer. */
const OFFLINE = { status: 409, detail: 'The device is offline.' };

/** A call that needs no existing objects. */
export const answering =
  (status: number, call: Partial<ValidCall> = {}): MakeCall =>
  () => ({ status, ...call });

/** Calls about an object that is created for each call, with its id in the path. */
export const about =
  (segment: string, make: (scene: Scene) => Promise<WithId>) =>
  (status: number, body?: () => object): MakeCall =>
  async (scene) => ({ status, path: { [segment]: (await make(scene)).id }, ...(body === undefined ? {} : { body: body() }) });

/** A call about a device that the path names. */
export const onDevice =
  (call: Partial<ValidCall> = {}): MakeCall =>
  async (scene) => ({
    ...(call.status === undefined ? OFFLINE : { status: call.status }),
    ...call,
    path: { ...call.path, deviceId: (await scene.device()).id },
  });

/** A call about a device that the body names. */
export const onDeviceInBody =
  (body: object, status?: number): MakeCall =>
  async (scene) => ({
    ...(status === undefined ? OFFLINE : { status }),
    body: { ...body, deviceId: (await scene.device()).id },
  });

/** A call that lists devices; `reached` reads their ids from the body. */
export const listing =
  (reached: (body: unknown) => readonly string[]): MakeCall =>
  async (scene) => ({ status: 200, deviceId: (await scene.device()).id, reached: ({ body }) => reached(body) });

/** The ids of a list. */
export const idsOf = (items: unknown): string[] => (items as readonly WithId[]).map(({ id }) => id);

/** A new name in the form of a body. */
export const newName = (): { readonly name: string } => ({ name: `Name ${newGuid()}` });

/** Calls about service accounts, which the server and tenants have in common. `ownerOf` returns the tenant, or null. */
export function serviceAccountCalls(ownerOf: (scene: Scene) => string | null) {
  const make = (scene: Scene) => scene.serviceAccount(ownerOf(scene));
  return {
    onAccount: about('serviceAccountId', make),
    onCredential:
      (revokedAt: Date | null): MakeCall =>
      async (scene) => {
        const { id: serviceAccountId } = await make(scene);
        const { id: credentialId } = await scene.credential(serviceAccountId, revokedAt);
        return { status: 204, path: { serviceAccountId, credentialId } };
      },
  };
}

/** An assignment of a harmless permission to a new user, in the form of a body. */
export async function newAssignment(scene: Scene): Promise<Record<string, unknown> & { readonly principalId: string }> {
  return {
    principalKind: 'User',
    principalId: (await scene.user()).id,
    permissionName: Permission.DeviceRead.name,
    effect: 'Allow',
    scopeKind: 'Device',
    scopeId: (await scene.device()).id,
    notes: 'A note',
    isEnabled: true,
  };
}
