import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { agentClient, agentHub, FILE_CHUNK_BYTES, hubFailure, hubOk, hubValue, Timestamp, type FileSystemEntryDto } from '#libs/contracts';

import { SignalRHost } from '../../libs/signalr/src/nest/signalr.module.js';
import { AGENT_HUB_PATH } from '../../src/common/hub-paths.js';
import { DeviceTimes } from '../../src/device-link/device-times.js';
import type { ProblemDetails } from '../../src/http/problem-details.js';
import { MAX_LISTING_ENTRIES } from '../../src/file-system/directory-listings.service.js';
import { createKeyedDevice, FakeAgent, ReferenceAgent, waitOffline, type FakeStream, type KeyedDevice } from '../support/agents.js';
import { ROOT_KEY } from '../support/app.js';
import { eventually, settled } from '../support/eventually.js';
import { createTenant } from '../support/factories.js';
import { testServer } from '../support/test-server.js';

/* Transfers between HTTP and devices when a side misbehaves: whatever happens, a body that ends is whole. */

const BASE = '/api/v1/device-file-system';
const MEBIBYTE = 1024 * 1024;
const CHUNK = Buffer.alloc(FILE_CHUNK_BYTES, 7);
/** For what is never done in time. */
const SHORT_MS = 200;
/** For what must begin in time, also on a machine that has much else to do, and then is not finished. */
const UNHURRIED_MS = 2_000;
const { SendFileContentStream, SendDirectoryContentsStream } = agentHub;

const server = testServer({ Service_AppOptions__MaxFileTransferSize: '0' });
let tenantId: string;

beforeAll(async () => {
  tenantId = (await createTenant(server)).id;
});

/** Times of one test; the service's own come back after it. */
function hurry(times: Partial<DeviceTimes>): void {
  Object.assign(server.app.get(DeviceTimes), times);
}

afterEach(() => hurry(new DeviceTimes()));

/** For as long as the work takes, full streams of agents get nothing more; else every second a sweep lets a little in. */
async function withoutTrickle(work: () => Promise<void>): Promise<void> {
  const { limits } = server.app.get(SignalRHost, { strict: false }).server.hub(AGENT_HUB_PATH);
  const { slowStreamBuffer } = limits;
  Object.assign(limits, { slowStreamBuffer: 0 });
  try {
    await work();
  } finally {
    Object.assign(limits, { slowStreamBuffer });
  }
}

function urlOf(path: string, query: Record<string, string> = {}): URL {
  const url = new URL(`${BASE}/${path}`, server.url);
  url.search = new URLSearchParams({ tenantId, ...query }).toString();
  return url;
}

interface Outcome {
  /** 0 when the connection was cut before its head had left the server. */
  readonly status: number;
  readonly problem: ProblemDetails | undefined;
  /** The bytes of a body that ended; undefined when the connection was cut in the middle of it. */
  readonly bytes: Buffer | undefined;
}

async function settle(pending: Promise<Response>): Promise<Outcome> {
  const response = await pending.catch(() => undefined);
  if (response === undefined) return { status: 0, bytes: undefined, problem: undefined };
  const { status } = response;
  const bytes = await response.arrayBuffer().then(
    (body) => Buffer.from(body),
    () => undefined,
  );
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') === true;
  return { status, bytes, problem: isProblem && bytes !== undefined ? (JSON.parse(bytes.toString()) as ProblemDetails) : undefined };
}

const headers = { 'x-api-key': ROOT_KEY };
const download = (device: KeyedDevice): Promise<Outcome> =>
  settle(fetch(urlOf(`download/${device.id}`, { filePath: '/file' }), { headers }));

function list(device: KeyedDevice): Promise<Outcome> {
  const body = JSON.stringify({ deviceId: device.id, directoryPath: '/directory' });
  return settle(fetch(urlOf('contents'), { method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } }));
}

const WHOLE = { status: 200, bytes: expect.any(Buffer) };
const CUT = { bytes: undefined, problem: undefined };

