import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { Subject } from '@microsoft/signalr';

import { agentClient, agentHub, FileUploadMetadata, hubFailure, hubOk, hubValue, viewerHub } from '#libs/contracts';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import { DeviceTimes } from '../../src/devices/device-link/device-times.js';
import { Transfers } from '../../src/devices/device-link/transfers.js';
import { PassingLimits } from '../../src/live/nodes/bytes/passing-limits.js';
import { DeviceDirectory } from '../../src/live/nodes/agents/device-directory.js';
import { AGENT_HUB_PATH } from '../../src/platform/common/addresses/hub-paths.js';
import { ServerNode } from '../../src/platform/node/server-node.js';
import type { Tenant } from '../../src/tenants/tenants/tenant.entity.js';
import { CHUNK, TransferClient } from '../hubs/transfers.js';
import { callerWith, TestViewer } from '../hubs/viewer-client.js';
import { ROOT_KEY, TestApp } from '../support/application/app.js';
import {
  createKeyedDevice,
  FakeAgent,
  type FakeStream,
  ReferenceAgent,
  waitOffline,
  waitOnline,
  type KeyedDevice,
} from '../support/devices/agents.js';
import { eventually } from '../support/eventually.js';
import { at, createTenant } from '../support/fixtures/factories.js';
import { stopAfterEach } from '../support/setup/test-server.js';
import { noNats } from './support/nats-server.js';
import { testNodes } from './support/test-nodes.js';

