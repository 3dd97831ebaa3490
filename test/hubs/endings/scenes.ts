import { Subject } from '@microsoft/signalr';
import { expect } from 'vitest';

import {
  agentClient,
  agentHub,
  FileUploadHubDto,
  FileUploadMetadata,
  hubFailure,
  hubOk,
  hubValue,
  TerminalOutputDto,
  TerminalOutputKind,
  Timestamp,
  viewerHub,
} from '#libs/contracts';
import type { HubLimits } from '#libs/signalr';

import { AGENT_HUB_PATH, VIEWER_HUB_PATH } from '../../../src/platform/common/addresses/hub-paths.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { TestApp } from '../../support/application/app.js';
import { createKeyedDevice, FakeAgent, waitOffline } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { envelopeOf } from '../agent-envelope.js';
import { frameHeader, hubOf, hubsOf, RawClient } from '../attacks/raw-hub-client.js';
import { connectedAgents } from '../test-agents.js';
import { CHUNK, TransferClient } from '../transfers.js';
import { TestViewer } from '../viewer-client.js';

/*
 * Bad ends of connections: by accident, by neglect, and on purpose. Each scene plays until the server has ended what it has to end,
 * within the time-out that ends it.
 */

/** Server, tenant and viewer of scenes. */
export interface Stage {
  readonly server: TestApp;
  readonly tenant: { readonly id: string };
  /** Headers of a viewer that may do everything with the devices of the tenant. */
  readonly headers: Record<string, string>;
}

export interface Scene {
  readonly what: string;
  /** The limits of both hubs that are shortened for it. */
  readonly limits?: Partial<HubLimits>;
  /** Number of times that it plays. Scenes that wait for a time-out have many connections instead. */
  readonly plays: number;
  readonly play: (stage: Stage) => Promise<void>;
}

/** Time-out, in milliseconds: ample for an end at once or after a shortened time-out, on a machine that has much else to do. */
const IN_TIME_MS = 30_000;
const PIECES = 100;
const FLOODERS = 100;
const FLOOD = 150;
/** Sockets that are half open at once. */
const HALF_OPEN = 20;
/** Clients may put so many bytes of messages into one frame, and the last message may go beyond. */
const MIB = 1_048_576;
const SHORT_MS = 1_000;
const HANDSHAKE = Buffer.from('{"protocol":"messagepack","version":1}\x1e');

const ends = (what: string, condition: () => boolean | Promise<boolean>): Promise<void> => eventually(what, condition, IN_TIME_MS);

async function online({ server, tenant }: Stage): Promise<FakeAgent> {
  return FakeAgent.online(server, await createKeyedDevice(server, tenant));
}

/** A download over HTTP that has begun and does not end by itself. */
export async function beginDownload({ server, tenant }: Stage, agent: FakeAgent): Promise<Response> {
  agent.on(agentClient.UploadFileToViewer, ({ streamId }) => {
    const stream = agent.openStream(agentHub.SendFileContentStream, streamId);
    for (let piece = 0; piece < PIECES; piece += 1) stream.send(CHUNK);
    return hubValue({ fileSize: 2 * PIECES * CHUNK.length, fileDisplayName: 'file' });
  });
  const response = await new TransferClient(server, tenant).fetch(`download/${agent.device.id}`, { query: { filePath: '/file' } });
  expect(response.status).toBe(200);
  return response;
}

/** An upload through the hub that has begun and does not end by itself. Gives how the device's part ended, once it has. */
export async function beginUpload(viewer: TestViewer, agent: FakeAgent): Promise<() => string | undefined> {
  let received = 0;
  let outcome: string | undefined;
  agent.on(agentClient.DownloadFileFromViewer, async (dto) => {
    outcome = await new Promise<string>((resolve) => {
      agent.connection.stream(agentHub.GetFileStreamFromViewer.name, FileUploadHubDto.encode(dto, 'json')).subscribe({
        next: () => (received += 1),
        complete: () => resolve('whole'),
        error: (error: unknown) => resolve(String(error)),
      });
    });
    return hubFailure('The stream broke.');
  });
  const items = new Subject<string>();
  const fileSize = 2 * PIECES * CHUNK.length;
  const metadata = { targetDirectory: '/tmp', fileName: 'f', fileSize, contentType: 'text/plain', overwrite: false };
  const request = FileUploadMetadata.encode({ deviceId: agent.device.id, ...metadata }, 'json');
  // A viewer that is gone does not get the answer.
  viewer.connection.invoke(viewerHub.UploadFile.name, request, items).catch(() => undefined);
  for (let piece = 0; piece < PIECES; piece += 1) items.next(CHUNK.toString('base64'));
  await eventually('bytes flow', () => received > 0);
  return () => outcome;
}

/** A connection to the agents' hub that speaks MessagePack. */
async function rawMessagePack({ server }: Stage): Promise<RawClient> {
  const client = await RawClient.open(server, AGENT_HUB_PATH);
  client.socket.resume();
  client.socket.write(Buffer.concat([frameHeader(HANDSHAKE.length), HANDSHAKE]));
  return client;
}

