import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { agentClient, agentHub, hubFailure, hubOk, type DesktopPreviewRequestDto } from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { DesktopPreviewService } from '../../../src/devices/desktop-preview/desktop-preview.service.js';
import { DomainError } from '../../../src/platform/common/errors/errors.js';
import type { ProblemDetails } from '../../../src/platform/http/problems/problem-details.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { ROOT_KEY, TestApp } from '../../support/application/app.js';
import {
  createKeyedDevice,
  FakeAgent,
  ReferenceAgent,
  waitOffline,
  type FakeStream,
  type KeyedDevice,
} from '../../support/devices/agents.js';
import {
  at,
  createServiceAccountWithKey,
  createTenant,
  createUser,
  grant,
  holder,
  logonSessionOf,
} from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const PROCESS_ID = 4321;
const CHUNK_BYTES = 30 * 1024;

const server = testServer();
const tenant = testTenant(server);
let device: KeyedDevice;
let agent: FakeAgent;

beforeEach(async () => {
  device = await createKeyedDevice(server, tenant);
  agent = await FakeAgent.online(server, device, 'messagepack');
});

afterEach(() => agent.stop());

const pathOf = (deviceId: string, processId: number | string = PROCESS_ID): string => `/api/v1/desktop-preview/${deviceId}/${processId}`;

function preview(target = device, key = ROOT_KEY): Promise<ApiAnswer> {
  return server.client({ 'x-api-key': key }).get(pathOf(target.id), { query: { tenantId: target.tenantId } });
}

function fetchPreview(init: RequestInit = {}): Promise<Response> {
  return fetch(`${server.url}${pathOf(device.id)}?tenantId=${tenant.id}`, { headers: { 'x-api-key': ROOT_KEY }, ...init });
}

/** Makes the agent open the requested stream and passes it to the test, with the request. */
function onRequest(answer: (stream: FakeStream, request: DesktopPreviewRequestDto) => void | Promise<void>): void {
  agent.on(agentClient.RequestDesktopPreview, async (request) => {
    await answer(agent.openStream(agentHub.SendDesktopPreviewStream, request.streamId), request);
    return hubOk();
  });
}

const detailOf = ({ body }: ApiAnswer): string | undefined => (body as ProblemDetails).detail;

describe('a preview', () => {
  it('returns the exact bytes that the device sends', async () => {
    const chunks = Array.from({ length: 8 }, (_, index) => new Uint8Array(CHUNK_BYTES).fill(index));
    const requests: DesktopPreviewRequestDto[] = [];
    onRequest((stream, request) => {
      requests.push(request);
      for (const chunk of chunks) stream.send(chunk);
      stream.complete();
    });
    const response = await fetchPreview();
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      200,
      'image/jpeg',
      'no-store',
    ]);
    expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.concat(chunks))).toBe(true);
    expect(requests).toEqual([expect.objectContaining({ targetProcessId: PROCESS_ID })]);
  });

  it('may arrive after the answer of the device', async () => {
    agent.on(agentClient.RequestDesktopPreview, ({ streamId }) => {
      setImmediate(() =>
        agent
          .openStream(agentHub.SendDesktopPreviewStream, streamId)
          .send(new Uint8Array([1, 2]))
          .complete(),
      );
      return hubOk();
    });
    expect(Buffer.from(await (await fetchPreview()).arrayBuffer())).toEqual(Buffer.from([1, 2]));
  });

  it('reaches its reader while the device is still sending', async () => {
    let stream: FakeStream | undefined;
    onRequest((opened) => {
      stream = opened.send(new Uint8Array([1]));
    });
    const response = await fetchPreview();
    const reader = response.body?.getReader();
    expect(await reader?.read()).toEqual({ done: false, value: new Uint8Array([1]) });
    stream?.send(new Uint8Array([2])).complete();
    expect(await reader?.read()).toEqual({ done: false, value: new Uint8Array([2]) });
    expect((await reader?.read())?.done).toBe(true);
  });
});

describe('a device that', () => {
  it.each(['The desktop session is gone.', 'The process was not found.', 'The target is not valid.'])(
    'refuses is answered 502 with its own reason: %s',
    async (reason) => {
      agent.on(agentClient.RequestDesktopPreview, () => hubFailure(reason));
      const answer = await preview();
      expect([answer.status, detailOf(answer)]).toEqual([502, reason]);
    },
  );

  it('refuses after it opened an empty stream is answered 502 with its own reason', async () => {
    agent.on(agentClient.RequestDesktopPreview, ({ streamId }) => {
      agent.openStream(agentHub.SendDesktopPreviewStream, streamId).complete();
      return hubFailure('The screen is locked.');
    });
    const answer = await preview();
    expect([answer.status, detailOf(answer)]).toEqual([502, 'The screen is locked.']);
  });

  it('sends nothing, or does not answer, is answered 502', async () => {
    onRequest((stream) => stream.send(new Uint8Array()).complete());
    expect(await preview()).toMatchObject({ status: 502, body: { detail: 'The device sent an invalid response.' } });
    agent.answerRaw(agentClient.RequestDesktopPreview, () => null);
    expect(await preview()).toMatchObject({ status: 502, body: { detail: 'The device sent an invalid response.' } });
  });

  it('is offline is answered 409 at once', async () => {
    const offline = await createKeyedDevice(server, tenant);
    const answer = await preview(offline);
    expect([answer.status, detailOf(answer)]).toEqual([409, 'The device is offline.']);
  });

  it('disconnects before the first byte is answered 502', async () => {
    const asked = new Promise<void>((resolve) => {
      agent.on(agentClient.RequestDesktopPreview, () => {
        resolve();
        return new Promise(() => undefined);
      });
    });
    const answering = preview();
    await asked;
    agent.vanish();
    expect(await answering).toMatchObject({ status: 502, body: { detail: 'The device disconnected before it finished.' } });
  });

  it('disconnects in the middle has its picture cut off', async () => {
    onRequest((stream) => {
      stream.send(new Uint8Array(CHUNK_BYTES));
    });
    const response = await fetchPreview();
    const reader = response.body?.getReader();
    await reader?.read();
    agent.vanish();
    // The bytes sent may arrive in several parts.
    const readToEnd = async (): Promise<void> => {
      while ((await reader?.read())?.done === false);
    };
    await expect(readToEnd()).rejects.toThrow('terminated');
  });
});

