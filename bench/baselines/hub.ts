import { createPublicKey, randomBytes, verify, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Encoder } from '@msgpack/msgpack';
import pg from 'pg';
import { WebSocketServer, type WebSocket } from 'ws';

import type { Database } from '../harness/database.js';
import { serveCalls } from '../harness/serve-calls.js';

/*
 * The least that serves agents and viewers in the hub protocol, without a framework and without the project's own
 * libraries: negotiation, handshake, and four methods. One answers at once, one verifies a heartbeat and stores it with
 * batched updates, one subscribes to heartbeats, and one passes a call to an agent and back.
 */

interface HeartbeatDto {
  readonly id: string;
  readonly tenantId: string;
  readonly cpuUtilization: number;
  readonly totalMemory: number;
  readonly usedMemory: number;
  readonly totalStorage: number;
  readonly usedStorage: number;
  readonly drives: readonly Readonly<Record<string, string | number>>[];
}

interface SignedHeartbeat {
  readonly dto: HeartbeatDto;
  readonly timestamp: string;
  readonly signature: string;
  readonly publicKey: string;
}

interface Invocation {
  readonly type: number;
  readonly invocationId: string;
  readonly target: string;
  readonly arguments: readonly [
    SignedHeartbeat & { readonly deviceId: string; readonly deviceIds: readonly string[]; readonly input: object },
  ];
  readonly result: unknown;
}

interface Waiting {
  readonly dto: HeartbeatDto;
  readonly publicKey: string;
  readonly ticks: bigint;
  readonly connectionId: string;
  readonly written: (found: boolean) => void;
}

const END = '\x1e';
const BATCH_SIZE = 500;
const EPOCH_TICKS = 621_355_968_000_000_000n;
const DRIVE_TYPES: Readonly<Record<string, number>> = { Unknown: 0, NoRootDirectory: 1, Removable: 2, Fixed: 3 };

const encoder = new Encoder({ useBigInt64: true });
const subscribers = new Map<string, Set<WebSocket>>();
const agents = new Map<string, WebSocket>();
const asked = new Map<string, (result: unknown) => void>();
let lastAsked = 0;
let pool: pg.Pool | undefined;
let waiting: Waiting[] = [];
let isWriting = false;

/** The state of one connection. */
class Connection {
  readonly id = randomBytes(16).toString('base64url');
  private key: KeyObject | undefined;
  private greeted = false;

  constructor(private readonly socket: WebSocket) {}

  receive(data: Buffer): void {
    const text = data.toString();
    let start = 0;
    for (let end = text.indexOf(END); end !== -1; end = text.indexOf(END, start)) {
      if (this.greeted) void this.handle(JSON.parse(text.slice(start, end)) as Invocation);
      else this.socket.send(`{}${END}`);
      this.greeted = true;
      start = end + 1;
    }
  }

  private async handle(message: Invocation): Promise<void> {
    if (message.type === 3) {
      asked.get(message.invocationId)?.(message.result);
      asked.delete(message.invocationId);
    }
    if (message.type !== 1) return;
    const [argument] = message.arguments;
    switch (message.target) {
      case 'UpdateDeviceSigned':
        return this.complete(message, await this.heartbeat(argument));
      case 'SubscribeToDeviceHeartbeats2':
        for (const id of argument.deviceIds) (subscribers.get(id) ?? addSubscribers(id)).add(this.socket);
        return this.complete(message, success(null));
      case 'SendTerminalInput2':
        return this.complete(message, await askAgent(argument.deviceId, argument.input));
      default:
        return this.complete(message, success(null));
    }
  }

  private complete({ invocationId }: Invocation, result: unknown): void {
    this.socket.send(JSON.stringify({ type: 3, invocationId, result }) + END);
  }

  private async heartbeat({ dto, timestamp, signature, publicKey }: SignedHeartbeat): Promise<object> {
    this.key ??= keyOf(publicKey);
    const ticks = ticksOf(timestamp);
    const isValid = await isSigned(this.key, signedBytes(dto, ticks, publicKey), Buffer.from(signature, 'base64'));
    if (!isValid) return { value: null, isSuccess: false, reason: 'Signature verification failed.', errorCode: null };
    if (pool !== undefined && !(await store({ dto, publicKey, ticks, connectionId: this.id }))) {
      return { value: null, isSuccess: false, reason: 'Unknown device.', errorCode: null };
    }
    agents.set(dto.id, this.socket);
    const state = { ...dto, isOnline: true, lastSeen: new Date().toISOString(), connectionId: this.id, isOutdated: false, alias: '' };
    const viewers = subscribers.get(dto.id);
    if (viewers !== undefined) {
      const frame = JSON.stringify({ type: 1, target: 'ReceiveDeviceUpdate', arguments: [state] }) + END;
      for (const viewer of viewers) viewer.send(frame);
    }
    return success({ ...state, publicIpV4: '', publicIpV6: '', tagIds: null, customerId: null, customerName: null });
  }
}

