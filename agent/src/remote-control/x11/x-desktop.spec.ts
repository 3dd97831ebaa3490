import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { noXServer, XServer } from '../../desktop/x-server.fixture.js';
import { symbolOf } from './keysyms.js';
import { XCapture } from './x-capture.js';
import { XConnection } from './x-connection.js';
import { XInput } from './x-input.js';

/** Much more memory than an X server has left in a test, in pixels of a side: 256 MB. */
const LARGE = 8_000;
const CYRILLIC = 'ж';
const suite = noXServer === undefined ? describe : describe.skip;

suite(`the desktop of an X server${noXServer === undefined ? '' : ` (skipped: ${noXServer})`}`, () => {
  let x: XServer;
  let connection: XConnection;
  /** That of another program. */
  let other: XConnection;
  const stops: (() => unknown)[] = [];

  beforeAll(async () => {
    x = await XServer.start('640x480');
  });
  afterAll(async () => x.stop());

  beforeEach(async () => {
    connection = await XConnection.open(x.name, () => undefined);
    other = await XConnection.open(x.name, () => undefined);
  });
  afterEach(async () => {
    vi.useRealTimers();
    for (const stop of stops.splice(0)) stop();
    await Promise.all([connection.close(), other.close()]);
  });

  /** The symbols of all keys, as other programs see them. */
  async function keys(): Promise<readonly number[]> {
    const { min_keycode: first, max_keycode: last } = other.display;
    const rows = await other.ask<readonly (readonly number[])[]>((reply) =>
      other.client.GetKeyboardMapping(first, last - first + 1, reply),
    );
    return rows.flat();
  }

  it('keeps its keys when a session ends while it types', async () => {
    const before = await keys();
    const input = await XInput.start(connection);
    const text = Array.from({ length: 80 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('');
    const typed = input.type(text).catch((error: unknown) => error);
    await expect.poll(keys).not.toEqual(before);
    input.stop();
    await typed;
    await connection.close();
    expect(await keys()).toEqual(before);
  });

  it('has a key for a character at the end of a text that takes long to type', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const input = await XInput.start(connection);
    const typed = input.type(`${CYRILLIC}${'a'.repeat(2_000)}${CYRILLIC}`);
    await expect.poll(keys).toContain(symbolOf(CYRILLIC));
    vi.advanceTimersByTime(5_000);
    await typed;
    expect(await keys()).toContain(symbolOf(CYRILLIC));
    vi.advanceTimersByTime(5_000);
    await expect.poll(keys).not.toContain(symbolOf(CYRILLIC));
  });

  it('is shown without shared memory where the server cannot have as much, and with it again afterwards', async () => {
    await x.paint('#3366cc');
    const capture = await XCapture.start(connection);
    const used = /^VmSize:\s*(\d+) kB/m.exec(readFileSync(`/proc/${x.processId}/status`, 'utf8'))?.[1];
    const limit = (bytes: string): unknown => spawnSync('prlimit', ['--pid', String(x.processId), `--as=${bytes}`]);
    stops.push(() => limit('unlimited'));
    limit(`${Number(used) * 1024 + LARGE * LARGE}:unlimited`);
    await capture.show({ x: 0, y: 0, width: LARGE, height: LARGE });
    const [blue, green, red] = await capture.grab([{ x: 0, y: 0, width: 8, height: 8 }]);
    expect([red, green, blue, capture.mode]).toEqual([0x33, 0x66, 0xcc, 'X11 requests']);
    await capture.show({ x: 0, y: 0, width: 640, height: 480 });
    const pixels = await capture.grab([{ x: 0, y: 0, width: 8, height: 8 }]);
    expect([pixels[2], pixels[1], pixels[0], capture.mode]).toEqual([0x33, 0x66, 0xcc, 'X11 shared memory']);
  });

  it('ends what waits for an answer when it disconnects from a server that is stuck', async () => {
    process.kill(x.processId, 'SIGSTOP');
    stops.push(() => process.kill(x.processId, 'SIGCONT'));
    const asked = connection.ask((reply) => connection.client.QueryKeymap(reply)).catch((error: unknown) => error);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const closed = connection.close();
    vi.advanceTimersByTime(5_000);
    await closed;
    expect(await asked).toEqual(new Error('The X server has ended.'));
  });
});
