import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { agentClient, hubOk, viewerHub } from '#libs/contracts';

import { Agent } from '../../../agent/src/agent.js';
import { dataDirectory } from '../../../agent/src/data-directory.js';
import type { Log } from '../../../agent/src/logs/log.js';
import { install } from '../../../agent/src/service/installation.js';
import { newMeeting, RelayPeer, relayUri, type Meeting } from '../../hubs/relay-peer.js';
import { TestViewer } from '../../hubs/viewer-client.js';
import type { Stoppable } from '../../support/application/app.js';
import { FakeAgent, registerKeyedDevice } from '../../support/devices/agents.js';
import { eventually, settled } from '../../support/eventually.js';
import { processNodes } from '../load/process-nodes.js';
import { noNats, type NatsServer } from '../support/nats-server.js';
import { startNats } from '../support/node-options.js';
import { isLong, printFigures } from '../../support/rounds.js';

/*
 * Bytes that go through two nodes: large files in flat memory, a slow reader, a reader that leaves, and the end of the node that the device or
 * the session is at home at.
 */

const MIB = 1_024 * 1_024;
const FILE_BYTES = (isLong ? 1_024 : 192) * MIB;
/** Bytes of a slow reader, in all and in a second. */
const SLOW_BYTES = (isLong ? 256 : 12) * MIB;
const SLOW_RATE = 5 * MIB;
/** Bytes after which a process has the memory that its first transfer takes. */
const WARM_BYTES = 64 * MIB;
/** Most growth of a node while a large file goes through it. Node.js collects buffers only once there are some 32 MiB. */
const GROWTH_BYTES = 64 * MIB;
/** Time-out of the transfers in flat memory. */
const TRANSFERS_MS = isLong ? 600_000 : 180_000;
const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const BASE = '/api/v1/device-file-system';
/** The node that clients call, and the one that the device is connected to. */
const [ENTRY, HOME] = [0, 1];

