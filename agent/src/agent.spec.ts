import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifyAsync } from '@noble/ed25519';
import { once } from 'node:events';
import { createServer as createSocketServer } from 'node:net';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentClient, agentHub, hubOk, signedPayload, TerminalMode, TerminalOutputDto } from '#libs/contracts';
import { Agent, type AgentOptions } from './agent.js';
import type { Command } from './commands.js';
import { dataDirectory, type DataDirectory } from './data-directory.js';
import { Gate } from './connection/gate.js';
import { HubLink } from './connection/hub-link.js';
import { DeviceKey } from './device-key.js';
import { deviceResponse, envelope, HubStub, MemoryLog, type Message } from './hub-stub.fixture.js';
import { readInventory } from './inventory/device-inventory.js';
import { writeSettings } from './settings.js';

/** Time-out for busy machines, in milliseconds. A step that takes longer is not merely slow. */
const DEADLINE_MS = 60_000;

let hub: HubStub;
let agent: Agent | undefined;
let root: string;
let directory: DataDirectory;
let log: MemoryLog;
let key: DeviceKey;
const deviceId = randomUUID();
const tenantId = randomUUID();

beforeEach(async () => {
  hub = new HubStub();
  log = new MemoryLog();
  root = await mkdtemp(join(tmpdir(), 'agent-'));
  directory = dataDirectory(join(root, 'data'));
  key = await DeviceKey.generate();
  await writeSettings(directory, { serverUri: await hub.listen(), tenantId, deviceId, privateKey: key.privateKey });
});

afterEach(async () => {
  await agent?.stop();
  agent = undefined;
  await hub.close();
  await rm(root, { recursive: true });
});

async function startAgent(options: Partial<AgentOptions> = {}): Promise<void> {
  agent = await Agent.start({ directory, log, reconnectJitterSeconds: 0, ...options });
  await hub.next((message) => message.target === 'UpdateDeviceSigned');
}

