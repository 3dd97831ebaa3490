import { beforeEach, describe, expect, it } from 'vitest';

import { agentHub, viewerHub, type Encoding, type HubMethod } from '#libs/contracts';

import { Permission, type PermissionDefinition } from '../../../src/access/authorization/permissions/permission.js';
import { ROOT_KEY } from '../../support/application/app.js';
import { createKeyedDevice, FakeAgent } from '../../support/devices/agents.js';
import { at } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { TransferClient } from '../transfers.js';
import { callerWith, TestViewer } from '../viewer-client.js';
import { AGENT_CALLS, callAs, whatArrived, type Exchange, type Stage } from './agent-calls.js';

/*
 * Every method of the agent hub in both encodings: what it brings to the other end and what the agent is answered. Agents of other
 * devices, and connections that stand for none, try the same call first: they are refused, and nothing of it arrives.
 */

const DEVICE_PERMISSIONS = Object.values<PermissionDefinition>(Permission).filter(({ name }) => name.startsWith('device.'));

describe.each<Encoding>(['json', 'messagepack'])('the agent hub in %s', (encoding) => {
  const server = testServer();
  const tenant = testTenant(server);
  const foreign = testTenant(server);
  const keep = stopAfterEach();
  let stage: Stage;
  let others: { readonly who: string; readonly caller: FakeAgent }[];

  beforeEach(async () => {
    const agent = keep(await FakeAgent.online(server, await createKeyedDevice(server, tenant), encoding));
    const { headers } = await callerWith(server, tenant, DEVICE_PERMISSIONS, at.tenant(tenant));
    const viewer = keep(await TestViewer.connect(server, headers, encoding));
    await viewer.call(viewerHub.SubscribeToDeviceHeartbeats2, { deviceIds: [agent.device.id] });
    others = [
      { who: 'the agent of another tenant', caller: await FakeAgent.online(server, await createKeyedDevice(server, foreign), encoding) },
      { who: 'the agent of another device', caller: await FakeAgent.online(server, await createKeyedDevice(server, tenant), encoding) },
      { who: 'a connection without a device', caller: await FakeAgent.connect(server, await createKeyedDevice(server, tenant), encoding) },
    ];
    for (const { caller } of others) keep(caller);
    const preview = async (): Promise<Buffer> => {
      const url = `${server.url}/api/v1/desktop-preview/${agent.device.id}/17?tenantId=${tenant.id}`;
      return Buffer.from(await (await fetch(url, { headers: { 'x-api-key': ROOT_KEY } })).arrayBuffer());
    };
    stage = { server, tenant, agent, viewer, http: new TransferClient(server, tenant), preview };
  });

  const methods: readonly HubMethod[] = Object.values(agentHub);
  const rows: Readonly<Record<string, (stage: Stage) => Promise<Exchange>>> = AGENT_CALLS;

  it.each(methods)('$name serves the agent of the device, and nobody else', async (method) => {
    const { name } = method;
    const exchange = await rows[name](stage);
    for (const { who, caller } of others) {
      const answer = await callAs(caller, method, await exchange.args(caller));
      expectAnswer(method, answer, exchange.refused, who);
    }
    expectAnswer(method, await callAs(exchange.by, method, await exchange.args(exchange.by)), exchange.answered, 'the agent');
    expect(await whatArrived(exchange)).toEqual(exchange.expected);
  });

  /** The answer is the expected one, with no member besides those of the contract, under the names of the encoding. */
  function expectAnswer({ returns }: HubMethod, answer: unknown, expected: unknown, who: string): void {
    if (returns === undefined || (typeof answer === 'string' && answer === expected)) {
      expect(answer, who).toEqual(expected);
      return;
    }
    if ('stream' in returns) {
      const items = (answer as unknown[]).map((item) => Buffer.from(returns.stream.decode(item, encoding) as Uint8Array).toString());
      expect(items, who).toEqual(expected);
      return;
    }
    const decoded = returns.decode(answer, encoding);
    if (typeof expected === 'object') expect(decoded, who).toMatchObject(expected as object);
    else expect(decoded, who).toBe(expected);
    expect(answer, who).toEqual(returns.encode(decoded, encoding));
  }
});