const BASE = '/api/v1/device-file-system';
const MEBIBYTE = 1024 * 1024;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe.skipIf(noNats !== undefined)('routes of a device that is connected to another node', () => {
  const nodes = testNodes(3, { Service_AppOptions__MaxFileTransferSize: String(80 * MEBIBYTE) });
  const keep = stopAfterEach();
  let tenant: Tenant;
  let device: KeyedDevice;
  let reference: ReferenceAgent;
  let folder: string;

  beforeAll(async () => {
    tenant = await createTenant(nodes.node(0));
    device = await createKeyedDevice(nodes.node(0), tenant);
    reference = await ReferenceAgent.start(nodes.node(1), device);
    folder = await mkdtemp(join(tmpdir(), 'nodes-files-'));
  });

  afterAll(async () => {
    await reference.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Calls a route at a node: 0 has no agent, 1 has them all. */
  function fetchAt(node: TestApp, path: string, query: Record<string, string>, init: RequestInit = {}): Promise<Response> {
    const url = new URL(path.startsWith('/') ? path : `${BASE}/${path}`, node.url);
    url.search = new URLSearchParams({ tenantId: tenant.id, ...query }).toString();
    return fetch(url, { ...init, headers: { 'x-api-key': ROOT_KEY, ...init.headers } });
  }
  const json = (body: object): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

  /** Status, headers and body of the same call at both nodes, without what differs with each call. */
  async function atBoth(path: string, query: Record<string, string>, init?: RequestInit): Promise<readonly object[]> {
    const answers: object[] = [];
    for (const node of [nodes.node(0), nodes.node(1)]) {
      const answer = await fetchAt(node, path, query, init);
      const headers = Object.fromEntries(answer.headers);
      for (const name of ['date', 'x-request-id', 'keep-alive', 'connection']) delete headers[name];
      const text = (await answer.text()).replaceAll(answer.headers.get('x-request-id') ?? ' ', '');
      answers.push({ status: answer.status, headers, text });
    }
    return answers;
  }

  describe('answer as at its own node', () => {
    it.each<[string, () => [string, Record<string, string>, RequestInit?], number]>([
      ['a listing', () => ['contents', {}, json({ deviceId: device.id, directoryPath: folder })], 200],
      ['a listing of a missing directory', () => ['contents', {}, json({ deviceId: device.id, directoryPath: join(folder, 'no') })], 200],
      ['a listing of a bad path', () => ['contents', {}, json({ deviceId: device.id, directoryPath: 'relative' })], 400],
      ['a listing without a path', () => ['contents', {}, json({ deviceId: device.id })], 400],
      ['a body that is no JSON', () => ['contents', {}, { ...json({}), body: '{' }], 400],
      ['subdirectories', () => ['subdirectories', {}, json({ deviceId: device.id, directoryPath: folder })], 200],
      ['a download', () => [`download/${device.id}`, { filePath: join(folder, 'a.txt') }], 200],
      ['a download of a missing file', () => [`download/${device.id}`, { filePath: join(folder, 'none') }], 404],
      ['a download without a path', () => [`download/${device.id}`, {}], 400],
      ['an archive without a path', () => [`download-archive/${device.id}`, {}, json({ archiveFileName: 'a', targetPaths: [] })], 400],
      ['logs', () => [`logs/${device.id}`, {}], 200],
      ['a file that is no log', () => [`logs/${device.id}/contents`, { filePath: join(folder, 'a.txt') }], 404],
      ['a preview of a process that is none', () => [`/api/v1/desktop-preview/${device.id}/1`, {}], 502],
      ['an upload that is no form', () => [`upload/${device.id}`, {}, { method: 'POST', body: 'text' }], 415],
    ])('%s', async (_name, call, status) => {
      await mkdir(join(folder, 'sub'), { recursive: true });
      await writeFile(join(folder, 'a.txt'), 'text');
      const [elsewhere, own] = await atBoth(...call());
      expect(elsewhere).toEqual(own);
      expect(own).toMatchObject({ status });
    });
  });

  it('are refused alike to callers without a right', async () => {
    const { headers } = await callerWith(nodes.node(0), tenant, [Permission.DeviceRead], at.tenant(tenant));
    const [elsewhere, own] = await atBoth(`download/${device.id}`, { filePath: '/a' }, { headers });
    expect(elsewhere).toEqual(own);
    expect(own).toMatchObject({ status: 403 });
  });

  it('know the features of the agent', async () => {
    const permissions = [Permission.DeviceFileSystemRead, Permission.DeviceFileSystemWrite];
    const { headers } = await callerWith(nodes.node(0), tenant, permissions, at.tenant(tenant));
    const features = await fetchAt(nodes.node(0), `/account/device-files/${device.id}`, {}, { headers });
    expect([features.status, await features.json()]).toEqual([200, { canRename: true }]);
    await writeFile(join(folder, 'old.txt'), 'text');
    const renaming = json({ filePath: join(folder, 'old.txt'), newName: 'new.txt' });
    const call = { ...renaming, headers: { ...renaming.headers, ...headers } };
    const renamed = await fetchAt(nodes.node(0), `/account/device-files/${device.id}/rename`, {}, call);
    expect([renamed.status, await readFile(join(folder, 'new.txt'), 'utf8')]).toEqual([204, 'text']);
  });

  it('go on while event streams of hub clients, which anybody may open, are passed on', async () => {
    const limits = nodes.node(0).app.get(PassingLimits, { strict: false });
    Object.assign(limits, { forwarded: 1 });
    const leaving = new AbortController();
    try {
      const negotiated = await fetch(`${nodes.node(1).url}${AGENT_HUB_PATH}/negotiate?negotiateVersion=1`, { method: 'POST' });
      const { connectionToken } = (await negotiated.json()) as { readonly connectionToken: string };
      const init = { headers: { accept: 'text/event-stream' }, signal: leaving.signal };
      const events = await fetch(`${nodes.node(0).url}${AGENT_HUB_PATH}?id=${connectionToken}`, init);
      expect(events.status).toBe(200);
      const listing = json({ deviceId: device.id, directoryPath: folder });
      expect((await fetchAt(nodes.node(0), 'contents', {}, listing)).status).toBe(200);
    } finally {
      leaving.abort();
      Object.assign(limits, new PassingLimits());
    }
  });

  it('upload and download large files', async () => {
    const bytes = randomBytes(24 * MEBIBYTE);
    const form = new FormData();
    form.set('targetSaveDirectory', folder);
    form.set('file', new Blob([bytes]), 'large.bin');
    const uploaded = await fetchAt(nodes.node(0), `upload/${device.id}`, {}, { method: 'POST', body: form });
    expect([uploaded.status, await uploaded.json()]).toEqual([200, { message: 'The file was uploaded.', fileName: 'large.bin' }]);
    expect(sha256(await readFile(join(folder, 'large.bin')))).toBe(sha256(bytes));
    const downloaded = await fetchAt(nodes.node(2), `download/${device.id}`, { filePath: join(folder, 'large.bin') });
    expect(downloaded.headers.get('content-length')).toBe(String(bytes.length));
    expect(sha256(new Uint8Array(await downloaded.arrayBuffer()))).toBe(sha256(bytes));
  });

  it('download archives, asked for in JSON or by a form', async () => {
    await writeFile(join(folder, 'b.txt'), 'b');
    const paths = [join(folder, 'b.txt')];
    const archive = await fetchAt(
      nodes.node(0),
      `download-archive/${device.id}`,
      {},
      json({ archiveFileName: 'x.zip', targetPaths: paths }),
    );
    expect([
      archive.status,
      Buffer.from(await archive.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ]).toEqual([200, 'PK']);
    const { headers } = await callerWith(nodes.node(0), tenant, [Permission.DeviceFileSystemTransferDownload], at.tenant(tenant));
    const body = new URLSearchParams({ archiveFileName: 'x.zip', targetPaths: paths[0] });
    const form = `/api/device-file-system/download-archive/${device.id}/form`;
    const byForm = await fetchAt(nodes.node(0), form, {}, { method: 'POST', body, headers });
    expect([
      byForm.status,
      Buffer.from(await byForm.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ]).toEqual([200, 'PK']);
  });

  it('read logs of the agent, and refresh its inventory', async () => {
    const { id } = device;
    const list = (await (await fetchAt(nodes.node(0), `logs/${id}`, {})).json()) as {
      logFileGroups: { logFiles: { fullPath: string }[] }[];
    };
    const [path] = list.logFileGroups.flatMap(({ logFiles }) => logFiles).map(({ fullPath }) => fullPath);
    const log = await fetchAt(nodes.node(0), `logs/${id}/contents`, { filePath: path });
    expect([log.status, log.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const refreshed = await fetchAt(nodes.node(0), `/api/inventory/devices/${id}/inventory/refresh`, {}, { method: 'POST' });
    expect(refreshed.status).toBe(204);
  });

  describe('of an agent of the test', () => {
    let agent: FakeAgent;
    let client: TransferClient;

    beforeEach(async () => {
      const made = await createKeyedDevice(nodes.node(0), tenant);
      agent = keep(await FakeAgent.online(nodes.node(1), made));
      await waitOnline(nodes.node(1), made.id);
      client = new TransferClient(nodes.node(0), tenant);
    });

    const transfersAt = (node: number): number => nodes.node(node).app.get(Transfers).size;
    const noneUnderWay = (): Promise<void> => eventually('nothing is under way', () => transfersAt(0) + transfersAt(1) === 0);
    const directory = (): DeviceDirectory => nodes.node(0).app.get(DeviceDirectory, { strict: false });

    /** Announces a file, and opens its stream. */
    function announce(fileSize: number, by = agent): Promise<FakeStream> {
      return new Promise((resolve) => {
        by.on(agentClient.UploadFileToViewer, ({ streamId }) => {
          setImmediate(() => resolve(by.openStream(agentHub.SendFileContentStream, streamId)));
          return hubValue({ fileSize, fileDisplayName: 'file' });
        });
      });
    }

    /** Takes uploads, and keeps their bytes. */
    function takeUploads(by: FakeAgent): Buffer[] {
      const taken: Buffer[] = [];
      const { name, parameters } = agentHub.GetFileStreamFromViewer;
      by.on(agentClient.DownloadFileFromViewer, (dto) => {
        const parts: Buffer[] = [];
        return new Promise((resolve, reject) => {
          by.connection.stream<string>(name, parameters[0].encode(dto, 'json')).subscribe({
            next: (part) => void parts.push(Buffer.from(part, 'base64')),
            complete: () => {
              taken.push(Buffer.concat(parts));
              resolve(hubOk());
            },
            error: reject,
          });
        });
      });
      return taken;
    }

    it('fail as at its own node when the agent refuses', async () => {
      agent.answerRaw(agentClient.UploadFileToViewer, () => hubFailure('Access to the path is denied.'));
      expect(await client.download(agent.device)).toMatchObject({ status: 502, problem: { detail: 'Access to the path is denied.' } });
    });

    it('cut a download when the agent leaves in the middle of it', async () => {
      const stream = announce(1_000 * CHUNK.length);
      const opened = await Promise.all([
        client.open(`download/${agent.device.id}`, { filePath: '/f' }),
        stream.then((each) => each.send(CHUNK).send(CHUNK).send(CHUNK)),
      ]);
      const cut = once(opened[0].resume(), 'end').then(
        () => 'whole',
        () => 'cut',
      );
      agent.vanish();
      expect(await cut).toBe('cut');
      await noneUnderWay();
    });

    it('end at the agent when the reader of a download leaves', async () => {
      const stream = announce(1_000 * CHUNK.length);
      const [response] = await Promise.all([
        client.open(`download/${agent.device.id}`, { filePath: '/f' }),
        stream.then((each) => each.send(CHUNK).send(CHUNK).send(CHUNK)),
      ]);
      expect(transfersAt(1)).toBe(1);
      response.destroy();
      await noneUnderWay();
    });

    it('are passed on no more once the reader of a download takes nothing for too long', async () => {
      const limits = nodes.node(0).app.get(PassingLimits, { strict: false });
      const times = nodes.node(1).app.get(DeviceTimes, { strict: false });
      Object.assign(limits, { forwarded: 1, standstillMs: 500 });
      Object.assign(times, { idleMs: 500 });
      const parts = (40 * MEBIBYTE) / CHUNK.length;
      const stream = announce(parts * CHUNK.length);
      let response: IncomingMessage | undefined;
      try {
        [response] = await Promise.all([
          client.open(`download/${agent.device.id}`, { filePath: '/f' }),
          stream.then((each) => {
            for (let part = 0; part < parts; part += 1) each.send(CHUNK);
          }),
        ]);
        await noneUnderWay();
        const listing = json({ deviceId: device.id, directoryPath: folder });
        await eventually('there is room again', async () => (await fetchAt(nodes.node(0), 'contents', {}, listing)).status === 200);
      } finally {
        response?.destroy();
        Object.assign(limits, new PassingLimits());
        Object.assign(times, new DeviceTimes());
      }
    });

    it('end at the agent when the sender of an upload leaves', async () => {
      takeUploads(agent);
      const { sender } = client.startUpload(agent.device, 10 * CHUNK.length);
      sender.write(CHUNK);
      await eventually('the upload has begun', () => transfersAt(1) === 1);
      sender.destroy();
      await noneUnderWay();
    });

    it('go to the node to which the device has moved, before the body is sent', async () => {
      agent.on(agentClient.GetPathSegments, () => {
        throw new Error('It is not asked.');
      });
      await directory().find(agent.device.id);
      const before = await directory().find(agent.device.id);
      const moved = keep(await FakeAgent.online(nodes.node(2), agent.device));
      await waitOnline(nodes.node(2), agent.device.id);
      await agent.stop();
      await waitOffline(nodes.node(1), agent.device.id);
      // What this node knows is the former place.
      expect(await directory().find(agent.device.id)).toEqual(before);
      const taken = takeUploads(moved);
      const response = await client.upload(agent.device, 3 * CHUNK.length);
      expect(response.statusCode).toBe(200);
      expect(taken.map(({ length }) => length)).toEqual([3 * CHUNK.length]);
      expect((await directory().find(agent.device.id))?.nodeId).toBe(nodes.node(2).app.get(ServerNode, { strict: false }).id);
    });

    describe('take files of viewers at another node', () => {
      const file = (fileSize: number): FileUploadMetadata => ({
        deviceId: agent.device.id,
        targetDirectory: '/target',
        fileName: 'ß.bin',
        fileSize,
        contentType: 'application/octet-stream',
        overwrite: false,
      });

      async function viewerAt(node: number): Promise<TestViewer> {
        const { headers } = await callerWith(nodes.node(0), tenant, [Permission.DeviceFileSystemTransferUpload], at.tenant(tenant));
        return keep(await TestViewer.connect(nodes.node(node), headers));
      }

      it('whole, also after the device has moved', async () => {
        const viewer = await viewerAt(0);
        const taken = takeUploads(agent);
        const bytes = randomBytes(2 * MEBIBYTE);
        const pieces = Array.from({ length: 64 }, (_, index) => bytes.subarray(index * 32_768, (index + 1) * 32_768));
        expect(await viewer.call(viewerHub.UploadFile, file(bytes.length), Readable.from(pieces))).toMatchObject({ isSuccess: true });
        expect(taken.map(sha256)).toEqual([sha256(bytes)]);
        const moved = keep(await FakeAgent.online(nodes.node(2), agent.device));
        await waitOnline(nodes.node(2), agent.device.id);
        await agent.stop();
        await waitOffline(nodes.node(1), agent.device.id);
        const takenThere = takeUploads(moved);
        expect(await viewer.call(viewerHub.UploadFile, file(bytes.length), Readable.from(pieces))).toMatchObject({ isSuccess: true });
        expect(takenThere.map(sha256)).toEqual([sha256(bytes)]);
      });

      it('not, with its reason, when the agent refuses or the file is too short', async () => {
        const viewer = await viewerAt(0);
        agent.on(agentClient.DownloadFileFromViewer, () => hubFailure('The disk is full.'));
        const refused = await viewer.call(viewerHub.UploadFile, file(CHUNK.length), Readable.from([CHUNK]));
        expect(refused).toMatchObject({ isSuccess: false, reason: 'Agent failed to download file: The disk is full.' });
        takeUploads(agent);
        const short = await viewer.call(viewerHub.UploadFile, file(2 * CHUNK.length), Readable.from([CHUNK]));
        expect(short).toMatchObject({
          isSuccess: false,
          reason: `The upload ended after ${CHUNK.length} of ${2 * CHUNK.length} bytes.`,
        });
        await noneUnderWay();
      });

      it('not any more when the viewer leaves', async () => {
        const viewer = await viewerAt(0);
        takeUploads(agent);
        const waiting = viewer.connection.invoke(viewerHub.UploadFile.name, FileUploadMetadata.encode(file(10), 'json'), new Subject());
        waiting.catch(() => undefined);
        await eventually('the upload has begun', () => transfersAt(1) === 1);
        viewer.vanish();
        await noneUnderWay();
      });
    });

    it('answer 409 once the device is offline', async () => {
      await directory().find(agent.device.id);
      await agent.stop();
      await waitOffline(nodes.node(1), agent.device.id);
      await eventually('the row says so', async () => (await client.download(agent.device)).status === 409);
      expect(await client.download(agent.device)).toMatchObject({ status: 409, problem: { detail: 'The device is offline.' } });
      expect((await client.upload(agent.device, 10)).statusCode).toBe(409);
    });

    it('answer 503 while its node cannot be reached, and when too much is passed on', async () => {
      const lost = await createKeyedDevice(nodes.node(0), tenant);
      const { dataSource } = nodes.node(0);
      await dataSource.query(`INSERT INTO nodes (id, address, started_at, last_seen_at) VALUES ('lost', '127.0.0.1:1', now(), now())`);
      await dataSource.query(`UPDATE devices SET is_online = TRUE, node_id = 'lost', connection_id = 'lost.1' WHERE id = $1`, [lost.id]);
      const unreachable = { status: 503, problem: { detail: 'The node of this device cannot be reached.' } };
      expect(await client.download(lost)).toMatchObject(unreachable);
      const upload = await client.upload(lost, 10);
      expect([upload.statusCode, upload.headers['retry-after']]).toEqual([503, '2']);
      await dataSource.query(`DELETE FROM nodes WHERE id = 'lost'`);
      const limits = nodes.node(0).app.get(PassingLimits, { strict: false });
      Object.assign(limits, { forwarded: 0 });
      try {
        expect(await client.download(agent.device)).toMatchObject(unreachable);
      } finally {
        Object.assign(limits, new PassingLimits());
      }
    });
  });
});