describe.skipIf(noNats !== undefined)('bytes between nodes', () => {
  let nats: NatsServer;
  const nodes = processNodes(3, async () => {
    nats = await startNats();
    return { nats: nats.url, envOf: () => ({ Service_AppOptions__MaxFileTransferSize: '0' }) };
  });
  const stopping: Stoppable[] = [];

  beforeAll(() => nodes.untilReady());

  afterEach(async () => {
    for (const each of stopping.splice(0).reverse()) await each.stop();
  });

  afterAll(() => nats.kill());

  function keep<T extends Stoppable>(started: T): T {
    stopping.push(started);
    return started;
  }

  describe('of a file', () => {
    let deviceId: string;
    let file: string;

    beforeAll(async () => {
      file = join(nodes.machine.folder, 'large.bin');
      await writeFile(file, '');
      await truncate(file, FILE_BYTES);
    });

    /** Installs an agent at the node that is the home of the transfers. */
    async function startAgent(): Promise<void> {
      const { tenantId, keyId, keySecret } = nodes.enrolment;
      const directory = dataDirectory(join(nodes.machine.folder, randomUUID()));
      const options = { serverUri: nodes.node(HOME).url, tenantId, installerKey: { id: keyId, secret: keySecret } };
      ({ deviceId } = await install(options, directory, SILENT));
      keep(await Agent.start({ directory, log: SILENT, reconnectJitterSeconds: 0 }));
      await eventually('the device is online', async () => {
        return (await nodes.client(ENTRY).get(`/api/v1/devices/${deviceId}`)).as<{ isOnline: boolean }>().isOnline;
      });
    }

    function urlOf(path: string, query: Record<string, string> = {}): URL {
      const url = new URL(`${BASE}/${path}/${deviceId}`, nodes.node(ENTRY).url);
      url.search = new URLSearchParams({ tenantId: nodes.enrolment.tenantId, ...query }).toString();
      return url;
    }

    async function download(): Promise<IncomingMessage> {
      const request = httpRequest(urlOf('download', { filePath: file }), { headers: nodes.headers, agent: false });
      request.once('response', () => request.on('error', () => undefined));
      request.end();
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      expect(response.statusCode).toBe(200);
      return response;
    }

    /** Reads so many bytes, at most so many in a second, and returns their number. */
    async function read(response: IncomingMessage, bytes: number, rate = Number.POSITIVE_INFINITY): Promise<number> {
      const begun = performance.now();
      let count = 0;
      for await (const part of response) {
        count += (part as Buffer).length;
        if (count >= bytes) break;
        const ahead = (count / rate) * 1_000 - (performance.now() - begun);
        // The speed of the reader, which is what the test is about.
        if (ahead > 0) await delay(ahead);
      }
      return count;
    }

    function startUpload(name: string, bytes = FILE_BYTES): { readonly sender: ClientRequest; readonly answer: Promise<IncomingMessage> } {
      const head =
        `--b\r\nContent-Disposition: form-data; name="targetSaveDirectory"\r\n\r\n${nodes.machine.folder}\r\n` +
        `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
      const length = head.length + bytes + FORM_END.length;
      const type = 'multipart/form-data; boundary=b';
      const headers = { ...nodes.headers, 'content-type': type, 'content-length': length };
      const sender = httpRequest(urlOf('upload'), { method: 'POST', headers, agent: false });
      const answer = once(sender, 'response').then(([response]: IncomingMessage[]) => response);
      sender.on('error', () => undefined);
      answer.catch(() => undefined);
      sender.write(head);
      return { sender, answer };
    }

    /** Sends so many bytes at the speed of their reader, unless the connection ends. */
    async function write(sender: ClientRequest, bytes: number): Promise<void> {
      const part = Buffer.alloc(65_536, 7);
      let sent = 0;
      const parts = new Readable({
        read() {
          this.push(sent < bytes ? part : null);
          sent += part.length;
        },
      });
      await pipeline(parts, sender, { end: false }).catch(() => undefined);
    }

    async function upload(name: string, bytes: number): Promise<void> {
      const { sender, answer } = startUpload(name, bytes);
      await write(sender, bytes);
      sender.end(FORM_END);
      const response = await answer;
      expect(response.resume().statusCode).toBe(200);
      expect((await stat(join(nodes.machine.folder, name))).size).toBe(bytes);
    }

    /** Runs work while the memory of both nodes is looked at, and returns their growth in bytes. */
    async function growthDuring(work: () => Promise<void>): Promise<readonly number[]> {
      const pids = [ENTRY, HOME].map((number) => nodes.node(number).program.pid);
      const before = await Promise.all(pids.map((pid) => residentBytes(pid)));
      const peaks = [...before];
      const timer = setInterval(() => {
        for (const [index, pid] of pids.entries()) void residentBytes(pid).then((bytes) => (peaks[index] = Math.max(peaks[index], bytes)));
      }, 100);
      await work().finally(() => clearInterval(timer));
      return peaks.map((peak, index) => peak - before[index]);
    }

    /** Connections to the public and internal ports of all nodes. */
    const openConnections = async (): Promise<number> => {
      const addresses = (await nodes.rows<{ address: string }>('SELECT address FROM nodes')).map(({ address }) => `http://${address}`);
      const urls = [0, 1, 2].map((number) => nodes.node(number).url);
      return connectionsTo([...urls, ...addresses].map((url) => Number(new URL(url).port)));
    };

    it('go down and up in flat memory, whatever the reader’s speed, and leave nothing open', { timeout: TRANSFERS_MS }, async () => {
      await startAgent();
      await read(await download(), WARM_BYTES);
      // It leaves a connection between the nodes, which the next requests use.
      await upload('warm.bin', WARM_BYTES);
      const connections = await settled('the number of connections', openConnections);
      const growths = {
        down: await growthDuring(async () => expect(await read(await download(), FILE_BYTES)).toBe(FILE_BYTES)),
        slow: await growthDuring(async () => {
          const response = await download();
          expect(await read(response, SLOW_BYTES, SLOW_RATE)).toBeGreaterThanOrEqual(SLOW_BYTES);
        }),
        up: await growthDuring(() => upload('up.bin', FILE_BYTES)),
      };
      // The slow reader has left in the middle of its file.
      await eventually('nothing is open', async () => (await openConnections()) <= connections);
      printFigures('Growth of the two nodes in bytes', growths);
      for (const [what, bytes] of Object.entries(growths)) expect(Math.max(...bytes), what).toBeLessThan(GROWTH_BYTES);
    });

    it('break off when the home of the device is killed, and leave nothing open', async () => {
      await startAgent();
      const connections = await settled('the number of connections', openConnections);
      const response = await download();
      const { sender, answer } = startUpload('broken.bin');
      const isUploading = async (): Promise<boolean> => (await readdir(nodes.machine.folder)).some((name) => name.endsWith('.partial'));
      await Promise.all([read(response, MIB), write(sender, 4 * MIB)]);
      await eventually('the file is begun', isUploading);
      const down = await download();
      const up = new Promise<void>((resolve) => void sender.once('close', () => resolve()));
      const cut = once(down.resume(), 'end').then(
        () => 'whole',
        () => 'cut',
      );
      await nodes.node(HOME).program.kill();
      expect(await cut).toBe('cut');
      const status = await answer.then(({ statusCode }) => statusCode).catch(() => 'cut');
      expect(['cut', 502]).toContain(status);
      await up;
      await eventually('the unfinished file is gone', async () => !(await isUploading()));
      await eventually('nothing is open', async () => (await openConnections()) <= connections);
      await nodes.startAgain(HOME);
      await nodes.untilReady();
    });
  });

  describe('of a relay session', () => {
    async function viewerAt(number: number): Promise<TestViewer> {
      return keep(await TestViewer.connect(nodes.node(number), nodes.headers));
    }

    /** Asks at a node for a session, which is its home then. */
    async function ask(number: number, meeting: Meeting): Promise<void> {
      const device = await registerKeyedDevice(nodes.client(2), nodes.enrolment);
      const agent = keep(await FakeAgent.connect(nodes.node(2), device));
      agent.on(agentClient.CreateVncSession, () => hubOk());
      expect(await agent.heartbeat()).toMatchObject({ isSuccess: true });
      const viewer = await viewerAt(number);
      const result = await viewer.call(viewerHub.RequestVncSession2, {
        sessionId: meeting.sessionId,
        websocketUri: relayUri(nodes.node(number), meeting, 'responder'),
        viewerConnectionId: '',
        deviceId: device.id,
        notifyUserOnSessionStart: false,
        viewerName: '',
        port: 5_901,
      });
      expect(result).toMatchObject({ isSuccess: true });
    }

    const requester = (number: number, meeting: Meeting): RelayPeer =>
      keep(new RelayPeer(relayUri(nodes.node(number), meeting, 'requester'), nodes.headers));
    const responder = (number: number, meeting: Meeting): RelayPeer =>
      keep(new RelayPeer(relayUri(nodes.node(number), meeting, 'responder')));

    it('end with the home of the session, also a half that waits there, and a new session is asked for elsewhere', async () => {
      const [running, waiting, next] = [newMeeting(), newMeeting(), newMeeting()];
      await ask(0, running);
      await ask(0, waiting);
      const [viewer, device] = await Promise.all([requester(1, running).opened(), responder(2, running).opened()]);
      const half = requester(1, waiting);
      viewer.socket.send('before');
      await eventually('the session works', () => device.messages.length === 1);

      await nodes.node(0).program.kill();

      await Promise.all([viewer.end(), device.end()]);
      // It may not have arrived there yet.
      await eventually('the half that waits has ended', () => half.closed !== undefined || half.isAnswered);
      expect([408, 503]).toContain((await responder(2, waiting).refusal()).status);
      await ask(1, next);
      const [nextViewer, nextDevice] = await Promise.all([requester(2, next).opened(), responder(1, next).opened()]);
      nextDevice.socket.send('after');
      await eventually('the next session works', () => nextViewer.messages.length === 1);
      await nodes.startAgain(0);
    });
  });
});

const FORM_END = '\r\n--b--\r\n';

async function residentBytes(pid: number): Promise<number> {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;
}

/** Number of established connections to some ports of this machine. */
async function connectionsTo(ports: readonly number[]): Promise<number> {
  const lines = (await readFile('/proc/net/tcp', 'utf8')).trim().split('\n').slice(1);
  const established = lines.map((line) => line.trim().split(/\s+/)).filter(([, , , state]) => state === '01');
  return established.filter(([, local]) => ports.includes(Number.parseInt(local.split(':')[1], 16))).length;
}