describe('a hand-made agent', () => {
  let device: KeyedDevice;
  let agent: FakeAgent;

  beforeEach(async () => {
    device = await createKeyedDevice(server, { id: tenantId });
    agent = await FakeAgent.online(server, device);
  });

  afterEach(() => agent.stop());

  /** Announces a file of so many bytes, then lets the test send what it likes. */
  function announce(fileSize: number, send: (streamId: string) => void, by = agent): void {
    by.on(agentClient.UploadFileToViewer, ({ streamId }) => {
      setImmediate(() => send(streamId));
      return hubValue({ fileSize, fileDisplayName: 'file' });
    });
  }

  const openFile = (streamId: string, by = agent): FakeStream => by.openStream(SendFileContentStream, streamId);

  /** The connection still serves: nothing holds it. */
  async function expectAlive(): Promise<void> {
    agent.on(agentClient.GetPathSegments, () => ({
      success: true,
      errorMessage: null,
      pathExists: true,
      pathSegments: [],
      pathSeparator: '/',
    }));
    const body = JSON.stringify({ deviceId: device.id, targetPath: '/' });
    const answer = await settle(
      fetch(urlOf('path-segments'), { method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } }),
    );
    expect(answer.status).toBe(200);
  }

  describe('asked for a file', () => {
    it.each(['json', 'messagepack'] as const)('sends it in %s', async (encoding) => {
      const other = await createKeyedDevice(server, { id: tenantId });
      const fake = await FakeAgent.online(server, other, encoding);
      announce(2 * CHUNK.length, (id) => openFile(id, fake).send(CHUNK).send(CHUNK).complete(), fake);
      const { bytes } = await download(other);
      expect(bytes?.equals(Buffer.concat([CHUNK, CHUNK]))).toBe(true);
      await fake.stop();
    });

    it('opens the stream before it answers', async () => {
      agent.on(agentClient.UploadFileToViewer, async ({ streamId }) => {
        openFile(streamId).send(CHUNK).complete();
        await agent.heartbeat();
        return hubValue({ fileSize: CHUNK.length, fileDisplayName: 'file' });
      });
      expect(await download(device)).toMatchObject(WHOLE);
    });

    it('never answers: 504', async () => {
      hurry({ preparationMs: SHORT_MS });
      agent.on(agentClient.UploadFileToViewer, () => new Promise(() => undefined));
      expect(await download(device)).toMatchObject({ status: 504, problem: { title: 'Gateway timeout.', status: 504 } });
      await expectAlive();
    });

    it('answers and never sends: 504', async () => {
      hurry({ preparationMs: SHORT_MS });
      announce(1, () => undefined);
      expect(await download(device)).toMatchObject({ status: 504 });
    });

    it.each<[string, (...raw: unknown[]) => unknown]>([
      ['null', () => null],
      ['a success without a value', () => hubOk()],
      ['something else', () => ({ isSuccess: 'perhaps' })],
      ['an error', () => Promise.reject(new Error('broken'))],
    ])('answers %s: 502', async (_what, answer) => {
      agent.answerRaw(agentClient.UploadFileToViewer, (dto) => {
        openFile((dto as { streamId: string }).streamId)
          .send(CHUNK)
          .complete();
        return answer();
      });
      expect(await download(device)).toMatchObject({ status: 502, problem: { title: 'Bad gateway.' } });
      await expectAlive();
    });

    it('announces a negative size: 502', async () => {
      announce(-1, (id) => openFile(id).complete());
      expect(await download(device)).toMatchObject({ status: 502 });
    });

    it.each([
      ['The path does not exist.', 404],
      ["Could not find a part of the path 'C:\\x'.", 404],
      ['Path is required.', 400],
      ['Access to the path is denied.', 502],
    ])('refuses with %j: %d', async (reason, status) => {
      agent.on(agentClient.UploadFileToViewer, () => hubFailure(reason));
      expect(await download(device)).toMatchObject({ status, problem: { detail: reason } });
    });

    it('vanishes before it answers: 502 at once', async () => {
      agent.on(agentClient.UploadFileToViewer, () => {
        agent.vanish();
        return new Promise(() => undefined);
      });
      expect(await download(device)).toMatchObject({ status: 502, problem: { detail: 'The device disconnected before it was done.' } });
    });

    it('vanishes between its answer and the first byte: 502 at once', async () => {
      announce(CHUNK.length, () => agent.vanish());
      expect(await download(device)).toMatchObject({ status: 502 });
    });

    it('vanishes with the stream open: 502 before the first byte, cut after it', async () => {
      announce(CHUNK.length, (id) => {
        openFile(id);
        setImmediate(() => agent.vanish());
      });
      expect(await download(device)).toMatchObject({ status: 502 });
      await waitOffline(server, device.id);
      agent = await FakeAgent.online(server, device);
      announce(10 * CHUNK.length, (id) => openFile(id).send(CHUNK).send(CHUNK).send(CHUNK));
      const response = await fetch(urlOf(`download/${device.id}`, { filePath: '/file' }), { headers });
      expect(response.status).toBe(200);
      agent.vanish();
      await expect(response.arrayBuffer()).rejects.toThrow();
    });

    it.each([
      ['less than announced', 3 * CHUNK.length + 1, 3],
      ['more than announced', 3 * CHUNK.length - 1, 3],
      ['a whole piece more', 3 * CHUNK.length, 4],
    ])('sends %s: the response is cut', async (_what, announced, pieces) => {
      announce(announced, (id) => {
        const stream = openFile(id);
        for (let piece = 0; piece < pieces; piece++) stream.send(CHUNK);
        stream.complete();
      });
      expect(await download(device)).toMatchObject(CUT);
      await expectAlive();
    });

    it.each([
      ['nothing of an announced file', 1, 0],
      ['more than announced in its first piece', 1, 1],
    ])('sends %s: 502', async (_what, announced, pieces) => {
      announce(announced, (id) => {
        const stream = openFile(id);
        for (let piece = 0; piece < pieces; piece++) stream.send(CHUNK);
        stream.complete();
      });
      expect(await download(device)).toMatchObject({ status: 502 });
    });

    it('ends the stream with an error: its reason before the first byte, cut after it', async () => {
      announce(CHUNK.length, (id) => openFile(id).fail('Permission denied.'));
      expect(await download(device)).toMatchObject({ status: 502, problem: { detail: 'Permission denied.' } });
      const stack = '\r\n   at Agent.Read(String path)\r\n   at Agent.Send()';
      announce(CHUNK.length, (id) => openFile(id).fail(`Stream errored by client: 'System.IO.IOException: The disk broke.${stack}'`));
      expect(await download(device)).toMatchObject({ status: 502, problem: { detail: 'The disk broke.' } });
      announce(4 * CHUNK.length, (id) => openFile(id).send(CHUNK).send(CHUNK).fail('The disk broke.'));
      expect(await download(device)).toMatchObject(CUT);
      announce(2 * CHUNK.length, (id) => openFile(id).send(CHUNK).send(CHUNK).fail('The disk broke at the very end.'));
      expect(await download(device)).toMatchObject(CUT);
    });

    it('sends items that are no bytes: 502, or cut', async () => {
      announce(CHUNK.length, (id) => openFile(id).sendRaw({ not: 'bytes' }));
      expect(await download(device)).toMatchObject({ status: 502, problem: { detail: 'The device gave no usable answer.' } });
      announce(3 * CHUNK.length, (id) => openFile(id).send(CHUNK).send(CHUNK).sendRaw(5));
      expect(await download(device)).toMatchObject(CUT);
      await expectAlive();
    });

    it('stops sending: 504 before the first byte, cut after it', async () => {
      hurry({ idleMs: SHORT_MS });
      announce(CHUNK.length, (id) => openFile(id));
      expect(await download(device)).toMatchObject({ status: 504 });
      hurry({ idleMs: UNHURRIED_MS });
      announce(3 * CHUNK.length, (id) => openFile(id).send(CHUNK).send(CHUNK));
      expect(await download(device)).toMatchObject(CUT);
      await expectAlive();
    });

    it('opens a stream of another kind: it is not taken for the file', async () => {
      announce(CHUNK.length, (id) => {
        agent.openStream(SendDirectoryContentsStream, id, true).send([]).complete();
        openFile(id).send(CHUNK).complete();
      });
      expect((await download(device)).bytes?.equals(CHUNK)).toBe(true);
    });

    it('opens the stream twice: the first one counts', async () => {
      announce(CHUNK.length, (id) => {
        const first = openFile(id);
        openFile(id).send(Buffer.alloc(CHUNK.length, 1)).complete();
        first.send(CHUNK).complete();
      });
      expect((await download(device)).bytes?.equals(CHUNK)).toBe(true);
      await expectAlive();
    });

    it('is not spoken for by another device', async () => {
      const intruder = await FakeAgent.online(server, await createKeyedDevice(server, { id: tenantId }));
      announce(CHUNK.length, (id) => {
        openFile(id, intruder).send(Buffer.alloc(CHUNK.length, 1)).complete();
        // Answered after the intruder's stream has reached the server.
        void intruder.heartbeat().then(() => openFile(id).send(CHUNK).complete());
      });
      expect((await download(device)).bytes?.equals(CHUNK)).toBe(true);
      await intruder.stop();
    });
  });

  it('sends a stream that nobody asked for: it is drained, and the connection goes on', async () => {
    const stream = openFile('0190a0b0-0000-7000-8000-00000000beef');
    for (let piece = 0; piece < 500; piece++) stream.send(CHUNK);
    stream.complete();
    await expectAlive();
    expect(await agent.heartbeat()).toMatchObject({ isSuccess: true });
  });

  describe('whose reader', () => {
    it('leaves in the middle: what still comes is drained', async () => {
      let stream: FakeStream | undefined;
      announce(1_000 * CHUNK.length, (id) => (stream = openFile(id).send(CHUNK).send(CHUNK).send(CHUNK)));
      const leaving = new AbortController();
      const response = await fetch(urlOf(`download/${device.id}`, { filePath: '/file' }), { headers, signal: leaving.signal });
      expect(response.status).toBe(200);
      leaving.abort();
      for (let piece = 0; piece < 997; piece++) stream?.send(CHUNK);
      stream?.complete();
      await expectAlive();
      await eventually('everything was taken', () => agent.unsentBytes === 0);
    });

    it('leaves before the file is there', async () => {
      const asked = new Promise<void>((resolve) => {
        agent.on(agentClient.UploadFileToViewer, () => {
          resolve();
          return new Promise(() => undefined);
        });
      });
      const leaving = new AbortController();
      const response = fetch(urlOf(`download/${device.id}`, { filePath: '/file' }), { headers, signal: leaving.signal });
      await asked;
      leaving.abort();
      await expect(response).rejects.toThrow();
      await expectAlive();
    });

    it('takes nothing for too long: it is cut off, and the device is free again', async () => {
      hurry({ idleMs: SHORT_MS });
      announce(2_000 * CHUNK.length, (id) => {
        const stream = openFile(id);
        for (let piece = 0; piece < 2_000; piece++) stream.send(CHUNK);
        stream.complete();
      });
      const reader = await openReader(`download/${device.id}`, { filePath: '/file' });
      const closed = new Promise((resolve) => reader.on('error', () => undefined).once('close', resolve));
      await expectAlive();
      reader.resume();
      await closed;
      expect(reader.complete).toBe(false);
    });
  });

  describe('asked for a listing', () => {
    const entry = (name: string): FileSystemEntryDto => ({
      name,
      fullPath: `/${name}`,
      isDirectory: false,
      size: 1,
      lastModified: Timestamp.fromDate(new Date(0)),
      isHidden: false,
      canRead: true,
      canWrite: true,
      hasSubfolders: false,
    });

    const openListing = (streamId: string): FakeStream => agent.openStream(SendDirectoryContentsStream, streamId, true);

    it('is heard while it still sends, and answers last', async () => {
      let finish = (): void => undefined;
      agent.on(agentClient.StreamDirectoryContents, ({ streamId }) => {
        const stream = openListing(streamId).send([entry('first')]);
        return new Promise((resolve) => {
          finish = () => {
            stream.send([entry('last')]).complete();
            resolve(hubOk());
          };
        });
      });
      const body = JSON.stringify({ deviceId: device.id, directoryPath: '/' });
      const response = await fetch(urlOf('contents'), {
        method: 'POST',
        body,
        headers: { ...headers, 'content-type': 'application/json' },
      });
      expect(response.status).toBe(200);
      finish();
      const listing = (await response.json()) as { items: FileSystemEntryDto[] };
      expect(listing).toMatchObject({ directoryExists: true, items: [{ name: 'first' }, { name: 'last' }] });
    });

    it.each<[string, readonly FileSystemEntryDto[], object]>([
      ['nothing', [], { status: 502, problem: { detail: 'Permission denied.' } }],
      ['entries', [entry('a')], CUT],
    ])('refuses after it sent %s', async (_what, entries, expected) => {
      agent.on(agentClient.StreamDirectoryContents, ({ streamId }) => {
        const stream = openListing(streamId);
        if (entries.length > 0) stream.send(entries);
        stream.complete();
        return hubFailure('Permission denied.');
      });
      expect(await list(device)).toMatchObject(expected);
    });

    it('vanishes in the middle: the text does not end', async () => {
      agent.on(agentClient.StreamDirectoryContents, ({ streamId }) => {
        openListing(streamId).send([entry('a')]);
        return new Promise(() => undefined);
      });
      const body = JSON.stringify({ deviceId: device.id, directoryPath: '/' });
      const response = await fetch(urlOf('contents'), {
        method: 'POST',
        body,
        headers: { ...headers, 'content-type': 'application/json' },
      });
      agent.vanish();
      await expect(response.text()).rejects.toThrow();
    });

    it('never answers: 504, or cut when it had begun', async () => {
      hurry({ answerMs: SHORT_MS, idleMs: SHORT_MS });
      agent.on(agentClient.StreamDirectoryContents, () => new Promise(() => undefined));
      expect(await list(device)).toMatchObject({ status: 504 });
      hurry({ answerMs: UNHURRIED_MS, idleMs: UNHURRIED_MS });
      agent.on(agentClient.StreamDirectoryContents, ({ streamId }) => {
        openListing(streamId)
          .send([entry('a')])
          .complete();
        return new Promise(() => undefined);
      });
      expect(await list(device)).toMatchObject(CUT);
    });

    it('has more entries than a listing may: the response is cut', async () => {
      const item = Array.from({ length: 2_500 }, (_, index) => entry(String(index)));
      agent.on(agentClient.StreamDirectoryContents, ({ streamId }) => {
        const stream = openListing(streamId);
        for (let sent = 0; sent <= MAX_LISTING_ENTRIES; sent += item.length) stream.send(item);
        stream.complete();
        return hubOk();
      });
      expect(await list(device)).toMatchObject(CUT);
      await expectAlive();
    });

    it.each(['GetRootDrives', 'GetLogFiles'] as const)('%s: silent 504, null 502', async (name) => {
      hurry({ answerMs: SHORT_MS });
      const ask = (): Promise<Outcome> =>
        name === 'GetLogFiles'
          ? settle(fetch(urlOf(`logs/${device.id}`), { headers }))
          : settle(
              fetch(urlOf('root-drives'), {
                method: 'POST',
                body: JSON.stringify({ deviceId: device.id }),
                headers: { ...headers, 'content-type': 'application/json' },
              }),
            );
      agent.answerRaw(agentClient[name], () => new Promise(() => undefined));
      expect(await ask()).toMatchObject({ status: 504 });
      hurry(new DeviceTimes());
      agent.answerRaw(agentClient[name], () => null);
      expect(await ask()).toMatchObject({ status: 502 });
    });
  });

  describe('given a file', () => {
    /** Starts a form whose file has so many bytes; the test writes them. */
    function startUpload(fileSize: number): { readonly sender: ClientRequest; readonly answer: Promise<IncomingMessage> } {
      const head =
        `--b\r\nContent-Disposition: form-data; name="targetSaveDirectory"\r\n\r\n/target\r\n` +
        `--b\r\nContent-Disposition: form-data; name="file"; filename="up.bin"\r\n\r\n`;
      const sender = httpRequest(urlOf(`upload/${device.id}`), {
        method: 'POST',
        headers: { ...headers, 'content-type': 'multipart/form-data; boundary=b', 'content-length': head.length + fileSize + TAIL.length },
      });
      const answer = once(sender, 'response').then(([response]: IncomingMessage[]) => response);
      // Senders that are cut off are what some tests are about.
      sender.on('error', () => undefined);
      answer.catch(() => undefined);
      sender.write(head);
      return { sender, answer };
    }

    const TAIL = '\r\n--b--\r\n';

    async function upload(fileSize: number): Promise<IncomingMessage> {
      const { sender, answer } = startUpload(fileSize);
      sender.end(Buffer.concat([Buffer.alloc(fileSize), Buffer.from(TAIL)]));
      const response = await answer;
      response.resume();
      return response;
    }

    /** Fetches the offered bytes; settles with their number, or rejects with the error that ended them. */
    function take(dto: Parameters<(typeof agentHub.GetFileStreamFromViewer.parameters)[0]['encode']>[0]): Promise<number> {
      const { name, parameters, returns } = agentHub.GetFileStreamFromViewer;
      return new Promise((resolve, reject) => {
        let total = 0;
        agent.connection.stream<unknown>(name, parameters[0].encode(dto, 'json')).subscribe({
          next: (item) => (total += returns.stream.decode(item, 'json').length),
          complete: () => resolve(total),
          error: reject,
        });
      });
    }

    it('is told the size to the byte, but for the line break that may end a form', async () => {
      let announced = 0;
      agent.on(agentClient.DownloadFileFromViewer, async (dto) => {
        announced = dto.fileSize;
        expect(await take(dto)).toBe(100_000);
        return hubOk();
      });
      expect((await upload(100_000)).statusCode).toBe(200);
      expect(announced).toBe(100_002);
    });

    it('refuses while the sender still sends: the sender is told at once', async () => {
      agent.on(agentClient.DownloadFileFromViewer, () => hubFailure('File already exists.'));
      const { sender, answer } = startUpload(64 * MEBIBYTE);
      sender.write(CHUNK);
      const response = await answer;
      expect(response.statusCode).toBe(400);
      response.resume();
      sender.destroy();
      await expectAlive();
    });

    it('claims to be done without having read it: 502', async () => {
      agent.on(agentClient.DownloadFileFromViewer, () => hubOk());
      expect((await upload(1_000)).statusCode).toBe(502);
    });

    it('never fetches it: 504', async () => {
      hurry({ answerMs: SHORT_MS });
      agent.on(agentClient.DownloadFileFromViewer, () => new Promise(() => undefined));
      expect((await upload(1_000)).statusCode).toBe(504);
    });

    it('stops taking it: 504', async () => {
      // The sender's time too, which has to be enough for it.
      hurry({ idleMs: UNHURRIED_MS });
      agent.on(agentClient.DownloadFileFromViewer, (dto) => {
        void take(dto).catch(() => undefined);
        setImmediate(() => agent.stall());
        return new Promise(() => undefined);
      });
      expect((await upload(64 * MEBIBYTE)).statusCode).toBe(504);
      agent.goOn();
    });

    it('vanishes in the middle: 502', async () => {
      agent.on(agentClient.DownloadFileFromViewer, (dto) => {
        void take(dto).catch(() => undefined);
        agent.vanish();
        return new Promise(() => undefined);
      });
      expect((await upload(8 * MEBIBYTE)).statusCode).toBe(502);
    });

    it('fetches it a second time, or for another device: it gets an error', async () => {
      const intruder = await FakeAgent.online(server, await createKeyedDevice(server, { id: tenantId }));
      agent.on(agentClient.DownloadFileFromViewer, async (dto) => {
        const { name, parameters } = agentHub.GetFileStreamFromViewer;
        const stolen = new Promise((resolve, reject) => {
          intruder.connection
            .stream(name, parameters[0].encode(dto, 'json'))
            .subscribe({ next: resolve, complete: () => resolve(null), error: reject });
        });
        await expect(stolen).rejects.toThrow('Nobody waits for this stream.');
        expect(await take(dto)).toBe(10);
        await expect(take(dto)).rejects.toThrow('Nobody waits for this stream.');
        return hubOk();
      });
      expect((await upload(10)).statusCode).toBe(200);
      await intruder.stop();
    });

    it('is told that the sender has left', async () => {
      let isAsked = false;
      const ended = new Promise<unknown>((resolve) => {
        agent.on(agentClient.DownloadFileFromViewer, async (dto) => {
          isAsked = true;
          await take(dto).catch(resolve);
          return hubFailure('The upload was canceled.');
        });
      });
      const { sender } = startUpload(MEBIBYTE);
      sender.write(CHUNK);
      // Of a sender that leaves before, no agent hears at all.
      await eventually('the agent is asked', () => isAsked);
      sender.destroy();
      expect(String(await ended)).toContain('canceled by client');
      await expectAlive();
    });

    it('waits for a sender that has stopped sending: 408', async () => {
      hurry({ idleMs: UNHURRIED_MS });
      agent.on(agentClient.DownloadFileFromViewer, async (dto) => {
        await take(dto);
        return hubOk();
      });
      const { sender, answer } = startUpload(MEBIBYTE);
      sender.write(CHUNK);
      const response = await answer;
      expect(response.statusCode).toBe(408);
      response.resume();
      sender.destroy();
    });
  });
});