/** Bytes that are no hub message, each for its own reason. */
const NO_MESSAGE_PACK: readonly Buffer[] = [
  // A call without a target, a message that is no list, and an empty one.
  Buffer.from([2, 0x91, 1]),
  Buffer.from([1, 0xc0]),
  Buffer.from([0]),
  // A length that does not end, one that is too large, and a list that says it has four thousand million items.
  Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff]),
  Buffer.from([0xff, 0xff, 0xff, 0xff, 0x07]),
  Buffer.from([5, 0xdd, 0xff, 0xff, 0xff, 0xff]),
  // A text longer than its message, a type that does not exist, and lists in lists.
  Buffer.from([6, 0x96, 0xdb, 0xff, 0xff, 0xff, 0xff]),
  Buffer.from([1, 0xc1]),
  Buffer.concat([Buffer.from([0xe8, 0x07]), Buffer.alloc(1_000, 0x91)]),
];

export const SCENES: readonly Scene[] = [
  {
    what: 'an agent is gone in the middle of a download',
    plays: 2,
    async play(stage) {
      const agent = await online(stage);
      const response = await beginDownload(stage, agent);
      agent.vanish();
      await expect(response.arrayBuffer()).rejects.toThrow();
      await waitOffline(stage.server, agent.device.id);
    },
  },
  {
    what: 'a viewer is gone in the middle of an upload',
    plays: 2,
    async play(stage) {
      const agent = await online(stage);
      const viewer = await TestViewer.connect(stage.server, stage.headers);
      const outcome = await beginUpload(viewer, agent);
      viewer.vanish();
      await ends('the device hears of it', () => outcome() !== undefined);
      expect(outcome()).toContain('canceled by client');
      expect((await agent.heartbeat()).isSuccess).toBe(true);
      await agent.stop();
    },
  },
  {
    what: 'a viewer does not read what it is sent',
    limits: { drainTimeoutMs: SHORT_MS },
    plays: 1,
    async play(stage) {
      const agent = await online(stage);
      agent.on(agentClient.CreateTerminalSession, () => hubOk()).on(agentClient.CloseTerminalSession, () => undefined);
      const viewer = await TestViewer.connect(stage.server, stage.headers);
      const terminalId = newGuid();
      await viewer.call(viewerHub.CreateTerminalSession2, { deviceId: agent.device.id, terminalId });
      const { connectionId } = viewer;
      const viewers = hubsOf(stage.server, VIEWER_HUB_PATH);
      const isConnected = (): boolean => viewers.some((hub) => hub.connection(connectionId) !== undefined);
      viewer.stall();
      const timestamp = Timestamp.fromDate(new Date());
      const output = { terminalId, output: 'x'.repeat(90_000), outputKind: TerminalOutputKind.StandardOutput, timestamp };
      const printing = (async () => {
        while (isConnected()) {
          await agent.connection.invoke(agentHub.SendTerminalOutputToViewer.name, connectionId, TerminalOutputDto.encode(output, 'json'));
        }
      })();
      await ends('the viewer is disconnected', () => !isConnected());
      await printing;
      viewer.vanish();
      await agent.stop();
    },
  },
  {
    what: 'an agent floods the server with reports',
    plays: 1,
    async play(stage) {
      const agent = await online(stage);
      const { name, parameters } = agentHub.UpdateDeviceSigned;
      const envelope = parameters[0].encode(await envelopeOf(stage.server, agent.device), 'json');
      let answered = 0;
      const flood = Array.from({ length: FLOODERS }, async () => {
        for (; answered < FLOOD; answered += 1) await agent.connection.invoke(name, envelope);
      });
      await Promise.all(flood);
      // One was new, the others were not. It is served as before.
      expect((await agent.heartbeat()).isSuccess).toBe(true);
      await agent.stop();
    },
  },
  {
    what: 'a socket is half open: its other end has gone without a word',
    limits: { clientTimeoutMs: 6_000 },
    plays: 1,
    async play({ server }) {
      const before = connectedAgents(server);
      const clients = await Promise.all(Array.from({ length: HALF_OPEN }, () => RawClient.connect(server, AGENT_HUB_PATH)));
      expect(connectedAgents(server)).toBe(before + clients.length);
      for (const { socket } of clients) socket.pause();
      await ends('the server has given them up', () => connectedAgents(server) === before);
      await Promise.all(clients.map((client) => client.stop()));
    },
  },
  {
    what: 'a frame is too large',
    plays: 10,
    async play({ server }) {
      const { maximumMessageSize } = hubOf(server, AGENT_HUB_PATH).limits;
      const client = await RawClient.connect(server, AGENT_HUB_PATH);
      client.socket.write(Buffer.concat([frameHeader(MIB + maximumMessageSize + 1), Buffer.alloc(100_000, 'x')]));
      await ends('the connection', () => client.isClosed);
    },
  },
  {
    what: 'bytes are no MessagePack',
    plays: 1,
    async play(stage) {
      await Promise.all(
        NO_MESSAGE_PACK.map(async (bytes) => {
          const client = await rawMessagePack(stage);
          client.socket.write(Buffer.concat([frameHeader(bytes.length, 'binary'), bytes]));
          await ends(`the connection that sent ${bytes.toString('hex', 0, 8)}`, () => client.isClosed);
        }),
      );
    },
  },
];
