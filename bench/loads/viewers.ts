import { setTimeout as delay } from 'node:timers/promises';

import { deviceIdOf } from '../harness/database.js';
import { completionIdOf, HubSocket, invocation, isSuccess } from '../harness/hub-socket.js';
import { Recorder, type LoadResult } from '../harness/load.js';
import { serveCalls } from '../harness/serve-calls.js';

/*
 * Viewers: each either calls the agent of one device and waits for each answer, or receives heartbeats of devices.
 */

interface ViewerTarget {
  readonly url: string;
  readonly path: string;
  readonly apiKey: string;
  /** The devices; each gets one viewer. */
  readonly devices: readonly number[];
}

/** The id of the terminal of the viewer with this number. */
function terminalIdOf(viewer: number): string {
  return `0199a000-0000-7000-9000-${viewer.toString(16).padStart(12, '0')}`;
}

/** What a viewer that watches is told of a device. */
const UPDATE_START = '{"type":1,"target":"ReceiveDeviceUpdate"';
const DEVICE_ID = /"id":"([0-9a-f-]{36})"/;

interface WatchTarget extends Omit<ViewerTarget, 'devices'> {
  /** The devices of each viewer. */
  readonly watched: readonly (readonly number[])[];
}

class Viewer {
  /** Whether each device that it heard of was online when it last heard of it. */
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

  static async connect({ url, path, apiKey }: Omit<ViewerTarget, 'devices'>, device: number, number: number): Promise<Viewer> {
    return new Viewer(await HubSocket.connect(url, path, { 'x-api-key': apiKey }), deviceIdOf(device), terminalIdOf(number));
  }

  /** Types into a terminal of the device and returns whether its agent accepted it. */
  type(): Promise<boolean> {
    const input = `{"terminalId":"${this.terminalId}","input":"uptime","viewerConnectionId":null}`;
    return this.call('SendTerminalInput2', `[{"deviceId":"${this.deviceId}","input":${input}}]`);
  }

  /** Subscribes to devices and returns whether that was accepted. */
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
    if (device !== undefined) this.states.set(device, record.includes('"isOnline":true'));
  }
}

let viewers: Viewer[] = [];

const calls = {
  async connect(target: ViewerTarget): Promise<void> {
    viewers = await Promise.all(target.devices.map((device, number) => Viewer.connect(target, device, number)));
  },

  /** Keeps `inFlight` calls of every viewer in progress for `seconds`. */
  async askAgents({ seconds, inFlight }: { readonly seconds: number; readonly inFlight: number }): Promise<LoadResult> {
    const recorder = new Recorder();
    const deadline = performance.now() + seconds * 1000;
    const lanes = viewers.flatMap((viewer) => Array.from({ length: inFlight }, () => viewer));
    await Promise.all(
      lanes.map(async (viewer) => {
        for (let since = performance.now(); since < deadline; since = performance.now()) {
          if (await viewer.type()) recorder.completed(since);
          else recorder.fail();
        }
      }),
    );
    return recorder.result();
  },

  /**
   * Calls at a steady rate per second, by all viewers in turns. Latency counts from the time at which a call was due.
   */
  async askSteadily({ seconds, rate }: { readonly seconds: number; readonly rate: number }): Promise<LoadResult> {
    const recorder = new Recorder();
    const started = performance.now();
    const asked: Promise<void>[] = [];
    for (let sent = 0; sent < seconds * rate; sent += 1) {
      const due = started + (sent * 1000) / rate;
      if (due > performance.now()) await delay(due - performance.now());
      const viewer = viewers[sent % viewers.length];
      asked.push(viewer.type().then((succeeded) => (succeeded ? recorder.completed(due) : recorder.fail())));
    }
    await Promise.all(asked);
    return recorder.result();
  },

  /** Connects one viewer for each list of devices, and subscribes it to them. */
  async watch({ watched, ...target }: WatchTarget): Promise<void> {
    viewers = await Promise.all(watched.map(([first], number) => Viewer.connect(target, first, number)));
    const accepted = await Promise.all(viewers.map((viewer, index) => viewer.watch(watched[index])));
    if (accepted.includes(false)) throw new Error('A subscription was refused.');
  },

  /** How many devices were online when their viewers last heard of them. */
  heardOnline(): number {
    return viewers.reduce((sum, { states }) => sum + [...states.values()].filter(Boolean).length, 0);
  },

  /** Forgets what the viewers have heard. */
  forget(): void {
    for (const { states } of viewers) states.clear();
  },

  async disconnect(): Promise<void> {
    await Promise.all(viewers.map((viewer) => viewer.close()));
    viewers = [];
  },
};

export type ViewerCalls = typeof calls;
serveCalls(calls);