it('serves the next reader after one disconnected in the middle', async () => {
  const left = new Promise<void>((resolve) => {
    onRequest(async (stream) => {
      stream.send(new Uint8Array(CHUNK_BYTES));
      resolve();
    });
  });
  const request = get(`${server.url}${pathOf(device.id)}?tenantId=${tenant.id}`, { headers: { 'x-api-key': ROOT_KEY } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  await left;
  await once(response, 'data');
  response.destroy();
  onRequest((stream) => stream.send(new Uint8Array([7])).complete());
  expect(Buffer.from(await (await fetchPreview()).arrayBuffer())).toEqual(Buffer.from([7]));
  await agent.heartbeat();
});

it('lets a reader disconnect before the device has opened a stream', async () => {
  const asked = new Promise<void>((resolve) => {
    agent.on(agentClient.RequestDesktopPreview, () => {
      resolve();
      return new Promise(() => undefined);
    });
  });
  const leaving = new AbortController();
  const answering = fetchPreview({ signal: leaving.signal });
  await asked;
  leaving.abort();
  await expect(answering).rejects.toThrow('aborted');
  await agent.stop();
  await waitOffline(server, device.id);
});

it('is the reference agent, without a desktop, is answered with its reason', async () => {
  const plain = await createKeyedDevice(server, tenant);
  const reference = await ReferenceAgent.start(server, plain);
  try {
    expect(await preview(plain)).toMatchObject({ status: 502, body: { detail: expect.stringMatching(/desktop/i) } });
  } finally {
    await reference.stop();
  }
});

describe('the route', () => {
  it('requires device.desktop-preview.read on the device', async () => {
    const { account, key } = await createServiceAccountWithKey(server, { tenantId: tenant.id });
    await grant(server, { principal: holder.serviceAccount(account), permission: Permission.DeviceRead, scope: at.device(device) });
    onRequest((stream) => stream.send(new Uint8Array([1])).complete());
    expect((await preview(device, key)).status).toBe(403);
    await grant(server, {
      principal: holder.serviceAccount(account),
      permission: Permission.DeviceDesktopPreviewRead,
      scope: at.device(device),
    });
    expect((await preview(device, key)).status).toBe(200);
  });

  it('answers 404 while previews are switched off, without calling the device', async () => {
    const other = await TestApp.start({ Service_AppOptions__DisableDesktopPreview: 'true' });
    try {
      const silent = await createKeyedDevice(other, await createTenant(other));
      const asked: string[] = [];
      const its = await FakeAgent.online(other, silent);
      its.on(agentClient.RequestDesktopPreview, ({ streamId }) => {
        asked.push(streamId);
        return hubOk();
      });
      const answer = await other.client().get(pathOf(silent.id), { query: { tenantId: silent.tenantId } });
      expect([answer.status, detailOf(answer), asked]).toEqual([404, 'Desktop previews are turned off on this server.', []]);
      await its.stop();
    } finally {
      await other.stop();
    }
  });
});

it('shows a logon token’s session only the desktops that the token lists', async () => {
  const session = { areRemoteControlPermissionsGranted: true, desktopName: '', name: '', type: 0, username: '' } as const;
  agent.on(agentClient.GetActiveDesktopSessions, () => [
    { ...session, processId: 10, systemSessionId: 1 },
    { ...session, processId: 20, systemSessionId: 2 },
  ]);
  agent.on(agentClient.RequestDesktopPreview, () => hubFailure('Asked.'));
  const user = await createUser(server, { tenantId: tenant.id });
  const previews = server.app.get(DesktopPreviewService);
  const look = async (allowedDesktopSessionIds: readonly number[] | null, processId: number): Promise<string> => {
    const principal = logonSessionOf(user, { id: user.id, deviceId: device.id, allowedDesktopSessionIds });
    const body = { signal: new AbortController().signal, send: () => Promise.reject(new Error('There is nothing to send.')) };
    return previews.write(principal, device.id, processId, body).then(
      () => 'shown',
      (error: unknown) => (error instanceof DomainError ? error.message : String(error)),
    );
  };
  expect(await look([2], 20)).toBe('Asked.');
  expect(await look(null, 10)).toBe('Asked.');
  expect(await look([2], 10)).toBe('The requested desktop session is not authorized.');
  expect(await look([2], 99)).toBe('The requested desktop session is not authorized.');
});
