import { generateKeyPairSync, sign, type KeyPairKeyObjectResult } from 'node:crypto';

import {
  DeviceUpdateRequestDto,
  DriveType,
  signedPayload,
  TerminalOutputDto,
  TerminalOutputKind,
  Timestamp,
  toBase64,
} from '#libs/contracts';

import { deviceIdOf } from '../harness/database.js';
import { completion, completionIdOf, HubSocket, invocation, invocationIdOf, isSuccess } from '../harness/hub-socket.js';

/** Address to which agents connect, and their tenant. */
export interface AgentTarget {
  readonly url: string;
  readonly path: string;
  readonly tenantId: string;
}

const ANSWER = '{"isSuccess":true,"reason":null,"errorCode":null}';
/** Bytes of an Ed25519 public key, at the end of its DER form. */
const KEY_LENGTH = 32;

/** Signed times always increase, whatever the clock does and however many are signed in one millisecond. */
let lastTicks = 0n;

/** The agent of one device at the least cost: what it sends was signed before the measurement. */
export class LoadAgent {
  private readonly deviceId: string;
  private readonly publicKey: string;
  /** Called when the connection has ended. */
  onLost: () => void = () => undefined;
  /** Time at which the server was heard last, of `performance.now()`. */
  heardAt = 0;
  private socket: HubSocket | undefined;
  /** Signed updates in reverse order. */
  private prepared: Buffer[] = [];
  private readonly waiting = new Map<string, (succeeded: boolean) => void>();
  private lastId = 0;
  private lastOutputId = 0;

  constructor(
    private readonly device: number,
    private readonly keys: KeyPairKeyObjectResult = generateKeyPairSync('ed25519'),
  ) {
    this.deviceId = deviceIdOf(device);
    this.publicKey = toBase64(keys.publicKey.export({ format: 'der', type: 'spki' }).subarray(-KEY_LENGTH));
  }

  /** Another agent of the device, with the same key and a connection of its own. */
  twin(): LoadAgent {
    return new LoadAgent(this.device, this.keys);
  }

  /** The number of updates that are prepared but not sent. */
  get preparedCount(): number {
    return this.prepared.length;
  }

  /** Signs `count` updates. The server accepts them while their times are within its tolerance of a minute. */
  prepare(count: number, { tenantId }: AgentTarget): void {
    this.prepared = Array.from({ length: count }, () => this.signedUpdate(tenantId)).toReversed();
  }

  async connect({ url, path }: AgentTarget): Promise<void> {
    const socket = await HubSocket.connect(url, path);
    this.socket = socket;
    this.heardAt = performance.now();
    socket.onRecord = (record) => this.receive(record);
    socket.onClose = () => {
      if (this.socket === socket) this.lost();
    };
  }

  /** Sends the next prepared update. Returns true if the server accepted it. */
  beat(): Promise<boolean> {
    const update = this.prepared.pop();
    if (update === undefined) return Promise.reject(new Error('No prepared update is left.'));
    return this.call(String(this.lastId - this.prepared.length), update);
  }

  /** Prints in a terminal of a viewer. Settles when the server has taken it. */
  async print(viewerConnectionId: string, terminalId: string, output: string): Promise<void> {
    const timestamp = Timestamp.fromDate(new Date());
    const dto = TerminalOutputDto.encode({ terminalId, output, outputKind: TerminalOutputKind.StandardOutput, timestamp }, 'json');
    this.lastOutputId += 1;
    const id = `output-${this.lastOutputId}`;
    await this.call(id, invocation(id, 'SendTerminalOutputToViewer', JSON.stringify([viewerConnectionId, dto])));
  }

  async disconnect(): Promise<void> {
    await this.socket?.close();
  }

  /** Loses the connection without a word. */
  lose(): void {
    this.socket?.cut();
  }

  /** Calls the server. Returns false if it refuses, or the connection has ended. */
  private call(id: string, message: string | Buffer): Promise<boolean> {
    const { socket } = this;
    if (socket === undefined) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      socket.send(message);
    });
  }

  /** Nobody answers what was sent. */
  private lost(): void {
    this.socket = undefined;
    for (const settle of this.waiting.values()) settle(false);
    this.waiting.clear();
    this.onLost();
  }

  private receive(record: string): void {
    this.heardAt = performance.now();
    const answered = completionIdOf(record);
    if (answered !== undefined) {
      this.waiting.get(answered)?.(isSuccess(record));
      this.waiting.delete(answered);
      return;
    }
    const asked = invocationIdOf(record);
    if (asked !== undefined) this.socket?.send(completion(asked, ANSWER));
  }

  private signedUpdate(tenantId: string): Buffer {
    const dto = report(this.deviceId, tenantId);
    const timestamp = nextTimestamp();
    const signature = sign(null, signedPayload(dto, timestamp, this.publicKey), this.keys.privateKey);
    const signed = {
      dto: DeviceUpdateRequestDto.encode(dto, 'json'),
      timestamp: timestamp.toString(),
      signature: signature.toString('base64'),
      publicKey: this.publicKey,
    };
    this.lastId += 1;
    return Buffer.from(invocation(String(this.lastId), 'UpdateDeviceSigned', JSON.stringify([signed])));
  }
}

function nextTimestamp(): Timestamp {
  const now = Timestamp.fromDate(new Date());
  lastTicks = now.ticks > lastTicks ? now.ticks : lastTicks + 1n;
  return Timestamp.fromTicks(lastTicks) ?? now;
}

/** The report of a device in the form of a MessagePack call. */
export function messagePackReport(id: string, tenantId: string): unknown {
  return DeviceUpdateRequestDto.encode(report(id, tenantId), 'messagepack');
}

/** The report of a workstation. Only its figures change between reports. */
function report(id: string, tenantId: string): DeviceUpdateRequestDto {
  const drive = { rootDirectory: '/', name: '/', driveFormat: 'ext4', freeSpace: 347.25, totalSize: 475.75, volumeLabel: 'root' };
  return {
    id,
    tenantId,
    name: `workstation-${id.slice(-6)}`,
    agentVersion: '1.2.3.4',
    is64Bit: true,
    osArchitecture: 1,
    osDescription: 'Debian GNU/Linux 12 (bookworm)',
    platform: 2,
    processorCount: 8,
    cpuUtilization: 0.001 + Math.random() / 2,
    totalMemory: 15.5,
    totalStorage: 475.75,
    usedMemory: 4.001 + Math.random() / 2,
    usedStorage: 128.5,
    currentUsers: ['operator', 'guest'],
    macAddresses: ['001122AABBCC', '001122AABBCD'],
    localIpV4: '192.0.2.10',
    localIpV6: '2001:db8::10',
    drives: [{ ...drive, driveType: DriveType.Fixed }],
    dnsHostName: `workstation-${id.slice(-6)}.example.org`,
  };
}
