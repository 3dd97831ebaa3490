import { createHash } from 'node:crypto';

import {
  agentClient,
  agentHub,
  FILE_CHUNK_BYTES,
  hubOk,
  hubValue,
  TerminalOutputDto,
  TerminalOutputKind,
  Timestamp,
  type FileUploadHubDto,
  type HubResult,
} from '#libs/contracts';

import { FakeAgent, type KeyedDevice } from '../../support/devices/agents.js';
import { type LoadedNodes, sha256 } from './loaded-nodes.js';

/** Size of the files that devices send. */
const FILE_BYTES = 4 * FILE_CHUNK_BYTES;

/** An input that has come to a terminal. */
export interface ArrivedInput {
  readonly terminalId: string;
  readonly input: string;
  /** By the monotonic clock, in milliseconds. */
  readonly at: number;
}

/** Contents of the file at a path of every device. */
function contentsOf(path: string): Buffer {
  return Buffer.alloc(FILE_BYTES, createHash('sha512').update(path).digest());
}

/** Digest of the file at a path of every device. */
export const digestOf = (path: string): string => sha256(contentsOf(path));

/**
 * A device whose agent reports, prints each input of its terminals, takes files, and sends them. When its connection has ended, it connects
 * to another node.
 */
export class LoadedDevice {
  /** Number of the last report that was acknowledged. */
  reported = 0;
  readonly inputs: ArrivedInput[] = [];
  /** Outputs that were acknowledged, by terminal. */
  readonly printed = new Map<string, string[]>();
  /** Digests of the files that have arrived whole, by name. */
  readonly files = new Map<string, string[]>();
  private readonly printing = new Set<Promise<void>>();
  private agent: FakeAgent | null = null;

  constructor(
    private readonly nodes: Pick<LoadedNodes, 'next'>,
    readonly device: KeyedDevice,
  ) {}

  get id(): string {
    return this.device.id;
  }

  /** Reports under this number. True if the report was accepted. */
  async report(number: number): Promise<boolean> {
    const agent = await this.connected();
    const { isSuccess } = await agent.heartbeat({ name: nameOf(number) });
    if (isSuccess) this.reported = number;
    return isSuccess;
  }

  /** Faults of the reports, when the device is stored under this name. */
  faultsOfReports(storedName: string): string[] {
    const stored = Number(storedName.replace(/^report /, ''));
    return stored >= this.reported ? [] : [`report ${this.reported} of ${this.id} is lost: the device is stored as "${storedName}"`];
  }

  /** Settles when nothing is being printed any more. */
  async untilPrinted(): Promise<void> {
    await Promise.all(this.printing);
  }

  async stop(): Promise<void> {
    await this.agent?.stop();
  }

  private async connected(): Promise<FakeAgent> {
    if (this.agent?.isOpen === true) return this.agent;
    const agent = await FakeAgent.connect({ url: this.nodes.next() }, this.device);
    agent.on(agentClient.CreateTerminalSession, () => hubOk());
    agent.on(agentClient.ReceiveTerminalInput, ({ terminalId, input, viewerConnectionId }) => {
      this.inputs.push({ terminalId, input, at: performance.now() });
      this.print(agent, viewerConnectionId ?? '', terminalId, input);
      return hubOk();
    });
    agent.on(agentClient.DownloadFileFromViewer, (file) => this.take(agent, file));
    agent.on(agentClient.UploadFileToViewer, ({ streamId, filePath }) => {
      setImmediate(() => send(agent, streamId, filePath));
      return hubValue({ fileSize: FILE_BYTES, fileDisplayName: 'file' });
    });
    this.agent = agent;
    return agent;
  }

  private print(agent: FakeAgent, viewerConnectionId: string, terminalId: string, output: string): void {
    const dto = { terminalId, output, outputKind: TerminalOutputKind.StandardOutput, timestamp: Timestamp.fromDate(new Date()) };
    const printing: Promise<void> = agent.connection
      .invoke(agentHub.SendTerminalOutputToViewer.name, viewerConnectionId, TerminalOutputDto.encode(dto, agent.encoding))
      .then(
        () => void this.printed.set(terminalId, [...(this.printed.get(terminalId) ?? []), output]),
        () => undefined,
      )
      .finally(() => this.printing.delete(printing));
    this.printing.add(printing);
  }

  private take(agent: FakeAgent, file: FileUploadHubDto): Promise<HubResult> {
    const { name, parameters } = agentHub.GetFileStreamFromViewer;
    const parts: Buffer[] = [];
    return new Promise((resolve, reject) => {
      agent.connection.stream<string>(name, parameters[0].encode(file, agent.encoding)).subscribe({
        next: (part) => void parts.push(Buffer.from(part, 'base64')),
        complete: () => {
          const digest = sha256(Buffer.concat(parts));
          this.files.set(file.fileName, [...(this.files.get(file.fileName) ?? []), digest]);
          resolve(hubOk());
        },
        error: reject,
      });
    });
  }
}

const nameOf = (number: number): string => `report ${number}`;

function send(agent: FakeAgent, streamId: string, path: string): void {
  const bytes = contentsOf(path);
  const stream = agent.openStream(agentHub.SendFileContentStream, streamId);
  for (let at = 0; at < bytes.length; at += FILE_CHUNK_BYTES) stream.send(bytes.subarray(at, at + FILE_CHUNK_BYTES));
  stream.complete();
}
