import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { HttpTransportType, HubConnectionBuilder, HubConnectionState, LogLevel, Subject, type HubConnection } from '@microsoft/signalr';
import { MessagePackHubProtocol } from '@microsoft/signalr-protocol-msgpack';
import { getPublicKeyAsync, signAsync, utils } from '@noble/ed25519';
import { WebSocket, type ClientOptions } from 'ws';

import {
  agentClient,
  agentHub,
  signedPayload,
  Timestamp,
  toBase64,
  type Arguments,
  type DeviceResponseDto,
  type DeviceUpdateRequestDto,
  type Encoding,
  type HubMethod,
  type HubResultOf,
  type Result,
  type WireType,
} from '#libs/contracts';

import { Program } from '../../../demo/program.js';
import { DevicePresence } from '../../../src/devices/device-link/device-presence.js';
import type { Device } from '../../../src/devices/devices/device.entity.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiClient } from '../application/api-client.js';
import type { TestApp } from '../application/app.js';
import { eventually } from '../eventually.js';
import { createDevice } from '../fixtures/factories.js';
import type { Enrolment } from './reporting-device.js';

/*
 * Devices with agents: the reference agent in its own process, and a hand-made agent that can misbehave. Both connect
 * to the hub of the test's application like any device.
 */

/** A device with its private key, which is all that an agent needs. */
export interface KeyedDevice {
  readonly id: string;
  readonly tenantId: string;
  /** Ed25519 seed of 32 bytes. */
  readonly seed: Uint8Array;
  /** Standard base64 of the public key's 32 bytes. */
  readonly publicKey: string;
}

/** An offline device of the tenant whose row contains the public half of a new key. */
export async function createKeyedDevice(server: TestApp, tenant: Pick<Tenant, 'id'>, values: Partial<Device> = {}): Promise<KeyedDevice> {
  const seed = utils.randomSecretKey();
  const publicKey = toBase64(await getPublicKeyAsync(seed));
  const { id, tenantId } = await createDevice(server, { tenantId: tenant.id, publicKey, ...values });
  return { id, tenantId, seed, publicKey };
}

/** Registers a device with an installer key, over HTTP. */
export async function registerKeyedDevice(client: ApiClient, enrolment: Enrolment): Promise<KeyedDevice> {
  const { tenantId, keyId: installerKeyId, keySecret: installerKeySecret } = enrolment;
  const id = randomUUID();
  const seed = utils.randomSecretKey();
  const publicKey = toBase64(await getPublicKeyAsync(seed));
  const body = { device: deviceReport({ id, tenantId }), installerKeyId, installerKeySecret, tagIds: null, publicKey };
  const { status, text } = await client.post('/api/agent/devices', { body });
  if (status !== 200) throw new Error(`The device was not registered: ${status} ${text}`);
  return { id, tenantId, seed, publicKey };
}

/** Waits until the server can reach the device, through the given connection if one is named. */
export async function waitOnline(server: TestApp, deviceId: string, connectionId?: string): Promise<void> {
  await eventually(`device ${deviceId} comes online`, () => {
    const current = connectionsOf(server, deviceId);
    return connectionId === undefined ? current.length > 0 : current.includes(connectionId);
  });
}

/** Waits until the server can no longer reach the device. */
export async function waitOffline(server: TestApp, deviceId: string): Promise<void> {
  await eventually(`device ${deviceId} goes offline`, () => connectionsOf(server, deviceId).length === 0);
}

/** The connections through which the nodes of the application reach a device: at most one each. */
export function connectionsOf({ nodes }: Pick<TestApp, 'nodes'>, deviceId: string): readonly string[] {
  return nodes.flatMap(({ app }) => app.get(DevicePresence).connectionOf(deviceId) ?? []);
}

