import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Subject } from '@microsoft/signalr';

import {
  agentClient,
  agentHub,
  FILE_CHUNK_BYTES,
  FileUploadHubDto,
  FileUploadMetadata,
  hubFailure,
  hubOk,
  type HubResult,
  viewerHub,
} from '#libs/contracts';

import { Permission, type PermissionDefinition } from '../../../src/access/authorization/permissions/permission.js';
import { createKeyedDevice, FakeAgent, ReferenceAgent, type KeyedDevice } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { at } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { callerWith, TestViewer } from '../viewer-client.js';

const LIMIT = 1_000_000;
const failed = (reason: string): object => ({ isSuccess: false, reason, errorCode: null });
const succeeded = { isSuccess: true, reason: null, errorCode: null };

/** An upload whose stream the test provides. */
class Upload {
  private readonly subject = new Subject<unknown>();
  readonly result: Promise<unknown>;

  constructor(viewer: TestViewer, metadata: FileUploadMetadata) {
    const encoded = FileUploadMetadata.encode(metadata, 'json');
    this.result = viewer.connection.invoke(viewerHub.UploadFile.name, encoded, this.subject);
    // A viewer that disconnects does not get the error.
    this.result.catch(() => undefined);
  }

  send(...chunks: readonly Uint8Array[]): this {
    for (const chunk of chunks) this.subject.next(Buffer.from(chunk).toString('base64'));
    return this;
  }

  complete(): this {
    this.subject.complete();
    return this;
  }

  cancel(): this {
    this.subject.error(new Error('Canceled by the user.'));
    return this;
  }
}

function errorOf(message: string): never {
  throw new Error(message);
}

function chunksOf(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / FILE_CHUNK_BYTES) }, (_, index) =>
    bytes.subarray(index * FILE_CHUNK_BYTES, (index + 1) * FILE_CHUNK_BYTES),
  );
}