describe('connection and heartbeat', () => {
  it('reports the device at once, signed with its key', async () => {
    await startAgent();
    const { dto, timestamp, signature, publicKey } = envelope(hub.heartbeats[0]);
    expect(dto).toMatchObject({ id: deviceId, tenantId });
    expect(dto.processorCount).toBeGreaterThan(0);
    expect(dto.totalMemory).toBeGreaterThan(0);
    expect(publicKey).toBe(key.publicKey);
    const bytes = signedPayload(dto, timestamp, publicKey);
    await expect(verifyAsync(signature, bytes, Buffer.from(key.publicKey, 'base64'))).resolves.toBe(true);
  });

  it('offers its features on each connection, before the report that makes the device online', async () => {
    await startAgent();
    hub.drop();
    await hub.until(() => (hub.heartbeats.length === 2 ? true : undefined));
    const sent = hub.received.map(({ target }) => target).filter((target) => target !== 'ReportInventory');
    expect(sent).toEqual(['OfferFeatures', 'UpdateDeviceSigned', 'OfferFeatures', 'UpdateDeviceSigned']);
    expect(hub.received[0].arguments).toEqual([['RenameFile', 'RequestInventory']]);
  });

  it('reconnects after a loss, reports again with a later time, and keeps its state', async () => {
    await startAgent();
    hub.drop();
    await hub.until(() => (hub.connections === 2 ? true : undefined));
    const beats = await hub.until(() => (hub.heartbeats.length === 2 ? hub.heartbeats : undefined));
    const [first, second] = beats.map((message) => envelope(message).timestamp.ticks);
    expect(second).toBeGreaterThan(first);
    await expect(hub.call('GetPathSegments', { targetPath: '/' })).resolves.toMatchObject({ success: true });
  });

  it('waits longer after each connection that does not last, and as briefly as ever after one that does', async () => {
    let ahead = 0;
    await startAgent({ clocks: { wall: () => Date.now(), monotonic: () => performance.now() + ahead } });
    const cut = async (heartbeats: number): Promise<void> => {
      hub.drop();
      await hub.until(() => (hub.heartbeats.length === heartbeats ? true : undefined));
    };
    await cut(2);
    const begun = performance.now();
    await cut(3);
    expect(performance.now() - begun).toBeGreaterThan(3_900);
    ahead = 30_000;
    await cut(4);
    await cut(5);
    const waits = log.lines.map((line) => /^The connection was lost.* Reconnecting in (\d+) s\.$/u.exec(line)?.[1]);
    expect(waits.filter((wait) => wait !== undefined)).toEqual(['1', '4', '0', '1']);
  });

  it('keeps trying while the server is not running yet', async () => {
    await writeSettings(directory, { serverUri: 'http://127.0.0.1:1', tenantId, deviceId, privateKey: key.privateKey });
    const starting = await Agent.start({ directory, log, reconnectJitterSeconds: 0 });
    await waitUntil(() => log.lines.some((line) => line.startsWith('Connecting failed')));
    await starting.stop();
    expect(log.lines.at(-1)).toBe('The agent has stopped.');
  });

  it('tells after each attempt whether the server can be reached', async () => {
    const attempts: boolean[] = [];
    const updates = {
      onAttempt: async (isReached: boolean) => void attempts.push(isReached),
      onAccepted: async () => undefined,
      onAsked: async () => undefined,
    };
    await startAgent({ updates });
    await hub.close();
    await waitUntil(() => attempts.length === 2);
    expect(attempts).toEqual([true, false]);
    hub = new HubStub();
  });

  it.each([
    ['An error occurred while updating the device.', false],
    ['Timestamp expired.', false],
    ['Signature verification failed.', true],
  ])('tells after a refusal whether the server could judge the report: %s', async (reason, isJudged) => {
    const attempts: boolean[] = [];
    const updates = {
      onAttempt: async (isReached: boolean) => void attempts.push(isReached),
      onAccepted: async () => undefined,
      onAsked: async () => undefined,
    };
    hub.heartbeatResult = () => ({ value: null, isSuccess: false, reason });
    await startAgent({ updates });
    await waitUntil(() => attempts.length === 2);
    expect(attempts).toEqual([true, isJudged]);
  });

  it('does not start towards a server that it could only reach in plain http, unless the settings permit that', async () => {
    const settings = { serverUri: 'http://devices.invalid', tenantId, deviceId, privateKey: key.privateKey };
    await writeSettings(directory, settings);
    await expect(Agent.start({ directory, log })).rejects.toThrow('http://devices.invalid is plain http');
    expect(await readdir(directory.root)).toEqual(['settings.json']);
    await writeSettings(directory, { ...settings, allowHttp: true });
    agent = await Agent.start({ directory, log });
  });

  it('stops at once although a server takes the connection and says nothing', async () => {
    const silent = createSocketServer((socket) => socket.on('error', () => undefined));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    if (typeof address !== 'object' || address === null) throw new Error('The server does not listen.');
    const settings = { tenantId, deviceId, privateKey: key.privateKey };
    await writeSettings(directory, { ...settings, serverUri: `http://127.0.0.1:${address.port}` });
    const taken = once(silent, 'connection');
    agent = await Agent.start({ directory, log });
    await taken;
    const start = performance.now();
    await agent.stop();
    // The agent would wait a quarter of a minute for an answer.
    expect(performance.now() - start).toBeLessThan(12_000);
    silent.close();
  });

  it('beats in its period, and again after a refusal', async () => {
    hub.heartbeatResult = () => ({ value: null, isSuccess: false, reason: 'Unknown device.' });
    await startAgent({ heartbeatSeconds: 0.05 });
    await hub.until(() => (hub.heartbeats.length >= 3 ? true : undefined));
    expect(log.lines).toContain('The server refused the heartbeat: Unknown device.');
  });

  it('reports again soon, and not only after its period, when the server could not store a report or gave no answer', async () => {
    hub.heartbeatResult = () => ({ value: null, isSuccess: false, reason: 'An error occurred while updating the device.' });
    await startAgent();
    hub.heartbeatResult = () => {
      hub.heartbeatResult = (dto) => ({ value: deviceResponse(dto), isSuccess: true });
      return 'no result';
    };
    await hub.until(() => (hub.heartbeats.length === 3 ? true : undefined));
    await waitUntil(() => log.lines.filter((line) => line.startsWith('The heartbeat could not be sent.')).length === 2);
  });

  it('adopts and stores the id that the server answers', async () => {
    const adopted = randomUUID();
    hub.heartbeatResult = (dto) => ({ value: { ...Object(deviceResponse(dto)), id: adopted }, isSuccess: true });
    await startAgent({ heartbeatSeconds: 0.05 });
    await hub.next((message) => message.target === 'UpdateDeviceSigned' && envelope(message).dto.id === adopted);
    expect(await readFile(directory.settingsFile, 'utf8')).toContain(adopted);
  });

  it('sends a heartbeat when the server asks for one', async () => {
    await startAgent();
    hub.send({ type: 1, target: 'RefreshDeviceInfo', arguments: [] });
    await hub.until(() => (hub.heartbeats.length === 2 ? true : undefined));
  });
});

