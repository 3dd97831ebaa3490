import { Subject } from '@microsoft/signalr';

import {
  agentClient,
  agentHub,
  FileSystemEntryDto,
  hubFailure,
  hubOk,
  hubValue,
  TerminalOutputKind,
  Timestamp,
  viewerHub,
  type DeviceInventoryDto,
  type DeviceResponseDto,
  type FileUploadHubDto,
  type HubMethod,
  type HubResult,
} from '#libs/contracts';

import { DeviceLink } from '../../../src/devices/device-link/device-link.js';
import { DeviceInventory } from '../../../src/devices/inventory/reports/device-inventory.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { TestApp } from '../../support/application/app.js';
import { createKeyedDevice, deviceReport, FakeAgent, type KeyedDevice } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { envelopeOf } from '../agent-envelope.js';
import type { TransferClient } from '../transfers.js';
import type { TestViewer } from '../viewer-client.js';

/*
 * One valid call of every method of the agent hub. Each row prepares what the call needs: a report to make, a terminal or a conversation
 * that a viewer has opened, or a caller who waits for a stream.
 */

/** Participants of the calls. The viewer may do everything with the devices of the tenant, and is subscribed to them. */
export interface Stage {
  readonly server: TestApp;
  readonly tenant: { readonly id: string };
  /** The agent of a device of the tenant. */
  readonly agent: FakeAgent;
  readonly viewer: TestViewer;
  readonly http: TransferClient;
  /** Fetches a desktop preview of the device. */
  readonly preview: () => Promise<Buffer>;
}

/** A call that one agent may make, and what is at the other end when it has been made. */
export interface Exchange {
  /** The agent that may. */
  readonly by: FakeAgent;
  /** The arguments of an agent; those of others are what a forger would send. Streams are lists of items. */
  readonly args: (caller: FakeAgent) => readonly unknown[] | Promise<readonly unknown[]>;
  /** The result, or the text of the error, for the agent and for others. */
  readonly answered: unknown;
  readonly refused: unknown;
  /** All that has come to the other end, once something has. */
  readonly arrived: () => unknown;
  readonly expected: unknown;
}

const EMPTY_INVENTORY: DeviceInventoryDto = {
  manufacturer: '',
  model: '',
  serialNumber: '',
  firmware: '',
  processor: '',
  processorCores: 0,
  bootedAt: null,
  memorySlots: [],
  softwareCount: 0,
  software: null,
  updates: null,
};
const UNKNOWN_STREAM = 'Nobody waits for this stream.';
const PIECES = [Buffer.from('first '), Buffer.from('second')];
const FORGED = [Buffer.from('forged')];
const WHOLE = Buffer.concat(PIECES).toString();

const ENTRIES = ['a', 'b', 'c'].map((name) =>
  FileSystemEntryDto.decode({ name, fullPath: `/${name}`, lastModified: '2026-01-01T00:00:00+00:00', size: 2 ** 31 }, 'json'),
);
const NAMES = ENTRIES.map(({ name }) => name);
const FORGED_ENTRIES = [ENTRIES.slice(0, 1)];

/** A promise with the function that settles it. */
function promised<T>(): { readonly promise: Promise<T>; readonly settle: (value: T) => void } {
  let settle: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => (settle = resolve));
  return { promise, settle: (value) => settle(value) };
}

/** Reports of the device that the viewer has been pushed by now. */
const pushed = ({ updates }: TestViewer, { id }: Pick<KeyedDevice, 'id'>): string[] =>
  updates.filter((update) => update.id === id).map(({ name }) => name);

const accepted = ({ id }: KeyedDevice, name: string): { readonly isSuccess: true; readonly value: Partial<DeviceResponseDto> } => ({
  isSuccess: true,
  value: { id, name, isOnline: true },
});

/** A call of the agent that sends a stream which an HTTP client waits for. */
async function streamRow(
  { agent }: Stage,
  request: Promise<unknown>,
  asked: Promise<string>,
  row: Pick<Exchange, 'answered' | 'refused' | 'expected'> & {
    readonly args: (streamId: string, isReal: boolean) => readonly unknown[];
  },
): Promise<Exchange> {
  const streamId = await asked;
  return { ...row, by: agent, args: (caller) => row.args(streamId, caller === agent), arrived: () => request };
}

async function namesOf(pending: Promise<Response>): Promise<unknown> {
  const { items, directoryExists, subdirectories } = (await (await pending).json()) as {
    items?: { name: string }[];
    directoryExists?: boolean;
    subdirectories?: { name: string }[];
  };
  const names = (items ?? subdirectories ?? []).map(({ name }) => name);
  return directoryExists === undefined ? names : { directoryExists, names };
}