describe('UploadFile', () => {
  const server = testServer({ Service_AppOptions__MaxFileTransferSize: String(LIMIT) });
  const tenant = testTenant(server);
  const keep = stopAfterEach();

  async function connect(...permissions: PermissionDefinition[]): Promise<TestViewer> {
    const { headers } = await callerWith(server, tenant, permissions, at.tenant(tenant));
    return keep(await TestViewer.connect(server, headers));
  }

  const uploader = (): Promise<TestViewer> => connect(Permission.DeviceFileSystemTransferUpload);

  function file(deviceId: string, changes: Partial<FileUploadMetadata> = {}): FileUploadMetadata {
    return {
      deviceId,
      targetDirectory: '/tmp',
      fileName: 'file.bin',
      fileSize: 3,
      contentType: 'application/octet-stream',
      overwrite: false,
      ...changes,
    };
  }

  describe('to the reference agent', () => {
    let device: KeyedDevice;
    let agent: ReferenceAgent;
    let folder: string;

    beforeAll(async () => {
      device = await createKeyedDevice(server, tenant);
      agent = await ReferenceAgent.start(server, device);
      folder = await mkdtemp(join(tmpdir(), 'upload-'));
    });

    afterAll(async () => {
      await agent.stop();
      await rm(folder, { recursive: true });
    });

    it('writes the bytes of the viewer and then answers', async () => {
      const bytes = randomBytes(LIMIT);
      const metadata = file(device.id, { targetDirectory: folder, fileName: 'whole.bin', fileSize: bytes.length });
      const upload = new Upload(await uploader(), metadata).send(...chunksOf(bytes)).complete();
      expect(await upload.result).toEqual(succeeded);
      expect(Buffer.compare(await readFile(join(folder, 'whole.bin')), bytes)).toBe(0);
    });

    it('writes an empty file', async () => {
      const upload = new Upload(await uploader(), file(device.id, { targetDirectory: folder, fileName: 'empty', fileSize: 0 })).complete();
      expect(await upload.result).toEqual(succeeded);
      expect(await readFile(join(folder, 'empty'))).toHaveLength(0);
    });

    it('passes on the agent’s refusal to replace a file, and replaces it with `overwrite`', async () => {
      await writeFile(join(folder, 'there'), 'old');
      const viewer = await uploader();
      const metadata = file(device.id, { targetDirectory: folder, fileName: 'there' });
      const refused = new Upload(viewer, metadata).send(Buffer.from('new')).complete();
      expect(await refused.result).toEqual(failed('Agent failed to download file: File already exists.'));
      expect(await readFile(join(folder, 'there'), 'utf8')).toBe('old');
      const replaced = new Upload(viewer, { ...metadata, overwrite: true }).send(Buffer.from('new')).complete();
      expect(await replaced.result).toEqual(succeeded);
      expect(await readFile(join(folder, 'there'), 'utf8')).toBe('new');
    });

    it.each<[string, (upload: Upload, viewer: TestViewer) => void]>([
      ['the viewer cancels', (upload) => upload.cancel()],
      ['the viewer vanishes', (_, viewer) => viewer.vanish()],
    ])('leaves nothing behind when %s', async (name, stop) => {
      const viewer = await uploader();
      const before = await readdir(folder);
      const upload = new Upload(viewer, file(device.id, { targetDirectory: folder, fileName: name, fileSize: LIMIT }));
      upload.send(...chunksOf(randomBytes(LIMIT / 2)));
      await eventually('the agent has begun', async () => (await readdir(folder)).length > before.length);
      stop(upload, viewer);
      await eventually('the agent has cleaned up', async () => (await readdir(folder)).length === before.length);
    });
  });

  describe('to an agent', () => {
    async function online(): Promise<{ device: KeyedDevice; agent: FakeAgent }> {
      const device = await createKeyedDevice(server, tenant);
      const agent = keep(await FakeAgent.online(server, device));
      return { device, agent };
    }

    /** The bytes of the stream. Rejects with its error when the stream breaks. */
    function fetchAll(agent: FakeAgent, dto: FileUploadHubDto, onItem: (length: number) => void = () => undefined): Promise<Buffer> {
      return new Promise((resolve, reject) => {
        const chunks: Buffer[] = [];
        agent.connection.stream<string>(agentHub.GetFileStreamFromViewer.name, FileUploadHubDto.encode(dto, 'json')).subscribe({
          next: (item) => {
            chunks.push(Buffer.from(item, 'base64'));
            onItem(Buffer.concat(chunks).length);
          },
          complete: () => resolve(Buffer.concat(chunks)),
          error: reject,
        });
      });
    }

    it('announces the file, and lets only that agent fetch the stream, once', async () => {
      const { device, agent } = await online();
      const { agent: thief } = await online();
      const requests: FileUploadHubDto[] = [];
      const errors: unknown[] = [];
      let content = '';
      agent.on(agentClient.DownloadFileFromViewer, async (dto) => {
        requests.push(dto);
        errors.push(await fetchAll(thief, dto).catch((error: unknown) => String(error)));
        content = (await fetchAll(agent, dto)).toString();
        errors.push(await fetchAll(agent, dto).catch((error: unknown) => String(error)));
        return hubOk();
      });
      const metadata = file(device.id, { targetDirectory: 'C:\\Temp', fileName: 'ä.txt', overwrite: true });
      const upload = new Upload(await uploader(), metadata).send(Buffer.from('abc')).complete();
      expect(await upload.result).toEqual(succeeded);
      expect(requests).toEqual([
        {
          streamId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          targetDirectoryPath: 'C:\\Temp',
          fileName: 'ä.txt',
          fileSize: 3,
          overwrite: true,
        },
      ]);
      expect(content).toBe('abc');
      for (const error of errors) expect(error).toContain('Nobody waits for this stream.');
    });

    it.each<[string, PermissionDefinition[]]>([
      ['without a permission', []],
      [
        'with every other permission of the file system',
        [Permission.DeviceFileSystemRead, Permission.DeviceFileSystemWrite, Permission.DeviceFileSystemTransferDownload],
      ],
    ])('is refused %s, before the agent hears of it', async (_, permissions) => {
      const { device, agent } = await online();
      let isCalled = false;
      agent.on(agentClient.DownloadFileFromViewer, () => ((isCalled = true), hubOk()));
      const viewer = await connect(...permissions);
      const upload = new Upload(viewer, file(device.id)).send(Buffer.from('abc')).complete();
      expect(await upload.result).toEqual(failed('Forbidden.'));
      expect(isCalled).toBe(false);
      // The rest of a refused stream does not disturb the connection.
      upload.send(...chunksOf(randomBytes(400_000)));
      expect(await viewer.call(viewerHub.SubscribeToDeviceHeartbeats2, { deviceIds: [] })).toEqual(succeeded);
    });

    it('is refused because of its announced size before anything is sent, with the limit in the reason', async () => {
      const { device, agent } = await online();
      let isCalled = false;
      agent.on(agentClient.DownloadFileFromViewer, () => ((isCalled = true), hubOk()));
      const viewer = await uploader();
      expect(await new Upload(viewer, file(device.id, { fileSize: LIMIT + 1 })).complete().result).toMatchObject({
        isSuccess: false,
        reason: expect.stringContaining(String(LIMIT)),
      });
      expect(isCalled).toBe(false);
    });

    it('fails when the stream is longer than the limit, and ends the agent’s stream with an error', async () => {
      const { device, agent } = await online();
      const fetched: string[] = [];
      agent.on(agentClient.DownloadFileFromViewer, async (dto) => {
        fetched.push(await fetchAll(agent, dto).then(() => 'whole', String));
        return hubFailure('The stream broke.');
      });
      const upload = new Upload(await uploader(), file(device.id, { fileSize: 10 })).send(...chunksOf(randomBytes(LIMIT + 1))).complete();
      expect(await upload.result).toMatchObject({ isSuccess: false, reason: expect.stringContaining(String(LIMIT)) });
      expect(fetched).toEqual([expect.stringContaining(String(LIMIT))]);
    });

    it.each<[string, () => HubResult]>([
      ['answers', () => hubFailure('The stream broke.')],
      ['only fails', () => errorOf('The stream broke.')],
    ])('ends for both when the viewer cancels, and the agent %s', async (_case, answer) => {
      const { device, agent } = await online();
      const fetched: string[] = [];
      let received = 0;
      agent.on(agentClient.DownloadFileFromViewer, async (dto) => {
        fetched.push(await fetchAll(agent, dto, (length) => (received = length)).then(() => 'whole', String));
        return answer();
      });
      const upload = new Upload(await uploader(), file(device.id)).send(Buffer.from('abc'));
      await eventually('the agent has the first bytes', () => received === 3);
      upload.cancel();
      expect(await upload.result).toEqual(failed('File upload was canceled.'));
      expect(fetched).toEqual([expect.stringContaining('canceled by client')]);
    });

    it('fails when the agent refuses the file', async () => {
      const { device, agent } = await online();
      agent.on(agentClient.DownloadFileFromViewer, () => hubFailure('The disk is full.'));
      const viewer = await uploader();
      const upload = new Upload(viewer, file(device.id)).send(...chunksOf(randomBytes(600_000)));
      expect(await upload.result).toEqual(failed('Agent failed to download file: The disk is full.'));
      agent.answerRaw(agentClient.DownloadFileFromViewer, () => ({ isSuccess: false }));
      expect(await new Upload(viewer, file(device.id)).complete().result).toEqual(
        failed('Agent failed to download file: no reason given.'),
      );
    });

    it.each<[string, boolean]>([
      ['before it fetches', false],
      ['in the middle', true],
    ])('fails when the agent vanishes %s', async (_, fetches) => {
      const { device, agent } = await online();
      agent.on(agentClient.DownloadFileFromViewer, async (dto) => {
        if (fetches) await fetchAll(agent, dto, () => agent.vanish()).catch(() => undefined);
        else agent.vanish();
        return hubOk();
      });
      const viewer = await uploader();
      const upload = new Upload(viewer, file(device.id)).send(...chunksOf(randomBytes(600_000)));
      expect(await upload.result).toEqual(failed('An error occurred during file upload.'));
      expect(await viewer.call(viewerHub.SubscribeToDeviceHeartbeats2, { deviceIds: [] })).toEqual(succeeded);
    });

    it('runs in parallel with other uploads of the same viewer', async () => {
      const { device, agent } = await online();
      const contents = new Map<string, string>();
      agent.on(agentClient.DownloadFileFromViewer, async (dto) => {
        contents.set(dto.fileName, (await fetchAll(agent, dto)).toString());
        return hubOk();
      });
      const viewer = await uploader();
      const names = Array.from({ length: 8 }, (_, index) => `file-${index}`);
      const uploads = names.map((fileName) => new Upload(viewer, file(device.id, { fileName })));
      for (const [index, upload] of uploads.entries()) upload.send(Buffer.from(names[index]));
      for (const upload of uploads) upload.complete();
      expect(await Promise.all(uploads.map(({ result }) => result))).toEqual(names.map(() => succeeded));
      expect(Object.fromEntries(contents)).toEqual(Object.fromEntries(names.map((name) => [name, name])));
    });
  });
});
