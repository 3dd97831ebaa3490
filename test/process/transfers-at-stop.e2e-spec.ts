import { beforeAll, describe, expect } from 'vitest';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';

import type { Service } from '../../demo/service.js';
import { hasCode } from '../../src/platform/common/errors/system-error.js';
import { newMeeting, RelayPeer, relayUri } from '../hubs/relay-peer.js';
import { createTestDatabase } from '../support/brokers/postgres.js';
import { enrol } from '../support/devices/reporting-device.js';
import { beginDownload, bodyOf, connectedAgent, type RunningAgent } from '../support/devices/running-agent.js';
import { eventually } from '../support/eventually.js';
import { builtProject, onDatabase, onMachine, type Machine } from '../support/processes/service-process.js';

/*
 * A stop lets the transfers end that are under way: files over HTTP from and to the reference agent, and relay sessions in which bytes
 * move. Those that take too long are cut off, and both ends are told.
 */

/** Size above the buffers between a device and a client that does not read. */
const DOWNLOAD_BYTES = 24 * 1024 * 1024;
const FILE_BYTES = 4 * 1024 * 1024;
/** Size above the bytes that are sent during a test. The file is sparse. */
const ENDLESS_BYTES = 1024 ** 3;
const BOUNDARY = 'the-boundary';
/** Messages that a session passes on after the service was told to stop, each after the answer to the one before. */
const ROUNDS = 50;
/** The pause between the messages of a session that does not end. */
const PAUSE_MS = 100;

interface Upload {
  readonly sender: ClientRequest;
  readonly answer: Promise<IncomingMessage>;
  /** Text that has to follow the file. */
  readonly tail: string;
}

