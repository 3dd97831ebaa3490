import { setImmediate as nextTurn } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { HubLine, type HubState } from './hub-line.js';

/** A connection that the test controls. */
class Connection {
  starts = 0;
  isRunning = false;
  close: () => void = () => undefined;
  comeBack: () => void = () => undefined;
  start = async (): Promise<void> => {
    this.starts += 1;
    this.isRunning = true;
  };

  async stop(): Promise<void> {
    const was = this.isRunning;
    this.isRunning = false;
    await nextTurn();
    if (was) this.close();
  }

  onclose(listener: () => void): void {
    this.close = listener;
  }

  onreconnected(listener: () => void): void {
    this.comeBack = listener;
  }
}

function lineOf(build: () => Promise<Connection>) {
  const states: HubState['kind'][] = [];
  const back = vi.fn<() => void>();
  const doubt = vi.fn<() => void>();
  const line = new HubLine({ build, onState: ({ kind }) => states.push(kind), onBack: back, onDoubt: doubt });
  return { line, states, back, doubt };
}

beforeEach(() => vi.stubGlobal('navigator', { onLine: true }));
afterEach(() => vi.unstubAllGlobals());

describe('a line to the hub', () => {
  it('opens the connection by itself', async () => {
    const connection = new Connection();
    const { line, states, back } = lineOf(async () => connection);
    expect(await line.connected()).toBe(connection);
    expect(states).toEqual(['connecting', 'live']);
    expect(back).not.toHaveBeenCalled();
  });

  it('tries again if the library could not be loaded, or the service did not answer', async () => {
    const connection = new Connection();
    const failing = vi.fn<() => Promise<Connection>>().mockRejectedValueOnce(new TypeError('no such chunk')).mockResolvedValue(connection);
    const { start } = connection;
    connection.start = async () => {
      connection.start = start;
      throw new Error('refused');
    };
    const { line, states } = lineOf(failing);
    for (let lost = 1; lost <= 2; lost += 1) {
      await vi.waitUntil(() => states.filter((state) => state === 'reconnecting').length === lost);
      await line.tryNow();
    }
    expect(await line.connected()).toBe(connection);
    expect(states).toEqual(['connecting', 'reconnecting', 'connecting', 'reconnecting', 'connecting', 'live']);
  });

  it('opens the connection again after it has closed, and says that it is back', async () => {
    const connection = new Connection();
    const { line, back } = lineOf(async () => connection);
    await line.connected();
    await connection.stop();
    expect(await line.connected()).toBe(connection);
    expect(connection.starts).toBe(2);
    await vi.waitUntil(() => back.mock.calls.length === 1);
  });

  it('asks for the session when the connection has closed, and when the service refuses its caller, but not when nobody answers', async () => {
    const connection = new Connection();
    const { start } = connection;
    const { line, states, doubt } = lineOf(async () => connection);
    await line.connected();
    expect(doubt).not.toHaveBeenCalled();
    const refusals = ["Failed to complete negotiation: Status code '401'", 'Failed to fetch'];
    connection.start = async () => {
      const refusal = refusals.shift();
      if (refusal === undefined) return start();
      throw new Error(refusal);
    };
    await connection.stop();
    for (let lost = 1; lost <= 2; lost += 1) {
      await vi.waitUntil(() => states.filter((state) => state === 'reconnecting').length === lost);
      await line.tryNow();
    }
    await line.connected();
    // The close and the refusal.
    expect(doubt).toHaveBeenCalledTimes(2);
  });

  it('reports nothing and opens nothing once it is ended, even if its connection closes later', async () => {
    const connection = new Connection();
    const { line, states, back } = lineOf(async () => connection);
    await line.connected();
    const ending = line.end();
    states.length = 0;
    await ending;
    connection.comeBack();
    await nextTurn();
    expect([states, back.mock.calls.length, connection.starts, connection.isRunning]).toEqual([[], 0, 1, false]);
    expect(await line.connected()).toBeNull();
  });

  it('ends without waiting for an attempt to connect that gets no answer', async () => {
    const connection = new Connection();
    const never = new Promise<void>(() => undefined);
    connection.start = () => never;
    // The library stops a connection only after its start.
    connection.stop = () => never;
    const { line, states } = lineOf(async () => connection);
    await nextTurn();
    await line.end();
    expect(states).toEqual(['connecting']);
  }, 5_000);

  it('does not start a connection that was built after its end', async () => {
    const connection = new Connection();
    let finish: (built: Connection) => void = () => undefined;
    const { line } = lineOf(() => new Promise((resolve) => (finish = resolve)));
    await line.end();
    finish(connection);
    expect(await line.connected()).toBeNull();
    expect(connection.starts).toBe(0);
  });
});
