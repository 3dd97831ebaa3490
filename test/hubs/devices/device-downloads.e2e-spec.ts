import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { agentClient, agentHub, hubFailure, hubOk, hubValue } from '#libs/contracts';

import { DeviceActivity } from '../../../src/devices/device-activity/device-activity.entity.js';
import { createKeyedDevice, FakeAgent, nodeOf, type FakeStream, type KeyedDevice } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { CHUNK, CUT, expectServing, SHORT_MS, shortenTimes, TransferClient, UNHURRIED_MS } from '../transfers.js';

/* Downloads from a device that misbehaves, or by a reader that does: whatever happens, a body that ends is whole. */

const server = testServer({ Service_AppOptions__MaxFileTransferSize: '0' });
const tenant = testTenant(server);
const client = new TransferClient(server, tenant);
const hurry = shortenTimes(server);

const WHOLE = { status: 200, bytes: expect.any(Buffer) };
const { SendFileContentStream, SendDirectoryContentsStream } = agentHub;

let device: KeyedDevice;
let agent: FakeAgent;

beforeEach(async () => {
  device = await createKeyedDevice(server, tenant);
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

describe('asked for a file', () => {
  it.each(['json', 'messagepack'] as const)('sends it in %s', async (encoding) => {
    const other = await createKeyedDevice(server, tenant);
    const fake = await FakeAgent.online(server, other, encoding);
    announce(2 * CHUNK.length, (id) => openFile(id, fake).send(CHUNK).send(CHUNK).complete(), fake);
    const { bytes } = await client.download(other);
    expect(bytes?.equals(Buffer.concat([CHUNK, CHUNK]))).toBe(true);
    await fake.stop();
  });

  it('opens the stream before it answers', async () => {
    agent.on(agentClient.UploadFileToViewer, async ({ streamId }) => {
      openFile(streamId).send(CHUNK).complete();
      await agent.heartbeat();
      return hubValue({ fileSize: CHUNK.length, fileDisplayName: 'file' });
    });
    expect(await client.download(device)).toMatchObject(WHOLE);
  });

  it('never answers: 504', async () => {
    hurry({ preparationMs: SHORT_MS });
    agent.on(agentClient.UploadFileToViewer, () => new Promise(() => undefined));
    expect(await client.download(device)).toMatchObject({ status: 504, problem: { title: 'Gateway timeout.', status: 504 } });
    await expectServing(agent, client);
  });

  it('opens the stream and never answers: 504', async () => {
    hurry({ preparationMs: UNHURRIED_MS });
    agent.on(agentClient.UploadFileToViewer, ({ streamId }) => {
      openFile(streamId).send(CHUNK);
      return new Promise(() => undefined);
    });
    expect(await client.download(device)).toMatchObject({ status: 504 });
    await expectServing(agent, client);
  });

  it('answers and never sends: 504', async () => {
    hurry({ preparationMs: SHORT_MS });
    announce(1, () => undefined);
    expect(await client.download(device)).toMatchObject({ status: 504 });
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
    expect(await client.download(device)).toMatchObject({ status: 502, problem: { title: 'Bad gateway.' } });
    await expectServing(agent, client);
  });

  it('announces a negative size: 502', async () => {
    announce(-1, (id) => openFile(id).complete());
    expect(await client.download(device)).toMatchObject({ status: 502 });
  });

  it.each([
    ['The path does not exist.', 404],
    ["Could not find a part of the path 'C:\\x'.", 404],
    ['Path is required.', 400],
    ['Access to the path is denied.', 502],
  ])('refuses with %j: %d', async (reason, status) => {
    agent.on(agentClient.UploadFileToViewer, () => hubFailure(reason));
    expect(await client.download(device)).toMatchObject({ status, problem: { detail: reason } });
  });

  it('vanishes before it answers: 502 at once', async () => {
    agent.on(agentClient.UploadFileToViewer, () => {
      agent.vanish();
      return new Promise(() => undefined);
    });
    expect(await client.download(device)).toMatchObject({
      status: 502,
      problem: { detail: 'The device disconnected before it finished.' },
    });
  });

  it('vanishes between its answer and the first byte: 502 at once', async () => {
    announce(CHUNK.length, () => agent.vanish());
    expect(await client.download(device)).toMatchObject({ status: 502 });
  });

  it('vanishes with the stream open, before the first byte: 502', async () => {
    announce(CHUNK.length, (id) => {
      openFile(id);
      setImmediate(() => agent.vanish());
    });
    expect(await client.download(device)).toMatchObject({ status: 502 });
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
    expect(await client.download(device)).toMatchObject(CUT);
    await expectServing(agent, client);
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
    expect(await client.download(device)).toMatchObject({ status: 502 });
  });

  it('ends the stream with an error: its reason before the first byte, cut after it', async () => {
    announce(CHUNK.length, (id) => openFile(id).fail('Permission denied.'));
    expect(await client.download(device)).toMatchObject({ status: 502, problem: { detail: 'Permission denied.' } });
    const stack = '\r\n   at Agent.Read(String path)\r\n   at Agent.Send()';
    announce(CHUNK.length, (id) => openFile(id).fail(`Stream errored by client: 'System.IO.IOException: The disk broke.${stack}'`));
    expect(await client.download(device)).toMatchObject({ status: 502, problem: { detail: 'The disk broke.' } });
    announce(4 * CHUNK.length, (id) => openFile(id).send(CHUNK).send(CHUNK).fail('The disk broke.'));
    expect(await client.download(device)).toMatchObject(CUT);
    announce(2 * CHUNK.length, (id) => openFile(id).send(CHUNK).send(CHUNK).fail('The disk broke at the very end.'));
    expect(await client.download(device)).toMatchObject(CUT);
  });

  it('sends items that are no bytes: 502, or cut', async () => {
    announce(CHUNK.length, (id) => openFile(id).sendRaw({ not: 'bytes' }));
    expect(await client.download(device)).toMatchObject({ status: 502, problem: { detail: 'The device sent an invalid response.' } });
    announce(3 * CHUNK.length, (id) => openFile(id).send(CHUNK).send(CHUNK).sendRaw(5));
    expect(await client.download(device)).toMatchObject(CUT);
    await expectServing(agent, client);
  });

  it('stops sending: 504 before the first byte, cut after it', async () => {
    hurry({ idleMs: SHORT_MS });
    announce(CHUNK.length, (id) => openFile(id));
    expect(await client.download(device)).toMatchObject({ status: 504 });
    hurry({ idleMs: UNHURRIED_MS });
    announce(3 * CHUNK.length, (id) => openFile(id).send(CHUNK).send(CHUNK));
    expect(await client.download(device)).toMatchObject(CUT);
    await expectServing(agent, client);
  });

  it('opens a stream of another kind: it is not taken for the file', async () => {
    announce(CHUNK.length, (id) => {
      agent.openStream(SendDirectoryContentsStream, id, true).send([]).complete();
      openFile(id).send(CHUNK).complete();
    });
    expect((await client.download(device)).bytes?.equals(CHUNK)).toBe(true);
  });

  it('opens the stream twice: the first one counts', async () => {
    announce(CHUNK.length, (id) => {
      const first = openFile(id);
      openFile(id).send(Buffer.alloc(CHUNK.length, 1)).complete();
      first.send(CHUNK).complete();
    });
    expect((await client.download(device)).bytes?.equals(CHUNK)).toBe(true);
    await expectServing(agent, client);
  });

  it('is not spoken for by another device', async () => {
    const intruder = await FakeAgent.online(server, await createKeyedDevice(server, tenant));
    announce(CHUNK.length, (id) => {
      openFile(id, intruder).send(Buffer.alloc(CHUNK.length, 1)).complete();
      // Answered after the intruder's stream has reached the server.
      void intruder.heartbeat().then(() => openFile(id).send(CHUNK).complete());
    });
    expect((await client.download(device)).bytes?.equals(CHUNK)).toBe(true);
    await intruder.stop();
  });
});

it('sends a stream that nobody asked for: it is drained, and the connection goes on', async () => {
  const stream = openFile('0190a0b0-0000-7000-8000-00000000beef');
  for (let piece = 0; piece < 500; piece++) stream.send(CHUNK);
  stream.complete();
  await expectServing(agent, client);
  expect(await agent.heartbeat()).toMatchObject({ isSuccess: true });
});

describe('a download whose reader', () => {
  it('leaves in the middle: what still comes is drained', async () => {
    let stream: FakeStream | undefined;
    announce(1_000 * CHUNK.length, (id) => (stream = openFile(id).send(CHUNK).send(CHUNK).send(CHUNK)));
    const leaving = new AbortController();
    const response = await client.fetch(`download/${device.id}`, { query: { filePath: '/file' }, signal: leaving.signal });
    expect(response.status).toBe(200);
    leaving.abort();
    for (let piece = 0; piece < 997; piece++) stream?.send(CHUNK);
    stream?.complete();
    await expectServing(agent, client);
    await eventually('everything was taken', () => agent.unsentBytes === 0);
  });

  it('leaves after the stream was opened, before the device answers', async () => {
    const opened = new Promise<void>((resolve) => {
      agent.on(agentClient.UploadFileToViewer, ({ streamId }) => {
        openFile(streamId).send(CHUNK);
        resolve();
        return new Promise(() => undefined);
      });
    });
    const leave = new AbortController();
    const left = client.fetch(`download/${device.id}`, { query: { filePath: '/file' }, signal: leave.signal }).catch(() => undefined);
    await opened;
    // The stream comes before this heartbeat.
    await agent.heartbeat();
    leave.abort();
    await left;
    await eventually('the record of the download ends', async () => {
      const [activity] = await server.dataSource.manager.findBy(DeviceActivity, { deviceId: device.id });
      return activity?.endedAt instanceof Date;
    });
  });

  it('leaves before the file is there', async () => {
    const asked = new Promise<void>((resolve) => {
      agent.on(agentClient.UploadFileToViewer, () => {
        resolve();
        return new Promise(() => undefined);
      });
    });
    const leaving = new AbortController();
    const response = client.fetch(`download/${device.id}`, { query: { filePath: '/file' }, signal: leaving.signal });
    await asked;
    leaving.abort();
    await expect(response).rejects.toThrow();
    await expectServing(agent, client);
  });

  it('is slow: the device does not wait, and the reader gets everything', async () => {
    const folder = join(nodeOf(server, device.id).dataPath, 'downloads-under-way');
    const pieces = 2_000;
    announce(pieces * CHUNK.length, (id) => {
      const stream = openFile(id);
      for (let piece = 0; piece < pieces; piece++) stream.send(Buffer.alloc(CHUNK.length, piece));
      stream.complete();
    });
    const reader = await client.open(`download/${device.id}`, { filePath: '/file' });
    // The rest is in memory and in the buffers of the network.
    const most = (pieces * CHUNK.length) / 2;
    await eventually('most of the file waits on the server', async () => {
      const files = await Promise.all((await readdir(folder)).map((name) => stat(join(folder, name))));
      return files.reduce((total, { size }) => total + size, 0) > most;
    });
    await expectServing(agent, client);
    expect(await agent.heartbeat()).toMatchObject({ isSuccess: true });
    let received = 0;
    for await (const part of reader as AsyncIterable<Buffer>) {
      for (let at = 0; at < part.length; at += 1_000) {
        const piece = Math.floor((received + at) / CHUNK.length);
        if (part[at] !== piece % 256) throw new Error(`Byte ${received + at} is not that of piece ${piece}.`);
      }
      received += part.length;
    }
    expect(received).toBe(pieces * CHUNK.length);
    await eventually('its file is deleted', async () => (await readdir(folder)).length === 0);
  });

  it('takes nothing for too long: it is cut off, and the device is free again', async () => {
    hurry({ idleMs: SHORT_MS });
    // More than the buffers of the network take, of which there is one before each node that the bytes pass.
    let isWanted = true;
    announce(Number.MAX_SAFE_INTEGER, (id) => {
      const stream = openFile(id);
      const sendMore = (): void => {
        if (agent.unsentBytes < 100 * CHUNK.length) stream.send(CHUNK);
        if (isWanted && agent.isOpen) setImmediate(sendMore);
      };
      sendMore();
    });
    const reader = await client.open(`download/${device.id}`, { filePath: '/file' });
    const closed = new Promise((resolve) => reader.on('error', () => undefined).once('close', resolve));
    await eventually('the server has given it up', async () => {
      const [record] = await server.dataSource.manager.findBy(DeviceActivity, { deviceId: device.id });
      return record?.endedAt != null;
    });
    isWanted = false;
    await expectServing(agent, client);
    reader.resume();
    await closed;
    expect(reader.complete).toBe(false);
  });
});
