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

const TERMINAL_ID = '0199a000-0000-7000-9000-000000000001';

class Viewer {
  private readonly waiting = new Map<string, (succeeded: boolean) => void>();
  private lastId = 0;

  private constructor(
    private readonly socket: HubSocket,
    private readonly deviceId: string,
  ) {
    socket.onRecord = (record) => this.receive(record);
  }

  static async connect({ url, path, apiKey }: ViewerTarget, device: number): Promise<Viewer> {
    return new Viewer(await HubSocket.connect(url, path, { 'x-api-key': apiKey }), deviceIdOf(device));
  }

  /** Types into a terminal of the device and returns whether its agent accepted it. */
  type(): Promise<boolean> {
    const input = `{"terminalId":"${TERMINAL_ID}","input":"uptime","viewerConnectionId":null}`;
    return this.call('SendTerminalInput2', `[{"deviceId":"${this.deviceId}","input":${input}}]`);
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
    const id = completionIdOf(record);
    if (id === undefined) return;
    this.waiting.get(id)?.(isSuccess(record));
    this.waiting.delete(id);
  }
}

let viewers: Viewer[] = [];

const calls = {
  async connect(target: ViewerTarget): Promise<void> {
    viewers = await Promise.all(target.devices.map((device) => Viewer.connect(target, device)));
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

  async disconnect(): Promise<void> {
    await Promise.all(viewers.map((viewer) => viewer.close()));
    viewers = [];
  },
};

export type ViewerCalls = typeof calls;
serveCalls(calls);
