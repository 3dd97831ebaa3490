import { deviceIdOf } from '../harness/database.js';
import { completionIdOf, HubSocket, invocation, isSuccess } from '../harness/hub-socket.js';

/** The id of the terminal of the viewer with this number. */
function terminalIdOf(viewer: number): string {
  return `0199a000-0000-7000-9000-${viewer.toString(16).padStart(12, '0')}`;
}

/** Beginning of the message that tells a viewer of a device. */
const UPDATE_START = '{"type":1,"target":"ReceiveDeviceUpdate"';
const DEVICE_ID = /"id":"([0-9a-f-]{36})"/;

/** Address to which viewers connect, and their key. */
export interface ViewerTarget {
  readonly url: string;
  readonly path: string;
  readonly apiKey: string;
}

/** A viewer at the least cost. */
export class LoadViewer {
  /** Called with the id of each device that it hears of. */
  onUpdate: (deviceId: string) => void = () => undefined;
  /** By device id: true if the device was online when the viewer last heard of it. */
  readonly states = new Map<string, boolean>();
  private readonly waiting = new Map<string, (succeeded: boolean) => void>();
  private lastId = 0;

  private constructor(
    private readonly socket: HubSocket,
    private readonly deviceId: string,
    private readonly terminalId: string,
  ) {
    socket.onRecord = (record) => this.receive(record);
  }

  static async connect({ url, path, apiKey }: ViewerTarget, device: number, number: number): Promise<LoadViewer> {
    return new LoadViewer(await HubSocket.connect(url, path, { 'x-api-key': apiKey }), deviceIdOf(device), terminalIdOf(number));
  }

  /** Types into a terminal of the device. Returns true if its agent accepted it. */
  type(): Promise<boolean> {
    const input = `{"terminalId":"${this.terminalId}","input":"uptime","viewerConnectionId":null}`;
    return this.call('SendTerminalInput2', `[{"deviceId":"${this.deviceId}","input":${input}}]`);
  }

  /** Subscribes to devices. Returns true if that was accepted. */
  watch(devices: readonly number[]): Promise<boolean> {
    return this.call('SubscribeToDeviceHeartbeats2', JSON.stringify([{ deviceIds: devices.map(deviceIdOf) }]));
  }

  close(): Promise<void> {
    return this.socket.close();
  }

  private call(method: string, args: string): Promise<boolean> {
    this.lastId += 1;
    const id = String(this.lastId);
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.socket.send(invocation(id, method, args));
    });
  }

  private receive(record: string): void {
    if (record.startsWith(UPDATE_START)) return this.note(record);
    const id = completionIdOf(record);
    if (id === undefined) return;
    this.waiting.get(id)?.(isSuccess(record));
    this.waiting.delete(id);
  }

  private note(record: string): void {
    const device = DEVICE_ID.exec(record)?.[1];
    if (device === undefined) return;
    this.states.set(device, record.includes('"isOnline":true'));
    this.onUpdate(device);
  }
}
