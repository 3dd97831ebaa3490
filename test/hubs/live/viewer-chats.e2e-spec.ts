import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import {
  agentClient,
  agentHub,
  ChatResponseHubDto,
  hubOk,
  Timestamp,
  viewerHub,
  type ChatMessageHubDto,
  type Encoding,
} from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { MAXIMUM_ASIDE } from '../../../src/live/hubs/agent/connected-agent.js';
import { PersonalAccessTokenPermissionMode } from '../../../src/people/personal-access-tokens/personal-access-token.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { createKeyedDevice, FakeAgent, type KeyedDevice } from '../../support/devices/agents.js';
import { eventually, settled } from '../../support/eventually.js';
import { at, createPersonalAccessToken, createUser, grant, holder } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { callerWith, TestViewer, type Caller } from '../viewer-client.js';

const PROCESS_ID = 4711;
/** More answers than may wait for a viewer. */
const MANY = 500;
const forbidden = { isSuccess: false, reason: 'Forbidden.', errorCode: null };

describe.each<Encoding>(['json', 'messagepack'])('chats in %s', (encoding) => {
  const server = testServer();
  const tenant = testTenant(server);
  const keep = stopAfterEach();
  let caller: Caller;
  let device: KeyedDevice;
  let agent: FakeAgent;
  let shown: ChatMessageHubDto[];
  let closed: [string, number][];

  beforeAll(async () => {
    caller = await callerWith(server, tenant, [Permission.DeviceChatSend], at.tenant(tenant));
  });

  beforeEach(async () => {
    shown = [];
    closed = [];
    device = await createKeyedDevice(server, tenant);
    agent = keep(await FakeAgent.online(server, device, encoding));
    agent
      .on(agentClient.SendChatMessage, (message) => {
        shown.push(message);
        return hubOk();
      })
      .on(agentClient.CloseChatSession, (sessionId, processId) => {
        closed.push([sessionId, processId]);
        return hubOk();
      });
  });

  async function connect(headers = caller.headers): Promise<TestViewer> {
    return keep(await TestViewer.connect(server, headers, encoding));
  }

  async function say(viewer: TestViewer, sessionId: string, message = 'Hello?'): Promise<void> {
    const request = {
      deviceId: device.id,
      sessionId,
      message,
      senderName: 'Somebody else',
      senderEmail: 'somebody@else.example',
      targetSystemSession: 1,
      targetProcessId: PROCESS_ID,
      timestamp: Timestamp.fromDate(new Date('2026-01-02T03:04:05Z')),
      viewerConnectionId: 'forged',
    };
    expect(await viewer.call(viewerHub.SendChatMessage2, request)).toMatchObject({ isSuccess: true });
  }

  /** The person at the device answers. True when a viewer took it. */
  async function reply(viewerConnectionId: string, sessionId: string, message = 'Yes!'): Promise<unknown> {
    const response = {
      sessionId,
      desktopSessionProcessId: PROCESS_ID,
      message,
      senderUsername: 'operator',
      viewerConnectionId,
      timestamp: Timestamp.fromDate(new Date('2026-01-02T03:04:06Z')),
    };
    return agent.connection.invoke(agentHub.SendChatResponse.name, ChatResponseHubDto.encode(response, encoding));
  }

  /** Returns the messages that the viewer gets from now on; it takes everything. */
  function listen(viewer: TestViewer): string[] {
    const heard: string[] = [];
    viewer.onChatResponse(({ message }) => heard.push(message) > 0);
    return heard;
  }

  it('carry messages to the device and answers back to the viewer that wrote, and to no other', async () => {
    const [viewer, other] = [await connect(), await connect()];
    const [heard, overheard] = [listen(viewer), listen(other)];
    const [session, foreign] = [newGuid(), newGuid()];
    await say(viewer, session);
    await say(other, foreign);
    expect(await reply(viewer.connectionId, session)).toBe(true);
    expect(heard).toEqual(['Yes!']);
    expect(overheard).toEqual([]);
    // The session of one viewer with the connection of the other.
    expect(await reply(other.connectionId, session)).toBe(false);
    expect(overheard).toEqual([]);
  });

  it('show messages in the order in which they were written', async () => {
    const viewer = await connect();
    const session = newGuid();
    const texts = Array.from({ length: 50 }, (_, index) => `message ${index}`);
    await Promise.all(texts.map((text) => say(viewer, session, text)));
    expect(shown.map(({ message }) => message)).toEqual(texts);
  });

  it('name the viewer as the server knows it, whatever the viewer says', async () => {
    const user = await createUser(server, { tenantId: tenant.id, email: 'ann@example.com' });
    await grant(server, { principal: holder.user(user), permission: Permission.DeviceChatSend, scope: at.tenant(tenant) });
    const { key } = await createPersonalAccessToken(server, user, { permissionMode: PersonalAccessTokenPermissionMode.InheritOwner });
    const headers = { 'x-personal-token': key };
    const viewer = await connect(headers);
    await say(viewer, newGuid());
    expect(shown.at(-1)).toMatchObject({
      senderName: user.userName,
      senderEmail: 'ann@example.com',
      viewerConnectionId: viewer.connectionId,
      deviceId: device.id,
    });
    const path = '/api/v1/user-preferences';
    expect(
      (await server.client(headers).post(path, { query: { tenantId: tenant.id }, body: { name: 'user-display-name', value: 'Ann' } }))
        .status,
    ).toBe(200);
    await say(viewer, newGuid());
    expect(shown.at(-1)).toMatchObject({ senderName: 'Ann' });
  });

  it('answer false when the viewer declines', async () => {
    const viewer = await connect();
    viewer.onChatResponse(() => false);
    const session = newGuid();
    await say(viewer, session);
    expect(await reply(viewer.connectionId, session)).toBe(false);
    expect(closed).toEqual([]);
  });

  it('hold up an agent that sends many answers before the viewer takes one, and lose none', async () => {
    const viewer = await connect();
    let heard = 0;
    let take = (): void => undefined;
    const taken = new Promise<void>((resolve) => (take = resolve));
    viewer.onChatResponse(async () => {
      heard += 1;
      await taken;
      return true;
    });
    const session = newGuid();
    await say(viewer, session);
    const replies = Array.from({ length: MANY }, () => reply(viewer.connectionId, session));
    await eventually('some have arrived', () => heard > 0);
    await settled('the answers that arrive', () => heard);
    // Those beside others, and those that hold others up.
    expect(heard).toBeLessThanOrEqual(2 * MAXIMUM_ASIDE);
    take();
    expect(new Set(await Promise.all(replies))).toEqual(new Set([true]));
    expect(heard).toBe(MANY);
  });

  it('are closed on the device when the person answers a viewer that has gone', async () => {
    const viewer = await connect();
    const session = newGuid();
    await say(viewer, session);
    const { connectionId } = viewer;
    await viewer.stop();
    await eventually('the window is closed as soon as the viewer has gone', () => closed.length === 1);
    expect(await reply(connectionId, session)).toBe(false);
    await eventually('the agent is told again', () => closed.length === 2);
    expect(closed).toEqual([
      [session, PROCESS_ID],
      [session, PROCESS_ID],
    ]);
  });

  it('end when the viewer closes them', async () => {
    const viewer = await connect();
    const heard = listen(viewer);
    const session = newGuid();
    await say(viewer, session);
    const request = { deviceId: device.id, sessionId: session, targetProcessId: PROCESS_ID };
    expect(await viewer.call(viewerHub.CloseChatSession2, request)).toMatchObject({ isSuccess: true });
    expect(await reply(viewer.connectionId, session)).toBe(false);
    expect(heard).toEqual([]);
  });

  it('end with the right to chat', async () => {
    const limited = await callerWith(server, tenant, [], at.tenant(tenant));
    const assignment = await grant(server, {
      principal: holder.serviceAccount(limited.account),
      permission: Permission.DeviceChatSend,
      scope: at.device(device),
    });
    const viewer = await connect(limited.headers);
    const heard = listen(viewer);
    const session = newGuid();
    await say(viewer, session);
    const path = `/api/v1/permission-assignments/${assignment.id}`;
    expect((await server.client().delete(path, { query: { tenantId: tenant.id } })).status).toBe(204);
    await eventually('the window is closed on the device', () => closed.length === 1);
    expect(await reply(viewer.connectionId, session)).toBe(false);
    // Told once, by an answer without text.
    expect(heard).toEqual(['']);
    const request = { deviceId: device.id, sessionId: session, targetProcessId: PROCESS_ID };
    expect(await viewer.call(viewerHub.CloseChatSession2, request)).toEqual(forbidden);
  });

  it('do not let an agent write to a viewer that has never written to its device', async () => {
    const viewer = await connect();
    const heard = listen(viewer);
    expect(await reply(viewer.connectionId, newGuid())).toBe(false);
    const elsewhere = keep(await FakeAgent.online(server, await createKeyedDevice(server, tenant), encoding));
    const session = newGuid();
    await say(viewer, session);
    const mine = agent;
    agent = elsewhere;
    expect(await reply(viewer.connectionId, session)).toBe(false);
    agent = mine;
    expect(heard).toEqual([]);
  });
});
