import { Recorder, type LoadResult } from '../harness/load.js';
import { serveCalls } from '../harness/serve-calls.js';
import { steadily } from '../harness/steadily.js';
import { LoadViewer, type ViewerTarget } from './load-viewer.js';

/*
 * Viewers: each either calls the agent of one device and waits for each answer, or receives heartbeats of devices.
 */

interface CallTarget extends ViewerTarget {
  /** The devices; each gets one viewer. */
  readonly devices: readonly number[];
}

interface WatchTarget extends ViewerTarget {
  /** The devices of each viewer. */
  readonly watched: readonly (readonly number[])[];
}

/** Calls of viewers to agents that are kept in progress. */
export interface Asking {
  readonly seconds: number;
  readonly inFlight: number;
  readonly of?: number;
}

/** A call with its times, in milliseconds since 1970. */
export interface NotedCall {
  readonly begunAt: number;
  readonly endedAt: number;
  readonly succeeded: boolean;
}

let viewers: LoadViewer[] = [];

const calls = {
  async connect(target: CallTarget): Promise<void> {
    viewers = await Promise.all(target.devices.map((device, number) => LoadViewer.connect(target, device, number)));
  },

  /** Keeps `inFlight` calls of every viewer, or of so many, in progress for `seconds`. */
  async askAgents({ seconds, inFlight, of }: Asking): Promise<LoadResult> {
    const recorder = new Recorder();
    const deadline = performance.now() + seconds * 1000;
    const lanes = viewers.slice(0, of).flatMap((viewer) => Array.from({ length: inFlight }, () => viewer));
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
    const asked: Promise<void>[] = [];
    for await (const due of steadily(rate, seconds * rate)) {
      const viewer = viewers[asked.length % viewers.length];
      asked.push(viewer.type().then((succeeded) => (succeeded ? recorder.completed(due) : recorder.fail())));
    }
    await Promise.all(asked);
    return recorder.result();
  },

  /** Calls at a steady rate per second, by all viewers in turns, and notes each call. Calls may fail. */
  async noteCalls({ seconds, rate }: { readonly seconds: number; readonly rate: number }): Promise<NotedCall[]> {
    const noted: Promise<NotedCall>[] = [];
    for await (const due of steadily(rate, seconds * rate)) {
      const viewer = viewers[noted.length % viewers.length];
      noted.push(viewer.type().then((succeeded) => ({ begunAt: atOf(due), endedAt: atOf(performance.now()), succeeded })));
    }
    return Promise.all(noted);
  },

  /** Connects one viewer for each list of devices, and subscribes it to them. */
  async watch({ watched, ...target }: WatchTarget): Promise<void> {
    viewers = await Promise.all(watched.map(([first], number) => LoadViewer.connect(target, first, number)));
    const accepted = await Promise.all(viewers.map((viewer, index) => viewer.watch(watched[index])));
    if (accepted.includes(false)) throw new Error('A subscription was refused.');
  },

  /** Returns the number of devices that were online when their viewers last heard of them. */
  heardOnline(): number {
    return viewers.reduce((sum, { states }) => sum + [...states.values()].filter(Boolean).length, 0);
  },

  /** Forgets the states that the viewers have heard. */
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

/** A time of `performance.now()` in milliseconds since 1970. */
function atOf(time: number): number {
  return performance.timeOrigin + time;
}