/** The node through which the application reaches a device. */
export function nodeOf({ nodes }: Pick<TestApp, 'nodes'>, deviceId: string): TestApp {
  const node = nodes.find(({ app }) => app.get(DevicePresence).connectionOf(deviceId) !== undefined);
  if (node === undefined) throw new Error('The device is offline.');
  return node;
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const RUN_TYPESCRIPT = './test/support/processes/run-typescript.mjs';

/** Starts the reference agent's program, from its sources. `env` adds to the environment. */
export function agentProgram(args: readonly string[], env: NodeJS.ProcessEnv = {}): Program {
  const command = [process.execPath, '--import', RUN_TYPESCRIPT, 'agent/src/main.ts', ...args];
  const ownCache = { XDG_CACHE_HOME: join(homedir(), '.cache') };
  return Program.start('The agent', command, { cwd: ROOT, env: { ...ownCache, ...process.env, ...env } });
}

/** Values of an installation command: the address of the service, and the key to register with. */
export interface AgentInstallation {
  readonly serverUri: string;
  readonly tenantId: string;
  readonly keyId: string;
  readonly keySecret: string;
}

/** The agent's settings of its device. */
interface AgentSettings {
  readonly serverUri: string;
  readonly tenantId: string;
  readonly deviceId: string;
  /** The seed in base64. */
  readonly privateKey: string;
}

/** Folders in which an agent of a test keeps its files, and in which its shells begin. */
interface AgentFolders {
  readonly root: string;
  readonly data: string;
  readonly home: string;
}

async function agentFolders(): Promise<AgentFolders> {
  const root = await mkdtemp(join(tmpdir(), 'agent-'));
  const folders = { root, data: join(root, 'data'), home: join(root, 'home') };
  await mkdir(folders.data);
  await mkdir(folders.home);
  return folders;
}

/** VNC servers of tests listen wherever there is room. */
const ANY_PORT = '1-65535';

/** Writes the agent's settings. No test may turn off the machine that it runs on. */
async function writeSettings({ data }: AgentFolders, settings: AgentSettings): Promise<void> {
  await writeFile(join(data, 'settings.json'), JSON.stringify({ ...settings, allowPower: false, vncPorts: ANY_PORT }), { mode: 0o600 });
}

/** The reference agent, running as a process of its own with a data folder of its own. */
export class ReferenceAgent {
  private constructor(
    readonly device: KeyedDevice,
    private readonly folders: AgentFolders,
    private readonly env: NodeJS.ProcessEnv,
    readonly program: Program,
  ) {}

  /** Starts the agent of the device and waits until the server has taken a report of it. `env` adds to its environment. */
  static async start(server: TestApp, device: KeyedDevice, env: NodeJS.ProcessEnv = {}): Promise<ReferenceAgent> {
    const folders = await agentFolders();
    const settings = { serverUri: server.url, tenantId: device.tenantId, deviceId: device.id, privateKey: toBase64(device.seed) };
    await writeSettings(folders, settings);
    return ReferenceAgent.run(server, device, folders, env);
  }

  /** Registers this machine as a device with an installer key, as the agent's command line does, and starts the agent. */
  static async install(server: TestApp, { serverUri, tenantId, keyId, keySecret }: AgentInstallation): Promise<ReferenceAgent> {
    const folders = await agentFolders();
    const where = ['--data-dir', folders.data, '--no-service', '--server', serverUri, '--tenant', tenantId, '--key-id', keyId];
    const installer = agentProgram(['install', ...where], { DEVICE_AGENT_KEY_SECRET: keySecret, HOME: folders.home });
    if ((await installer.untilEnd()).code !== 0) throw new Error(`The agent could not be installed: ${installer.output}`);
    const settings: AgentSettings = JSON.parse(await readFile(join(folders.data, 'settings.json'), 'utf8'));
    await writeSettings(folders, settings);
    const seed = Buffer.from(settings.privateKey, 'base64');
    const device = { id: settings.deviceId, tenantId, seed, publicKey: toBase64(await getPublicKeyAsync(seed)) };
    return ReferenceAgent.run(server, device, folders, {});
  }

  private static async run(server: TestApp, device: KeyedDevice, folders: AgentFolders, env: NodeJS.ProcessEnv): Promise<ReferenceAgent> {
    const { data, home } = folders;
    // Shells with neither the prompts nor the history of the account that runs the tests.
    const program = agentProgram(['run', '--data-dir', data], { SHELL: '/bin/bash', HOME: home, HISTFILE: '', ...env });
    await eventually(`device ${device.id} comes online`, () => {
      if (!program.isRunning) throw new Error(`The agent ended before it was online: ${program.output}`);
      return server.nodes.some(({ app }) => app.get(DevicePresence).isKnown(device.id));
    });
    return new ReferenceAgent(device, folders, env, program);
  }

  /** The folder of its settings and logs. */
  get dataDirectory(): string {
    return this.folders.data;
  }

  /** Ends its process, as when its device shuts down. Its data stays. */
  async shutDown(): Promise<void> {
    await this.program.stop();
  }

  /** Starts it again after its process has ended, as when its device has restarted. */
  async startAgain(server: TestApp): Promise<ReferenceAgent> {
    return ReferenceAgent.run(server, this.device, this.folders, this.env);
  }

  /** Resident memory of its process in bytes. */
  async memory(): Promise<number> {
    const status = await readFile(`/proc/${this.program.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
  }

  /** Bytes that its process has read from files and sockets. */
  async bytesRead(): Promise<number> {
    return Number(/^rchar: (\d+)$/m.exec(await readFile(`/proc/${this.program.pid}/io`, 'utf8'))?.[1]);
  }

  /** Stops the process, like a frozen machine. The connection stays open. */
  freeze(): void {
    this.program.signal('SIGSTOP');
  }

  /** Lets a frozen process continue. */
  thaw(): void {
    this.program.signal('SIGCONT');
  }

  /** Kills the process, like a crash. */
  async kill(): Promise<void> {
    await this.program.kill();
  }

  /** Waits until its process has ended by itself and returns the exit code. */
  async untilEnd(): Promise<number | null> {
    return (await this.program.untilEnd()).code;
  }

  /** Stops the agent gracefully and deletes its data. */
  async stop(): Promise<void> {
    await this.program.stop();
    await rm(this.folders.root, { recursive: true, force: true });
  }
}

type AgentMethod = (typeof agentClient)[keyof typeof agentClient];
type StreamMethod = (typeof agentHub)[
  'SendFileContentStream' | 'SendDirectoryContentsStream' | 'SendSubdirectoriesStream' | 'SendDesktopPreviewStream'];

/** A service that a fake agent connects to: the test's application, or one that runs as a process. */
type Server = Pick<TestApp, 'url'> & Partial<Pick<TestApp, 'clock' | 'nodes'>>;

/**
 * An agent that a test controls, with the official hub client. It answers only what the test lets it answer, and can
 * disconnect, stay silent or send what no valid agent would.
 */
export class FakeAgent {
  private readonly sockets: WebSocket[] = [];
  private lastTicks = 0n;

  private constructor(
    private readonly server: Server,
    readonly device: KeyedDevice,
    readonly encoding: Encoding,
    readonly connection: HubConnection,
  ) {}

  /** Connects without sending anything. The hub accepts every connection until the first update. */
  static async connect(server: Server, device: KeyedDevice, encoding: Encoding = 'json'): Promise<FakeAgent> {
    const opened: WebSocket[] = [];
    const options = { transport: HttpTransportType.WebSockets, skipNegotiation: true, WebSocket: capturing(opened) };
    const builder = new HubConnectionBuilder().withUrl(new URL('/hubs/agent', server.url).href, options).configureLogging(LogLevel.None);
    const agent = new FakeAgent(
      server,
      device,
      encoding,
      (encoding === 'messagepack' ? builder.withHubProtocol(new MessagePackHubProtocol()) : builder).build(),
    );
    await agent.connection.start();
    agent.sockets.push(...opened);
    return agent;
  }

  /** Connects and reports the device once, so that the server reaches it through this connection. */
  static async online(server: Server, device: KeyedDevice, encoding: Encoding = 'json'): Promise<FakeAgent> {
    const agent = await FakeAgent.connect(server, device, encoding);
    const { isSuccess, reason } = await agent.heartbeat();
    if (!isSuccess) throw new Error(`The server refused the device: ${reason}`);
    return agent;
  }

  /** The server's id of this connection, which agents never learn. Only while the device is online through it, in this process. */
  get connectionId(): string {
    const { nodes = [] } = this.server;
    const [id] = connectionsOf({ nodes }, this.device.id);
    if (id === undefined) throw new Error('The device is offline.');
    return id;
  }

  /** Answers a call of the server. A handler that throws makes the call fail, as in the client library. */
  on<M extends AgentMethod>(method: M, handler: (...args: Arguments<M>) => Result<M> | Promise<Result<M>>): this;
  on({ name, parameters, returns }: HubMethod, handler: (...args: unknown[]) => unknown): this {
    this.connection.off(name);
    this.connection.on(name, async (...raw: unknown[]) => {
      const args = parameters.map((type, index) => valueType(type).decode(raw[index], this.encoding));
      const result: unknown = await handler(...args);
      return returns === undefined ? undefined : valueType(returns).encode(result, this.encoding);
    });
    return this;
  }

  /** Answers a call of the server with exactly this value, valid or not. */
  answerRaw(method: AgentMethod, answer: (...raw: unknown[]) => unknown): this {
    this.connection.off(method.name);
    this.connection.on(method.name, async (...raw: unknown[]) => answer(...raw));
    return this;
  }

  /** The frames that the server sends from now on, as they are on the wire. */
  readFrames(): readonly string[] {
    const frames: string[] = [];
    this.socket.on('message', (data: Buffer) => frames.push(data.toString()));
    return frames;
  }

  /** Reports the device, signed with the current time unless one is given. */
  async heartbeat(changes: Partial<DeviceUpdateRequestDto> = {}, timestamp = this.now()): Promise<HubResultOf<DeviceResponseDto>> {
    const { parameters, returns, name } = agentHub.UpdateDeviceSigned;
    const dto = { ...deviceReport(this.device), ...changes };
    const signature = await signAsync(signedPayload(dto, timestamp, this.device.publicKey), this.device.seed);
    const signed = { dto, timestamp, signature, publicKey: this.device.publicKey };
    return returns.decode(await this.connection.invoke<unknown>(name, parameters[0].encode(signed, this.encoding)), this.encoding);
  }

  /** Opens a stream to the server under the id that the server gave. `directoryExists` is for directory contents only. */
  openStream(method: StreamMethod & HubMethod, streamId: string, directoryExists?: boolean): FakeStream {
    const subject = new Subject<unknown>();
    const args = directoryExists === undefined ? [streamId] : [streamId, directoryExists];
    // A send that fails because of a lost connection is expected in some tests.
    this.connection.send(method.name, ...args, subject).catch(() => undefined);
    const item = streamType(method.parameters.at(-1));
    return new FakeStream(
      subject,
      (value) => item.encode(value, this.encoding),
      () => this.isOpen,
    );
  }

  /** True if the socket is open. */
  get isOpen(): boolean {
    return this.connection.state === HubConnectionState.Connected && this.socket.readyState === WebSocket.OPEN;
  }

  /** Bytes that were sent but not yet read by the server. */
  get unsentBytes(): number {
    return this.socket.bufferedAmount;
  }

  /** Stops reading from the network, like an overloaded machine. Bytes sent before still go out. */
  stall(): void {
    this.socket.pause();
  }

  /** Reads the accumulated bytes, and continues. */
  goOn(): void {
    this.socket.resume();
  }

  /** Cuts the connection without a close, like a network failure. */
  vanish(): void {
    this.socket.terminate();
  }

  /** Closes the connection gracefully. */
  async stop(): Promise<void> {
    await this.connection.stop();
  }

  private get socket(): WebSocket {
    const socket = this.sockets.at(-1);
    if (socket === undefined) throw new Error('The agent never connected.');
    return socket;
  }

  /** The server's time, always later than the last one, because an update that is not newer is refused. */
  private now(): Timestamp {
    const current = Timestamp.fromDate(new Date(this.server.clock?.milliseconds() ?? Date.now()));
    const next = current.ticks > this.lastTicks ? current : Timestamp.fromTicks(this.lastTicks + 1n);
    this.lastTicks = (next ?? current).ticks;
    return next ?? current;
  }
}

/** A stream of a hand-made agent. Items that are sent after the connection was lost are dropped. */
export class FakeStream {
  constructor(
    private readonly subject: Subject<unknown>,
    private readonly encode: (item: unknown) => unknown,
    private readonly isOpen: () => boolean,
  ) {}

  /** Sends an item of the stream's kind: bytes, or a list of entries. */
  send(item: unknown): this {
    return this.sendRaw(this.encode(item));
  }

  /** Sends any value as an item. */
  sendRaw(item: unknown): this {
    if (this.isOpen()) this.subject.next(item);
    return this;
  }

  complete(): void {
    if (this.isOpen()) this.subject.complete();
  }

  /** Ends the stream with an error. */
  fail(reason: string): void {
    if (this.isOpen()) this.subject.error(new Error(reason));
  }
}

/** The report of a small device. */
export function deviceReport({ id, tenantId }: Pick<KeyedDevice, 'id' | 'tenantId'>): DeviceUpdateRequestDto {
  return {
    id,
    tenantId,
    name: 'workshop-pc',
    agentVersion: '1.2.3.4',
    is64Bit: true,
    osArchitecture: 1,
    osDescription: 'Debian GNU/Linux 12',
    platform: 2,
    processorCount: 4,
    cpuUtilization: 0.25,
    totalMemory: 16,
    totalStorage: 512.5,
    usedMemory: 4.25,
    usedStorage: 128.75,
    currentUsers: ['operator'],
    macAddresses: ['001122AABBCC'],
    localIpV4: '192.0.2.10',
    localIpV6: '2001:db8::10',
    drives: [],
    dnsHostName: 'workshop-pc.example.org',
  };
}

function valueType(type: HubMethod['parameters'][number]): WireType<unknown> {
  if ('stream' in type) throw new TypeError('A stream is no value.');
  return type;
}

function streamType(type: HubMethod['parameters'][number] | undefined): WireType<unknown> {
  if (type === undefined || !('stream' in type)) throw new TypeError('The method takes no stream.');
  return type.stream;
}

/** A socket class for the client library that records each instance. */
function capturing(opened: WebSocket[]) {
  return class extends WebSocket {
    constructor(address: string | URL, protocols: string | string[] | undefined, options: ClientOptions) {
      super(address, protocols, options);
      opened.push(this);
    }
  };
}
