import { expect, it } from 'vitest';

import { permissionCatalog } from '../../../src/access/authorization/permissions/permission.js';
import { DevicePresence } from '../../../src/devices/device-link/device-presence.js';
import { Device } from '../../../src/devices/devices/device.entity.js';
import { KEY_PENDING_REASON } from '../../../src/platform/common/errors/errors.js';
import { isGuid, newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { ProblemDetails } from '../../../src/platform/http/problems/problem-details.js';
import type { ValidCall } from '../../routes/resource.js';
import { Scene } from '../../routes/scene.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { broadRights, createCaller, giveRights } from './callers.js';
import { callOf, isInternal, keyOf, MATRIX_SETTINGS, routesOf, send } from './calling.js';

/*
 * Calls every route that reaches the agent of a device, which are those that answer 409 for a device that is offline, while the device
 * reports with a key that waits for approval.
 */

const OFFLINE = 409;
const WAITING_KEY = Buffer.alloc(32, 7).toString('base64');

const server = testServer(MATRIX_SETTINGS);
const tenant = testTenant(server);

/** The device that a call names. */
function deviceOf({ path, body }: ValidCall): string | undefined {
  const named: unknown = path?.deviceId ?? (body as { readonly deviceId?: unknown } | undefined)?.deviceId;
  return isGuid(named) ? named : undefined;
}

it('no route reaches a device whose key waits for approval, and each says so', async () => {
  const presence = server.app.get(DevicePresence);
  const scene = new Scene(server, tenant);
  const user = await createCaller(server, tenant, 'user');
  await giveRights(server, broadRights(user, permissionCatalog, tenant));
  const refusals: Record<string, unknown> = {};
  for (const route of routesOf(server)) {
    if (!route.path.includes(':deviceId') && !route.path.includes('device')) continue;
    const call = await callOf(route, scene);
    const deviceId = deviceOf(call);
    if (call.status !== OFFLINE || deviceId === undefined) continue;
    await server.dataSource.manager.update(Device, { id: deviceId }, { publicKey: WAITING_KEY, keyPendingSince: new Date() });
    presence.onlinePending(deviceId, newGuid(), WAITING_KEY);
    const { status, body, text } = await send(isInternal(route) ? user.client : server.client(), route, call, tenant.id);
    refusals[keyOf(route)] = [status, text === KEY_PENDING_REASON ? text : (body as ProblemDetails).detail];
  }
  expect(Object.keys(refusals).length).toBeGreaterThan(24);
  for (const refusal of Object.values(refusals)) expect(refusal).toEqual([OFFLINE, KEY_PENDING_REASON]);
});