describe('many requests for a heartbeat', () => {
  it('are answered by one heartbeat after the one in progress', async () => {
    const inventory = await readInventory({ deviceId, tenantId });
    const gate = new Gate();
    gate.open();
    let begun = 0;
    await startAgent({
      readInventory: async () => {
        begun++;
        await gate.passed();
        return inventory;
      },
    });
    gate.close();
    hub.send({ type: 1, target: 'RefreshDeviceInfo', arguments: [] });
    await waitUntil(() => begun === 2);
    for (let count = 0; count < 50; count++) hub.send({ type: 1, target: 'RefreshDeviceInfo', arguments: [] });
    // Its answer means that the agent has read all of them.
    await hub.call('GetLogFiles');
    gate.open();
    await hub.until(() => (hub.heartbeats.length === 3 ? true : undefined));
    // A heartbeat requested now is the next one, so none of the fifty is left.
    hub.send({ type: 1, target: 'RefreshDeviceInfo', arguments: [] });
    await hub.until(() => (hub.heartbeats.length === 4 ? true : undefined));
    await hub.call('GetLogFiles');
    expect(hub.heartbeats).toHaveLength(4);
  });
});

describe('calls of the server', () => {
  it('answers every method that returns a result', async () => {
    await startAgent();
    for (const method of Object.values(agentClient)) {
      if (!('returns' in method) || method.name === 'CreateTerminalSession') continue;
      const result = await hub.call(method.name, ...method.parameters.map(emptyArgument));
      expect(() => method.returns.decode(result, 'json')).not.toThrow();
    }
  });

  it('refuses a permission that desktops do not need, with a reason', async () => {
    await startAgent();
    const result = await hub.call('RequestRemoteControlPermission', 5);
    expect(result).toMatchObject({ isSuccess: false, reason: expect.stringContaining('need no permission') });
  });

  it('changes the power state with the system’s command, unless the settings forbid it', async () => {
    const commands: Command[] = [];
    const runCommand = async (command: Command): Promise<string> => {
      commands.push(command);
      log.info(`ran ${command.join(' ')}`);
      return '';
    };
    await startAgent({ runCommand });
    hub.send({ type: 1, target: 'ReceivePowerStateChange', arguments: [1] });
    await hub.call('GetPathSegments', { targetPath: '/' });
    expect(commands).toEqual([process.platform === 'linux' ? ['systemctl', 'reboot'] : expect.arrayContaining(['shutdown'])]);
    await agent?.stop();

    await writeSettings(directory, { ...JSON.parse(await readFile(directory.settingsFile, 'utf8')), allowPower: false });
    agent = await Agent.start({ directory, log, reconnectJitterSeconds: 0, runCommand });
    await hub.until(() => (hub.heartbeats.length === 2 ? true : undefined));
    hub.send({ type: 1, target: 'ReceivePowerStateChange', arguments: ['Shutdown'] });
    await hub.call('GetPathSegments', { targetPath: '/' });
    expect(commands).toHaveLength(1);
    expect(log.lines.join('\n')).toContain('do not allow power changes');
  });

  it('uninstalls itself when told to, and stops', async () => {
    const reasons: string[] = [];
    await startAgent({ uninstall: async (reason) => void reasons.push(reason) });
    hub.send({ type: 1, target: 'UninstallAgent', arguments: ['Retired.'] });
    await agent?.untilStopped();
    expect(reasons).toEqual(['Retired.']);
  });
});