/** A response whose body is not read until the test does. */
async function openReader(path: string, query: Record<string, string>): Promise<IncomingMessage> {
  const request = httpRequest(urlOf(path, query), { headers });
  // Once there is a response, its end tells what became of it, however the connection broke.
  request.once('response', () => request.on('error', () => undefined));
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

describe('the reference agent', () => {
  let device: KeyedDevice;
  let agent: ReferenceAgent;
  let folder: string;

  beforeEach(async () => {
    device = await createKeyedDevice(server, { id: tenantId });
    agent = await ReferenceAgent.start(server, device);
    folder = await mkdtemp(join(tmpdir(), 'transfers-'));
  });

  afterEach(async () => {
    await agent.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** A file of zeros that takes no room. */
  async function sparseFile(size: number): Promise<string> {
    const path = join(folder, 'sparse');
    const file = await open(path, 'w');
    await file.truncate(size);
    await file.close();
    return path;
  }

  it('waits for a slow reader: memory stays flat on both sides, and nothing is lost', async () => {
    const size = 256 * MEBIBYTE;
    const filePath = await sparseFile(size);
    const agentBefore = await agent.memory();
    const serverBefore = process.memoryUsage().rss;
    const reader = await openReader(`download/${device.id}`, { filePath });
    await withoutTrickle(async () => {
      expect(await settled('what the agent has read', () => agent.bytesRead())).toBeLessThan(64 * MEBIBYTE);
    });
    expect((await agent.memory()) - agentBefore).toBeLessThan(48 * MEBIBYTE);
    expect(process.memoryUsage().rss - serverBefore).toBeLessThan(96 * MEBIBYTE);
    let received = 0;
    for await (const piece of reader as AsyncIterable<Buffer>) received += piece.length;
    expect([received, reader.complete]).toEqual([size, true]);
  });

  it('is killed in the middle of a download: the response is cut', async () => {
    const filePath = await sparseFile(1024 * MEBIBYTE);
    const reader = await openReader(`download/${device.id}`, { filePath });
    await agent.kill();
    let received = 0;
    const reading = (async () => {
      for await (const piece of reader as AsyncIterable<Buffer>) received += piece.length;
    })();
    await expect(reading).rejects.toThrow();
    expect(received).toBeLessThan(1024 * MEBIBYTE);
  });

  it('leaves nothing of an upload whose sender goes away', async () => {
    const head = `--b\r\nContent-Disposition: form-data; name="targetSaveDirectory"\r\n\r\n${folder}\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="up.bin"\r\n\r\n`;
    const sender = httpRequest(urlOf(`upload/${device.id}`), {
      method: 'POST',
      headers: { ...headers, 'content-type': 'multipart/form-data; boundary=b', 'content-length': 100 * MEBIBYTE },
    });
    sender.on('error', () => undefined);
    sender.write(head);
    sender.write(Buffer.alloc(MEBIBYTE));
    await eventually('the agent writes', async () => (await readdir(folder)).some((name) => name.endsWith('.partial')));
    sender.destroy();
    await eventually('the agent has removed what it wrote', async () => (await readdir(folder)).length === 0);
    expect(await readFile(join(agent.dataDirectory, 'settings.json'), 'utf8')).toContain(device.id);
  });
});