const field = (name: string, value: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/** Sends a form up to the beginning of its file. */
function beginUpload(
  machine: Machine,
  { url }: Service,
  { deviceId, tenantId }: RunningAgent,
  { directory, fileName, isTargetLast = false }: { directory: string; fileName: string; isTargetLast?: boolean },
): Upload {
  const target = field('targetSaveDirectory', directory);
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\n\r\n`;
  const end = `--${BOUNDARY}--\r\n`;
  const [first, tail] = isTargetLast ? [head, `\r\n${target}${end}`] : [target + head, `\r\n${end}`];
  const sender = httpRequest(`${url}/api/v1/device-file-system/upload/${deviceId}?tenantId=${tenantId}`, {
    method: 'POST',
    headers: {
      'x-api-key': machine.account.key,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': first.length + FILE_BYTES + tail.length,
    },
  });
  const answer = once(sender, 'response').then(([response]) => response as IncomingMessage);
  answer.then(
    () => sender.on('error', () => undefined),
    () => undefined,
  );
  sender.write(first);
  return { sender, answer, tail };
}

/** Tells the service to stop, and waits until it takes nothing new. */
async function stopping({ program, url }: Service): Promise<void> {
  program.signal('SIGTERM');
  await eventually('new requests are refused', async () => {
    try {
      const response = await fetch(`${url}/alive`, { headers: { connection: 'close' } });
      await response.body?.cancel();
      return false;
    } catch {
      // Nobody listens any more.
      return true;
    }
  });
}

async function expectOrderlyEnd({ program }: Service): Promise<void> {
  expect(await program.untilEnd()).toEqual({ code: 0, signal: null });
}

interface Session {
  readonly requester: RelayPeer;
  readonly responder: RelayPeer;
}

/** A relay session whose responder answers each message with the same bytes. */
async function session(machine: Machine, service: Service): Promise<Session> {
  const meeting = newMeeting();
  const responder = machine.alsoStop(new RelayPeer(relayUri(service, meeting, 'responder')));
  const requester = machine.alsoStop(new RelayPeer(relayUri(service, meeting, 'requester'), { 'x-api-key': machine.account.key }));
  await Promise.all([requester.opened(), responder.opened()]);
  responder.socket.on('message', (data: Buffer) => responder.socket.send(data));
  return { requester, responder };
}

/** Sends a message and waits for its answer. */
async function round({ requester }: Session, text: string): Promise<void> {
  expect(requester.closed).toBeUndefined();
  const { socket } = requester;
  const isOver = new AbortController();
  const onClose = (): void => isOver.abort(new Error('The session has ended.'));
  socket.once('close', onClose);
  const answer = once(socket, 'message', { signal: isOver.signal }) as Promise<[Buffer]>;
  socket.send(text);
  expect((await answer)[0].toString()).toBe(text);
  socket.off('close', onClose);
}

async function filesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

const it = onMachine.extend('env', async ({ onTestFinished }) => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  // Without room for downloads on the server, their bytes are on the device until the client reads them.
  return { ...onDatabase(database), Service_AppOptions__DownloadSpoolSize: '0', Service_AppOptions__MaxFileTransferSize: '0' };
});

// One after the other: a machine that has too much to do does not end a transfer in time.
describe('a service that is told to stop', () => {
  beforeAll(builtProject);

  it('lets a download end before it leaves the agent', async ({ machine, env }) => {
    const service = await machine.start(env);
    const device = await connectedAgent(machine, service, await enrol(machine.client(service)), 'agent');
    const content = randomBytes(DOWNLOAD_BYTES);
    const filePath = join(machine.folder, 'file.bin');
    await writeFile(filePath, content);
    const response = await beginDownload(machine, service, device, filePath);

    await stopping(service);
    const body = await bodyOf(response);

    expect(body.equals(content)).toBe(true);
    await expectOrderlyEnd(service);
    expect(service.program.output).not.toContain('Cut off');
  });

  it.for([
    ['goes straight to the device', false],
    ['waits on the server for its target', true],
  ] as const)('lets an upload end that %s', async ([, isTargetLast], { machine, env }) => {
    const service = await machine.start(env);
    const device = await connectedAgent(machine, service, await enrol(machine.client(service)), 'agent');
    const content = randomBytes(FILE_BYTES);
    const directory = join(machine.folder, 'target');
    await mkdir(directory);
    const { sender, answer, tail } = beginUpload(machine, service, device, { directory, fileName: 'file.bin', isTargetLast });
    sender.write(content.subarray(0, FILE_BYTES / 2));
    const begins = isTargetLast ? join(machine.dataPath, 'uploads') : directory;
    await eventually('the file is being written', async () => (await filesIn(begins)).length > 0);

    await stopping(service);
    sender.end(Buffer.concat([content.subarray(FILE_BYTES / 2), Buffer.from(tail)]));

    const response = await answer;
    expect([response.statusCode, (await bodyOf(response)).toString()]).toEqual([200, expect.any(String)]);
    expect((await readFile(join(directory, 'file.bin'))).equals(content)).toBe(true);
    await expectOrderlyEnd(service);
    expect(service.program.output).not.toContain('Cut off');
  });

  it('lets a relay session go on in which bytes move, and ends one in which none do', async ({ machine, env }) => {
    const service = await machine.start(env);
    const [moving, quiet] = [await session(machine, service), await session(machine, service)];
    await round(moving, 'before');

    await stopping(service);
    for (let count = 0; count < ROUNDS; count += 1) await round(moving, `message ${count}`);
    moving.requester.socket.close(1000);

    expect((await moving.responder.end()).code).toBe(1000);
    for (const peer of [quiet.requester, quiet.responder]) {
      expect(await peer.end()).toEqual({ code: 1001, reason: 'The server is shutting down.' });
    }
    expect(moving.responder.messages).toHaveLength(ROUNDS + 1);
    await expectOrderlyEnd(service);
    expect(service.program.output).not.toContain('Cut off');
  });

  it('cuts off transfers that take too long, and says so at both ends', async ({ machine, env, onTestFinished }) => {
    const service = await machine.start(env);
    const enrolment = await enrol(machine.client(service));
    const [source, target] = [
      await connectedAgent(machine, service, enrolment, 'source'),
      await connectedAgent(machine, service, enrolment, 'target'),
    ];
    const filePath = join(machine.folder, 'endless.bin');
    await writeFile(filePath, '');
    await truncate(filePath, ENDLESS_BYTES);
    const directory = join(machine.folder, 'folder');
    await mkdir(directory);
    const download = await beginDownload(machine, service, source, filePath);
    const { sender, answer } = beginUpload(machine, service, target, { directory, fileName: 'file.bin' });
    sender.write(randomBytes(FILE_BYTES / 2));
    await eventually('the agent writes the file', async () => (await readdir(directory)).length > 0);
    const relayed = await session(machine, service);
    const again = setInterval(() => relayed.requester.socket.send('again'), PAUSE_MS);
    onTestFinished(() => clearInterval(again));

    service.program.signal('SIGTERM');

    const refused = await answer;
    expect([refused.statusCode, JSON.parse((await bodyOf(refused)).toString())]).toEqual([
      503,
      expect.objectContaining({ detail: 'The server is shutting down: the transfer was cut off.' }),
    ]);
    await eventually('the agent has removed what it had of the file', async () => (await readdir(directory)).length === 0);
    for (const peer of [relayed.requester, relayed.responder]) {
      expect(await peer.end()).toEqual({ code: 1001, reason: 'The server is shutting down.' });
    }
    await expect(bodyOf(download)).rejects.toThrow('aborted');
    await expectOrderlyEnd(service);
    expect(service.program.output).toContain('Cut off 2 transfers of files that had not ended in time.');
    expect(service.program.output).toContain('Cut off 1 relay session in which bytes still moved.');
  });
});