describe('streams', () => {
  it('sends a whole file in pieces of at most 30 KiB', async () => {
    await startAgent();
    const contents = randomBytes(200_000);
    const path = join(root, 'file.bin');
    await writeFile(path, contents);
    const streamId = randomUUID();
    await expect(hub.call('UploadFileToViewer', { streamId, filePath: path })).resolves.toMatchObject({
      isSuccess: true,
      value: { fileSize: contents.length, fileDisplayName: 'file.bin' },
    });
    const pieces = await receiveStream('SendFileContentStream', streamId);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBe(30_720);
    expect(Buffer.concat(pieces).equals(contents)).toBe(true);
  });

  it('lists a directory in messages of at most 100 entries, and reports a missing one', async () => {
    await startAgent();
    await mkdir(join(root, 'many'));
    for (let index = 0; index < 250; index++) await writeFile(join(root, 'many', `file-${index}`), '');
    const streamId = randomUUID();
    const list = { deviceId, streamId, directoryPath: join(root, 'many') };
    await expect(hub.call('StreamDirectoryContents', list)).resolves.toMatchObject({ isSuccess: true });
    const start = await hub.next((message) => message.target === 'SendDirectoryContentsStream');
    expect(start.arguments).toEqual([streamId, true]);
    const chunks = streamItems(start);
    expect(chunks.map((chunk) => Object(chunk).length)).toEqual([100, 100, 50]);

    const missing = { ...list, streamId: randomUUID(), directoryPath: join(root, 'missing') };
    await expect(hub.call('StreamDirectoryContents', missing)).resolves.toMatchObject({ isSuccess: true });
    const empty = await hub.next((message) => Array.isArray(message.arguments) && message.arguments[0] === missing.streamId);
    expect([empty.arguments, streamItems(empty)]).toEqual([[missing.streamId, false], []]);
  });

  it('pauses while the server does not read, and continues where it stopped', async () => {
    await startAgent();
    const link = new HubLink(JSON.parse(await readFile(directory.settingsFile, 'utf8')).serverUri, log);
    await link.connect();
    const total = 2000;
    let pulled = 0;
    async function* pieces(): AsyncIterable<Uint8Array> {
      for (; pulled < total; pulled++) yield new Uint8Array(30_720);
    }
    const streamId = randomUUID();
    const sent = link.sendStream(agentHub.SendFileContentStream, [streamId, pieces()]);
    await hub.next((message) => message.type === 2);
    hub.stall();
    let last = { pulled: -1, at: Date.now() };
    await waitUntil(() => {
      if (pulled !== last.pulled) last = { pulled, at: Date.now() };
      return Date.now() - last.at > 300;
    });
    expect(pulled).toBeLessThan(total / 2);
    hub.resume();
    await sent;
    expect(await receiveStream('SendFileContentStream', streamId)).toHaveLength(total);
    await link.close();
  });

  it('keeps few bytes in flight to a slow reader, so that answers do not wait behind them', async () => {
    await startAgent();
    const path = join(root, 'huge');
    await writeFile(path, '');
    await truncate(path, 2 ** 40);
    hub.readSlowly(50);
    await hub.call('UploadFileToViewer', { streamId: randomUUID(), filePath: path });
    // The bytes sent before the reader's pace was known must be read first.
    await hub.until(() => (hub.streamItemCount >= 60 ? true : undefined));
    const before = hub.streamItemCount;
    // Costs the agent no time: it waits for the network.
    await hub.call('GetActiveDesktopSessions');
    expect(hub.streamItemCount - before).toBeLessThan(50);
  });

  it('stops sending a file when the server has answered, because nobody reads it', async () => {
    await startAgent();
    const path = join(root, 'huge');
    await writeFile(path, '');
    await truncate(path, 2 ** 40);
    const streamId = randomUUID();
    await hub.call('UploadFileToViewer', { streamId, filePath: path });
    const invocation = await hub.next((message) => message.target === 'SendFileContentStream');
    await hub.next((message) => message.type === 2);
    hub.send({ type: 3, invocationId: invocation.invocationId, result: hubOk() });
    await streamEnd(invocation);
  });

  it('survives a loss in the middle of a download, and removes its temporary archive', async () => {
    await startAgent();
    await mkdir(join(root, 'folder'));
    await writeFile(join(root, 'folder', 'random.bin'), randomBytes(20_000_000));
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    await hub.call('UploadFileToViewer', { streamId: randomUUID(), filePath: join(root, 'folder') });
    await hub.next((message) => message.type === 2);
    hub.drop();
    await hub.until(() => (hub.heartbeats.length === 2 ? true : undefined));
    await waitUntil(async () => (await readdir(directory.temporary)).length === 0);
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
    expect(log.lines.join('\n')).toContain('Sending folder.zip failed.');
  });

  it('writes an upload under its name only when it is complete', async () => {
    await startAgent();
    const contents = randomBytes(150_000);
    const dto = { streamId: randomUUID(), targetDirectoryPath: root, fileName: 'up.bin', fileSize: contents.length, overwrite: false };
    const answer = hub.call('DownloadFileFromViewer', dto);
    const request = await hub.next((message) => message.target === 'GetFileStreamFromViewer');
    expect(request).toMatchObject({ type: 4, arguments: [dto] });
    for (let start = 0; start < contents.length; start += 30_720) {
      hub.send({ type: 2, invocationId: request.invocationId, item: contents.subarray(start, start + 30_720).toString('base64') });
    }
    await waitUntil(async () => (await readdir(root)).some((name) => name.endsWith('.partial')));
    expect(await readdir(root)).not.toContain('up.bin');
    hub.send({ type: 3, invocationId: request.invocationId });
    await expect(answer).resolves.toEqual(hubOk());
    expect(digest(await readFile(join(root, 'up.bin')))).toBe(digest(contents));
    expect((await readdir(root)).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  it('leaves nothing of an upload that the viewer cancels', async () => {
    await startAgent();
    const dto = { streamId: randomUUID(), targetDirectoryPath: root, fileName: 'up.bin', fileSize: 100, overwrite: false };
    const answer = hub.call('DownloadFileFromViewer', dto);
    const request = await hub.next((message) => message.target === 'GetFileStreamFromViewer');
    hub.send({ type: 2, invocationId: request.invocationId, item: 'AAAA' });
    hub.send({ type: 3, invocationId: request.invocationId, error: 'Stream canceled by client.' });
    await expect(answer).resolves.toMatchObject({ isSuccess: false, reason: 'The upload was canceled.' });
    expect((await readdir(root)).filter((name) => name !== 'data')).toEqual([]);
  });

  it('refuses more bytes than announced, and accepts fewer', async () => {
    await startAgent();
    for (const fileSize of [2, 4]) {
      const dto = { streamId: randomUUID(), targetDirectoryPath: root, fileName: 'up.bin', fileSize, overwrite: false };
      const answer = hub.call('DownloadFileFromViewer', dto);
      const request = await hub.next(
        (message) => message.target === 'GetFileStreamFromViewer' && JSON.stringify(message.arguments).includes(dto.streamId),
      );
      hub.send({ type: 2, invocationId: request.invocationId, item: 'AAAA' });
      hub.send({ type: 3, invocationId: request.invocationId });
      if (fileSize === 4) await expect(answer).resolves.toEqual(hubOk());
      else await expect(answer).resolves.toMatchObject({ isSuccess: false, reason: expect.stringContaining('2 bytes') });
    }
    expect(await readFile(join(root, 'up.bin'))).toEqual(Buffer.alloc(3));
  });
});

describe('terminal through the hub', () => {
  it('runs commands for the viewer that created the session, and announces raw mode', async () => {
    await startAgent();
    const terminalId = randomUUID();
    await expect(hub.call('CreateTerminalSession', terminalId, 'viewer-1')).resolves.toEqual(hubOk());
    const result = hub.call('ReceiveTerminalInput', { terminalId, input: 'echo one; echo two', viewerConnectionId: 'viewer-1' });
    await expect(result).resolves.toEqual(hubOk());
    const outputs = await hub.until(() => (terminalOutputs(terminalId).length >= 4 ? terminalOutputs(terminalId) : undefined));
    expect(outputs[0]).toMatchObject({ supportsRaw: true, output: expect.stringContaining('Device agent') });
    expect(outputs[1].output).toMatch(/[#$>] $/);
    expect(outputs[2].output).toBe('one\ntwo\n');
    expect(outputs[3].output).toBe(outputs[1].output);
  });

  it('keeps output while the connection is lost, and pauses the program', async () => {
    await startAgent();
    const terminalId = randomUUID();
    const raw = { terminalId, viewerConnectionId: 'viewer-1', mode: TerminalMode.Raw };
    const printed = (): string =>
      terminalOutputs(terminalId)
        .map(({ output }) => output)
        .join('');
    const flag = join(root, 'flag');
    const typed = `echo re""ady; while [ ! -e '${flag}' ]; do sleep 0.02; done; seq 100000; echo e""nd\r`;
    await hub.call('ReceiveTerminalInput', { ...raw, input: typed });
    // Includes the line end, which may arrive by itself. Bytes in flight when the connection breaks may be lost.
    await hub.until(() => (printed().includes('ready\r\n') ? true : undefined));
    // By now the agent knows that all of it has arrived.
    await hub.call('GetLogFiles');
    hub.refusesConnections = true;
    hub.drop();
    await waitUntil(() => log.lines.some((line) => line.startsWith('The connection was lost')));
    await writeFile(flag, '');
    await waitUntil(() => log.lines.some((line) => line.startsWith('Connecting failed')));
    hub.refusesConnections = false;
    await hub.until(() => (printed().includes('\nend\r\n') ? true : undefined));
    const numbers = printed()
      .split(/\r?\n/)
      .filter((line) => /^\d+$/.test(line));
    expect(numbers).toEqual(Array.from({ length: 100_000 }, (_, index) => String(index + 1)));
    expect(log.lines.filter((line) => line.includes('output was lost'))).toEqual([]);
  });

  it('passes keys through in raw mode and resizes', async () => {
    await startAgent();
    const terminalId = randomUUID();
    const raw = { terminalId, viewerConnectionId: 'viewer-1', mode: TerminalMode.Raw };
    await hub.call('ReceiveTerminalInput', { ...raw, input: 'stty size\r', columns: 91, rows: 31 });
    const printed = (): string =>
      terminalOutputs(terminalId)
        .filter(({ mode }) => mode === TerminalMode.Raw)
        .map(({ output }) => output)
        .join('');
    await hub.until(() => (printed().includes('31 91') ? true : undefined));
    await hub.call('ReceiveTerminalInput', { ...raw, input: '', columns: 101, rows: 41 });
    await hub.call('ReceiveTerminalInput', { ...raw, input: 'stty size\r' });
    await hub.until(() => (printed().includes('41 101') ? true : undefined));
  });
});

/** Argument that a careless caller might send: an object without members, or the default of a primitive type. */
function emptyArgument(type: { absent(): unknown }): unknown {
  return 'members' in type ? {} : type.absent();
}

function terminalOutputs(terminalId: string): TerminalOutputDto[] {
  return hub.received
    .filter((message) => message.target === agentHub.SendTerminalOutputToViewer.name)
    .map((message) => TerminalOutputDto.decode(Object(message.arguments)[1], 'json'))
    .filter((output) => output.terminalId === terminalId);
}

/** All stream items of the call, in order. */
function streamItems(invocation: Message): unknown[] {
  const [stream] = Object(invocation.streamIds);
  return hub.received.filter((message) => message.type === 2 && message.invocationId === stream).map((message) => message.item);
}

async function streamEnd(invocation: Message): Promise<void> {
  const [stream] = Object(invocation.streamIds);
  await hub.next((message) => message.type === 3 && message.invocationId === stream);
}

async function receiveStream(target: string, streamId: string): Promise<Buffer[]> {
  const invocation = await hub.next((message) => message.target === target && Object(message.arguments)[0] === streamId);
  await streamEnd(invocation);
  return streamItems(invocation).map((item) => Buffer.from(String(item), 'base64'));
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Polls until the condition holds. */
async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('It did not happen in time.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