/** The valid calls, by method. */
export const AGENT_CALLS: { readonly [K in keyof typeof agentHub]: (stage: Stage) => Promise<Exchange> } = {
  /** Without a signature only a device without a key may report. */
  async UpdateDevice({ server, tenant, agent, viewer }) {
    const device = await createKeyedDevice(server, tenant, { publicKey: '' });
    const by = server.alsoStop(await FakeAgent.connect(server, device, agent.encoding));
    await viewer.call(viewerHub.SubscribeToDeviceHeartbeats2, { deviceIds: [device.id] });
    return {
      by,
      args: (caller) => [caller === by ? { ...deviceReport(device), name: 'unsigned' } : { ...deviceReport(agent.device), name: 'forged' }],
      answered: accepted(device, 'unsigned'),
      refused: hubFailure('Device requires signed updates.'),
      arrived: () => [pushed(viewer, device), pushed(viewer, agent.device).filter((name) => name === 'forged')],
      expected: [['unsigned'], []],
    };
  },

  async UpdateDeviceSigned({ server, agent, viewer }) {
    const { device } = agent;
    const before = pushed(viewer, device).length;
    return {
      by: agent,
      args: async (caller) => [
        caller === agent
          ? await envelopeOf(server, device, { report: { name: 'signed' } })
          : await envelopeOf(server, device, { report: { name: 'forged' }, seed: caller.device.seed }),
      ],
      answered: accepted(device, 'signed'),
      refused: hubFailure('Signature verification failed.'),
      // Another node may push the first report of the agent as late as this.
      arrived: () =>
        pushed(viewer, device)
          .slice(before)
          .filter((name) => name !== deviceReport(device).name),
      expected: ['signed'],
    };
  },

  /** It holds for the connection that calls: every caller may, and speaks for itself alone. */
  OfferFeatures({ server, agent }) {
    return Promise.resolve({
      by: agent,
      args: (caller) => [caller === agent ? ['RenameFile', 'Unknown'] : []],
      answered: null,
      refused: null,
      arrived: () => server.nodes.some(({ app }) => app.get(DeviceLink).offers(agent.device.id, 'RenameFile')),
      expected: true,
    });
  },

  /** Others cannot report for the device: an agent speaks for its own. */
  async ReportInventory({ server, agent }) {
    const deviceId = agent.device.id;
    const inventory = { ...EMPTY_INVENTORY, model: 'Own' };
    const hashOf = (caller: FakeAgent): string => (caller === agent ? 'own' : 'forged');
    await callAs(agent, agentHub.ReportInventory, [{ deviceId, hash: 'own', inventory: null }]);
    return {
      by: agent,
      args: (caller) => [{ deviceId, hash: hashOf(caller), inventory: caller === agent ? inventory : { ...inventory, model: 'Forged' } }],
      answered: { isSuccess: true, value: false },
      refused: hubFailure('The connection does not speak for this device.'),
      arrived: async () => {
        const stored = await server.dataSource.manager.findBy(DeviceInventory, { deviceId });
        return stored.map(({ hash, facts: { model } }) => ({ hash, model }));
      },
      expected: [{ hash: 'own', model: 'Own' }],
    };
  },

  async SendChatResponse({ agent, viewer }) {
    const sessionId = newGuid();
    const heard: string[] = [];
    viewer.onChatResponse(({ message }) => heard.push(message) > 0);
    agent.on(agentClient.SendChatMessage, () => hubOk());
    await viewer.call(viewerHub.SendChatMessage2, {
      deviceId: agent.device.id,
      sessionId,
      message: 'Hello?',
      senderName: '',
      senderEmail: '',
      targetSystemSession: 1,
      targetProcessId: 17,
      timestamp: Timestamp.fromDate(new Date('2026-01-02T03:04:05Z')),
      viewerConnectionId: '',
    });
    const response = {
      sessionId,
      desktopSessionProcessId: 17,
      senderUsername: 'operator',
      viewerConnectionId: viewer.connectionId,
      timestamp: Timestamp.fromDate(new Date('2026-01-02T03:04:06Z')),
    };
    return {
      by: agent,
      args: (caller) => [{ ...response, message: caller === agent ? 'Yes!' : 'forged' }],
      answered: true,
      refused: false,
      arrived: () => heard,
      expected: ['Yes!'],
    };
  },

  async SendTerminalOutputToViewer({ agent, viewer }) {
    const terminalId = newGuid();
    agent.on(agentClient.CreateTerminalSession, () => hubOk());
    await viewer.call(viewerHub.CreateTerminalSession2, { deviceId: agent.device.id, terminalId });
    const timestamp = Timestamp.fromDate(new Date('2026-01-02T03:04:06Z'));
    const output = { terminalId, output: 'done', outputKind: TerminalOutputKind.StandardError, timestamp };
    return {
      by: agent,
      args: (caller) => [viewer.connectionId, caller === agent ? output : { ...output, output: 'forged' }],
      answered: null,
      refused: null,
      arrived: () => viewer.outputs.filter((each) => each.terminalId === terminalId),
      expected: [output],
    };
  },

  async GetFileStreamFromViewer({ agent, viewer }) {
    const { promise: asked, settle } = promised<FileUploadHubDto>();
    const { promise: written, settle: write } = promised<HubResult>();
    agent.on(agentClient.DownloadFileFromViewer, (dto) => {
      settle(dto);
      return written;
    });
    const metadata = { targetDirectory: '/tmp', fileName: 'f', fileSize: WHOLE.length, contentType: 'text/plain', overwrite: false };
    const items = (async function* () {
      for (const piece of PIECES) yield await Promise.resolve(piece);
    })();
    const uploaded = viewer.call(viewerHub.UploadFile, { deviceId: agent.device.id, ...metadata }, items);
    const dto = await asked;
    return {
      by: agent,
      args: () => [dto],
      answered: PIECES.map((piece) => piece.toString()),
      refused: UNKNOWN_STREAM,
      arrived: () => {
        write(hubOk());
        return uploaded;
      },
      expected: hubOk(),
    };
  },

  async SendDesktopPreviewStream(stage) {
    const { promise, settle } = promised<string>();
    stage.agent.on(agentClient.RequestDesktopPreview, ({ streamId }) => {
      settle(streamId);
      return hubOk();
    });
    return streamRow(
      stage,
      stage.preview().then((bytes) => bytes.toString()),
      promise,
      {
        args: (streamId, isReal) => [streamId, isReal ? PIECES : FORGED],
        answered: null,
        refused: UNKNOWN_STREAM,
        expected: WHOLE,
      },
    );
  },

  async SendDirectoryContentsStream(stage) {
    const { promise, settle } = promised<string>();
    stage.agent.on(agentClient.StreamDirectoryContents, ({ streamId }) => {
      settle(streamId);
      return hubOk();
    });
    const request = stage.http.fetch('contents', { body: { deviceId: stage.agent.device.id, directoryPath: '/' } });
    return streamRow(stage, namesOf(request), promise, {
      args: (streamId, isReal) => [streamId, isReal, isReal ? [ENTRIES.slice(0, 2), ENTRIES.slice(2)] : FORGED_ENTRIES],
      answered: null,
      refused: UNKNOWN_STREAM,
      expected: { directoryExists: true, names: NAMES },
    });
  },

  async SendFileContentStream(stage) {
    const { promise, settle } = promised<string>();
    stage.agent.on(agentClient.UploadFileToViewer, ({ streamId }) => {
      settle(streamId);
      return hubValue({ fileSize: WHOLE.length, fileDisplayName: 'file' });
    });
    const request = stage.http.download(stage.agent.device).then(({ bytes }) => bytes?.toString());
    return streamRow(stage, request, promise, {
      args: (streamId, isReal) => [streamId, isReal ? PIECES : FORGED],
      answered: hubOk(),
      refused: { isSuccess: false, reason: UNKNOWN_STREAM, errorCode: null },
      expected: WHOLE,
    });
  },

  async SendSubdirectoriesStream(stage) {
    const { promise, settle } = promised<string>();
    stage.agent.on(agentClient.StreamSubdirectories, ({ streamId }) => {
      settle(streamId);
      return hubOk();
    });
    const request = stage.http.fetch('subdirectories', { body: { deviceId: stage.agent.device.id, directoryPath: '/' } });
    return streamRow(stage, namesOf(request), promise, {
      args: (streamId, isReal) => [streamId, isReal ? [ENTRIES.slice(0, 2), ENTRIES.slice(2)] : FORGED_ENTRIES],
      answered: null,
      refused: UNKNOWN_STREAM,
      expected: NAMES,
    });
  },
};