const server = createServer((request, response) => {
  request.resume();
  const token = randomBytes(24).toString('base64url');
  const availableTransports = [{ transport: 'WebSockets', transferFormats: ['Text', 'Binary'] }];
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ negotiateVersion: 1, connectionId: token, connectionToken: token, availableTransports }));
});
// As the service does: a connection must not end while the load measures between two requests.
server.keepAliveTimeout = 65_000;
const sockets = new WebSocketServer({ noServer: true, clientTracking: false, perMessageDeflate: false });
server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (webSocket) => {
    const connection = new Connection(webSocket);
    webSocket.on('message', (data: Buffer) => connection.receive(data));
  });
});

const calls = {
  /** Starts to listen. Heartbeats are stored if there is a database. */
  async start(database: Database | null): Promise<string> {
    pool = database === null ? undefined : new pg.Pool({ ...database, max: 1 });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },

  collectGarbage(): void {
    globalThis.gc?.();
  },
};

export type HubBaselineCalls = typeof calls;
serveCalls(calls);

function success(value: unknown): object {
  return { value, isSuccess: true, reason: null, errorCode: null };
}

function addSubscribers(deviceId: string): Set<WebSocket> {
  const added = new Set<WebSocket>();
  subscribers.set(deviceId, added);
  return added;
}

function askAgent(deviceId: string, input: object): Promise<unknown> {
  const agent = agents.get(deviceId);
  if (agent === undefined) return Promise.resolve({ isSuccess: false, reason: 'Offline.' });
  lastAsked += 1;
  const invocationId = String(lastAsked);
  return new Promise((resolve) => {
    asked.set(invocationId, resolve);
    agent.send(JSON.stringify({ type: 1, invocationId, target: 'ReceiveTerminalInput', arguments: [input] }) + END);
  });
}

/** The exact bytes that a device signs. */
function signedBytes(dto: HeartbeatDto, ticks: bigint, publicKey: string): Uint8Array {
  const named: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(dto)) named[pascal(name)] = value;
  named.Drives = dto.drives.map((drive) => {
    const namedDrive: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(drive))
      namedDrive[pascal(name)] = name === 'driveType' ? (DRIVE_TYPES[value] ?? value) : value;
    return namedDrive;
  });
  return encoder.encode([encoder.encode(named), ticks, publicKey]);
}

function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function keyOf(publicKey: string): KeyObject {
  const x = Buffer.from(publicKey, 'base64').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

function ticksOf(timestamp: string): bigint {
  const fraction = /\.(\d+)/.exec(timestamp)?.[1] ?? '';
  const seconds = Date.parse(`${timestamp.slice(0, 19)}Z`);
  return EPOCH_TICKS + BigInt(seconds) * 10_000n + BigInt(fraction.padEnd(7, '0'));
}

function isSigned(key: KeyObject, bytes: Uint8Array, signature: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    verify(null, bytes, key, signature, (error, isValid) => resolve(error === null && isValid));
  });
}

function store(heartbeat: Omit<Waiting, 'written'>): Promise<boolean> {
  return new Promise((written) => {
    waiting.push({ ...heartbeat, written });
    if (!isWriting) void writeAll();
  });
}

async function writeAll(): Promise<void> {
  isWriting = true;
  await new Promise(setImmediate);
  while (waiting.length > 0) {
    const batch = waiting.slice(0, BATCH_SIZE);
    waiting = waiting.slice(BATCH_SIZE);
    const found = await write(batch);
    for (const { dto, written } of batch) written(found.has(dto.id));
  }
  isWriting = false;
}

async function write(batch: readonly Waiting[]): Promise<ReadonlySet<string>> {
  const result = await pool?.query<{ id: string }>({
    name: 'heartbeats',
    text: `UPDATE devices d SET cpu_utilization = u.cpu, total_memory = u.total_memory, used_memory = u.used_memory,
             total_storage = u.total_storage, used_storage = u.used_storage, last_seen = now(), is_online = TRUE,
             connection_id = u.connection_id, public_key = u.public_key, last_update_ticks = u.ticks
           FROM unnest($1::uuid[], $2::float8[], $3::float8[], $4::float8[], $5::float8[], $6::float8[], $7::text[], $8::text[], $9::int8[])
             AS u(id, cpu, total_memory, used_memory, total_storage, used_storage, connection_id, public_key, ticks)
           WHERE d.id = u.id AND d.public_key IN ('', u.public_key) AND d.last_update_ticks < u.ticks RETURNING d.id`,
    values: [
      batch.map(({ dto }) => dto.id),
      batch.map(({ dto }) => dto.cpuUtilization),
      batch.map(({ dto }) => dto.totalMemory),
      batch.map(({ dto }) => dto.usedMemory),
      batch.map(({ dto }) => dto.totalStorage),
      batch.map(({ dto }) => dto.usedStorage),
      batch.map(({ connectionId }) => connectionId),
      batch.map(({ publicKey }) => publicKey),
      batch.map(({ ticks }) => ticks.toString()),
    ],
  });
  return new Set(result?.rows.map(({ id }) => id));
}
