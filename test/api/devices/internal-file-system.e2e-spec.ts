import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { agentClient, hubFailure } from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import { openSession } from '../../support/callers/browser.js';
import { callingUser, wrongFieldsOf } from '../../support/callers/callers.js';
import { createKeyedDevice, FakeAgent, ReferenceAgent, type KeyedDevice } from '../../support/devices/agents.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

/* The internal routes that reach devices: the reference agent where they succeed, one that refuses where they do not. */

const BASE = '/api/device-file-system';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const server = testServer();
const tenant = testTenant(server);
let client: ApiClient;
let device: KeyedDevice;
let folder: string;

beforeAll(async () => {
  const rights = Object.values(Permission).filter(({ name }) => name.startsWith('device.'));
  ({ client } = await callingUser(server, tenant, rights));
  device = await createKeyedDevice(server, tenant);
  server.alsoStop(await ReferenceAgent.start(server, device));
  folder = await mkdtemp(join(tmpdir(), 'internal-files-'));
  await mkdir(join(folder, 'sub'));
  await writeFile(join(folder, 'a.txt'), 'a');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the contents of a directory', () => {
  it('are entries', async () => {
    const answer = await client.post(`${BASE}/contents`, { body: { deviceId: device.id, directoryPath: folder } });
    expect(answer.body).toEqual({
      directoryExists: true,
      entries: [expect.objectContaining({ name: 'a.txt' }), expect.objectContaining({ name: 'sub' })],
    });
  });
});

describe('an archive that a form asks for', () => {
  const ask = (body: string, headers: Record<string, string> = FORM): Promise<ApiAnswer> =>
    client.post(`${BASE}/download-archive/${device.id}/form`, { body, headers });
  const form = (...values: [string, string][]): string => new URLSearchParams(values).toString();

  it('is sent as a file to be stored', async () => {
    const answer = await ask(
      form(
        ['ArchiveFileName', 'files'],
        ['targetPaths', join(folder, 'a.txt')],
        ['targetPaths', ' '],
        ['TargetPaths', join(folder, 'sub')],
      ),
    );
    expect([answer.status, answer.headers.get('content-type'), answer.text.slice(0, 2)]).toEqual([200, 'application/octet-stream', 'PK']);
    expect(answer.headers.get('content-disposition')).toContain('attachment; filename="files.zip"');
    expect(answer.text).toContain('a.txt');
    expect(answer.text).toContain('sub');
  });

  it.each([
    ['nothing', [], ['archiveFileName', 'targetPaths']],
    [
      'blank paths only',
      [
        ['archiveFileName', 'x'],
        ['targetPaths', ''],
      ],
      ['targetPaths'],
    ],
    ['no name', [['targetPaths', '/a']], ['archiveFileName']],
  ] as [string, [string, string][], string[]][])('is refused with %s', async (_what, values, fields) => {
    const answer = await ask(form(...values));
    expect([answer.status, wrongFieldsOf(answer).sort()]).toEqual([400, fields]);
  });

  it('is refused in another content type, and when it is too large', async () => {
    expect((await ask('{}', { 'content-type': 'application/json' })).status).toBe(415);
    expect((await ask('x', { 'content-type': 'multipart/form-data; boundary=b' })).status).toBe(415);
    expect((await ask(form(['archiveFileName', 'x'], ['targetPaths', `/${'a'.repeat(1024 * 1024)}`]))).status).toBe(413);
    expect((await ask(`archiveFileName=x${'&targetPaths=%2Fa'.repeat(3_000)}`)).status).toBe(400);
  });

  it('is sent to a page of the service with the session of a browser, and refused to a page of another origin', async () => {
    const { user } = await callingUser(server, tenant, [Permission.DeviceFileSystemTransferDownload]);
    const cookie = await openSession(server, user);
    const path = `${BASE}/download-archive/${device.id}/form`;
    const post = (origin: string): Promise<ApiAnswer> =>
      server.client({}).post(path, {
        body: form(['archiveFileName', 'x'], ['targetPaths', join(folder, 'a.txt')]),
        headers: { ...FORM, cookie, origin },
      });
    expect((await post(server.url)).status).toBe(200);
    expect((await post('https://elsewhere.example')).status).toBe(403);
    expect((await post('null')).status).toBe(403);
  });
});

describe('a device that refuses', () => {
  const REASON = 'The disk is on fire.';
  let refusing: KeyedDevice;

  beforeAll(async () => {
    refusing = await createKeyedDevice(server, tenant);
    const agent = server.alsoStop(await FakeAgent.online(server, refusing, 'messagepack'));
    agent.on(agentClient.CreateDirectory, () => hubFailure(REASON));
    agent.on(agentClient.RequestDesktopPreview, () => hubFailure(REASON));
    agent.on(agentClient.DeleteFile, () => hubFailure('The path must be absolute.'));
    agent.on(agentClient.UploadFileToViewer, () => hubFailure(REASON));
    agent.on(agentClient.UploadArchiveToViewer, () => hubFailure(REASON));
  });

  it('is answered 409 for a change', async () => {
    const answer = await client.post(`${BASE}/create-directory/${refusing.id}`, { body: { parentPath: '/', directoryName: 'a' } });
    expect(answer).toMatchObject({ status: 409, body: { status: 409, title: 'Conflict.', detail: REASON } });
  });

  it('is answered 400 in plain text for a path that is wrong', async () => {
    const answer = await client.delete(`${BASE}/delete-path/${refusing.id}`, { body: { filePath: 'a' } });
    expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([
      400,
      'text/plain; charset=utf-8',
      'The path must be absolute.',
    ]);
  });

  it('is answered 503 for a preview', async () => {
    const answer = await client.get(`/api/desktop-preview/${refusing.id}/1`);
    expect(answer).toMatchObject({ status: 503, body: { status: 503, title: 'Service unavailable.', detail: REASON } });
  });

  it('is answered 500 for a transfer: Problem Details for a file, plain text for an archive', async () => {
    const file = await client.get(`${BASE}/download/${refusing.id}`, { query: { filePath: '/a' } });
    expect(file).toMatchObject({ status: 500, body: { title: 'Internal server error.', detail: REASON, traceId: expect.any(String) } });
    const archive = await client.post(`${BASE}/download-archive/${refusing.id}`, { body: { archiveFileName: 'a', targetPaths: ['/a'] } });
    expect([archive.status, archive.text]).toEqual([500, REASON]);
  });
});