/**
 * Makes a call. Gives its answer as it came over the wire, a list of items for a method that answers a stream, or the text of the error
 * that the server has answered.
 */
export async function callAs(caller: FakeAgent, { name, parameters, returns }: HubMethod, args: readonly unknown[]): Promise<unknown> {
  const { connection, encoding } = caller;
  const subjects: [Subject<unknown>, unknown[]][] = [];
  const raw = parameters.map((type, index) => {
    if (!('stream' in type)) return type.encode(args[index], encoding);
    const subject = new Subject<unknown>();
    subjects.push([subject, (args[index] as unknown[]).map((item) => type.stream.encode(item, encoding))]);
    return subject;
  });
  const answer =
    returns !== undefined && 'stream' in returns
      ? new Promise<unknown>((resolve, reject) => {
          const items: unknown[] = [];
          connection
            .stream<unknown>(name, ...raw)
            .subscribe({ next: (item) => items.push(item), complete: () => resolve(items), error: reject });
        })
      : connection.invoke<unknown>(name, ...raw);
  for (const [subject, items] of subjects) {
    for (const item of items) subject.next(item);
    subject.complete();
  }
  return answer.catch((error: unknown) => /HubException: (.*)$/.exec(String(error))?.[1] ?? String(error));
}

/** Waits until something has come to the other end, and gives all of it. */
export async function whatArrived({ arrived }: Exchange): Promise<unknown> {
  await eventually('something arrives', async () => {
    const found = await arrived();
    return !Array.isArray(found) || found.flat().length > 0;
  });
  return arrived();
}
