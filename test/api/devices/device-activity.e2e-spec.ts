import { beforeAll, describe, expect, it } from 'vitest';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { DeviceActivityKind, DeviceActivityOutcome } from '../../../src/devices/device-activity/device-activity-kinds.js';
import { DeviceActivity } from '../../../src/devices/device-activity/device-activity.entity.js';
import type { DeviceActivityPeopleDto, DeviceActivityResponseDto } from '../../../src/devices/device-activity/device-activity.dto.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { at, createDevice } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { callerWith, type Caller } from '../../hubs/viewer-client.js';

const MINUTE_MS = 60_000;
const ANNA = newGuid();
const BERT = newGuid();
const NOBODY = newGuid();

describe('the records of a device', () => {
  const server = testServer();
  const tenant = testTenant(server);
  let caller: Caller;
  let deviceId: string;

  beforeAll(async () => {
    caller = await callerWith(server, tenant, [Permission.DeviceLogsRead], at.tenant(tenant));
    ({ id: deviceId } = await createDevice(server, { tenantId: tenant.id }));
    const { id: other } = await createDevice(server, { tenantId: tenant.id });
    const { Terminal, Download } = DeviceActivityKind;
    await add(deviceId, 'anna@contoso.example', ANNA, [Terminal, Download, Terminal]);
    await add(deviceId, 'Bert', BERT, [Terminal]);
    await add(deviceId, 'Anna (renamed)', ANNA, [Download]);
    await add(deviceId, 'The service', null, [Download]);
    await add(other, 'Nobody here', NOBODY, [Terminal]);
  });

  let minutes = 0;
  /** Adds records, each later than those before. */
  async function add(of: string, principalName: string, principalId: string | null, kinds: readonly DeviceActivityKind[]): Promise<void> {
    for (const kind of kinds) {
      minutes += 1;
      const startedAt = new Date(server.clock.milliseconds() + minutes * MINUTE_MS);
      const row = { id: newGuid(), tenantId: tenant.id, deviceId: of, kind, principalKind: 'User', principalId, principalName };
      const rest = { correlationId: newGuid(), nodeId: 'gone', startedAt, endedAt: startedAt, outcome: DeviceActivityOutcome.Completed };
      await server.dataSource.manager.insert(DeviceActivity, { ...row, ...rest });
    }
  }

  const list = async (query: Record<string, string> = {}): Promise<DeviceActivityResponseDto['items']> => {
    const answer = await server.client(caller.headers).get(`/account/device-activity/${deviceId}`, { query });
    expect(answer.status).toBe(200);
    return answer.as<DeviceActivityResponseDto>().items;
  };
  const told = async (query: Record<string, string>): Promise<string[]> =>
    (await list(query)).map(({ principalName, kind }) => `${principalName}: ${kind}`);

  it('come by kind, by caller, or by both, newest first', async () => {
    expect(await list()).toHaveLength(6);
    expect(await told({ kind: 'Terminal' })).toEqual([
      'Bert: Terminal',
      'anna@contoso.example: Terminal',
      'anna@contoso.example: Terminal',
    ]);
    expect(await told({ principalId: BERT })).toEqual(['Bert: Terminal']);
    expect(await told({ principalId: ANNA, kind: 'Download' })).toEqual(['Anna (renamed): Download', 'anna@contoso.example: Download']);
    expect(await told({ principalId: NOBODY })).toEqual([]);
  });

  it('come page by page also when they are narrowed down', async () => {
    const [first] = await list({ principalId: ANNA, pageSize: '1' });
    expect(first.principalName).toBe('Anna (renamed)');
    const rest = await list({ principalId: ANNA, after: first.id });
    expect(rest.map(({ kind }) => kind)).toEqual(['Terminal', 'Download', 'Terminal']);
  });

  it('name the callers of this device by name, each once under its last name', async () => {
    const answer = await server.client(caller.headers).get(`/account/device-activity/${deviceId}/people`);
    expect(answer.as<DeviceActivityPeopleDto>().items).toEqual([
      { id: ANNA, kind: 'User', name: 'Anna (renamed)' },
      { id: BERT, kind: 'User', name: 'Bert' },
    ]);
  });
});
