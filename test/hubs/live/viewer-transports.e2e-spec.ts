import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { MessagePackHubProtocol } from '@microsoft/signalr-protocol-msgpack';
import { afterEach, describe, expect, it } from 'vitest';

import { viewerHub } from '#libs/contracts';

import { HttpTransportClient, record } from '../../../libs/signalr/test/support/http-transport-client.js';
import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { AGENT_HUB_PATH, VIEWER_HUB_PATH } from '../../../src/platform/common/addresses/hub-paths.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { TestApp } from '../../support/application/app.js';
import { eventually } from '../../support/eventually.js';
import { at } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { callerWith } from '../viewer-client.js';

/** Number of requests above those that an account may have under way. */
const MANY = 40;
const { WebSockets, ServerSentEvents, LongPolling } = HttpTransportType;

const clients: HttpTransportClient[] = [];

afterEach(() => {
  for (const client of clients.splice(0)) client.leave();
});

function remember(client: HttpTransportClient): HttpTransportClient {
  clients.push(client);
  return client;
}

describe('the viewer hub', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const hub = (): string => server.url + VIEWER_HUB_PATH;
  const caller = (): ReturnType<typeof callerWith> => callerWith(server, tenant, [Permission.DeviceRead], at.tenant(tenant));

  it.each([
    ['JSON over server-sent events', ServerSentEvents, false, false],
    ['JSON over long polling', LongPolling, false, false],
    ['MessagePack over long polling', LongPolling, true, false],
    ['JSON with stateful reconnect', WebSockets, false, true],
    ['MessagePack with stateful reconnect', WebSockets, true, true],
  ])('serves %s', async (_case, transport, isMessagePack, isStateful) => {
    const { headers } = await caller();
    const builder = new HubConnectionBuilder().withUrl(hub(), { transport, headers }).configureLogging(LogLevel.None);
    if (isMessagePack) builder.withHubProtocol(new MessagePackHubProtocol());
    if (isStateful) builder.withStatefulReconnect();
    const connection = builder.build();
    await connection.start();
    const answer = await connection.invoke<object>(viewerHub.SubscribeToDeviceHeartbeats.name, [newGuid()]);
    expect(answer).toMatchObject(isMessagePack ? { IsSuccess: true } : { isSuccess: true });
    await connection.stop();
  });

  it('leaves polls and event streams that wait out of the shares of their account', async () => {
    const { headers } = await caller();
    const polls = Array.from({ length: MANY }, async () => {
      const client = remember(await HttpTransportClient.poll(hub(), headers));
      client.begin('GET').on('error', () => undefined);
    });
    const streams = Array.from({ length: MANY }, async () => {
      const events = await remember(await HttpTransportClient.negotiate(hub(), headers)).events();
      events.on('error', () => undefined).resume();
      expect(events.statusCode).toBe(200);
    });
    await Promise.all([...polls, ...streams]);
    const answers = await Promise.all(
      Array.from({ length: MANY }, () => fetch(`${server.url}/api/v1/devices?tenantId=${tenant.id}`, { headers })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('knows each request by its credential', async () => {
    const [ann, bob] = [await caller(), await caller()];
    const client = remember(await HttpTransportClient.poll(hub(), ann.headers));
    const asBob = remember(new HttpTransportClient(hub(), client.token, bob.headers));
    const asNobody = remember(new HttpTransportClient(hub(), client.token));
    expect([(await asBob.poll()).status, (await asBob.post('x')).status, (await asBob.delete()).status]).toEqual([404, 404, 404]);
    const refused = await asNobody.post('x');
    expect(refused).toMatchObject({ status: 401, headers: { 'content-type': expect.stringContaining('application/problem+json') } });
    const foreign = remember(new HttpTransportClient(hub(), client.token, { ...ann.headers, Origin: 'https://elsewhere.example' }));
    expect((await foreign.poll()).status).toBe(403);
    expect((await client.post(record({ type: 6 }))).status).toBe(200);
  });
});

describe('when the service stops', () => {
  const stopLater = stopAfterEach();

  it('polls and event streams end at once', async () => {
    const server = stopLater(new TestApp());
    await server.start();
    const hub = server.url + AGENT_HUB_PATH;
    const client = remember(await HttpTransportClient.poll(hub));
    const poll = client.poll();
    const streaming = remember(await HttpTransportClient.negotiate(hub));
    let received = '';
    const events = await streaming.events();
    events.on('error', () => undefined).on('data', (data: Buffer) => (received += data.toString()));
    await streaming.post(record({ protocol: 'json', version: 1 }));
    await eventually('the handshake is answered', () => received.includes('{}'));
    const stopped = server.stop();
    expect((await poll).body).toBe(record({ type: 7, allowReconnect: true }));
    expect((await client.delete()).status).toBe(202);
    await stopped;
    expect(received).toContain('{"type":7,"allowReconnect":true}');
  });
});
