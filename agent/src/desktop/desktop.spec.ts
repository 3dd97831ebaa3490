import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decode } from 'jpeg-js';
import { spawnSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Log } from '../logs/log.js';
import { Desktops } from './desktops.js';
import { readDisplays, type Display } from './displays.js';
import { piecesOf, Previews } from './preview.js';
import { shrunk } from './shrink.js';
import { authority, noXServer, XServer } from './x-server.fixture.js';

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** Arguments with which Node.js runs the program that takes pictures without a build. */
const TYPESCRIPT = ['--import', fileURLToPath(new URL('../../../test/support/processes/run-typescript.mjs', import.meta.url))];

/** First message of a client of X11: little endian, version 11, no key. */
const GREETING = Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

/** Number of a display that no server gets: they take the lowest one that is free. */
const NOBODYS_NUMBER = 54_321;

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'desktop-'));
});

afterEach(async () => rm(root, { recursive: true }));

describe('displays', () => {
  it('are none on a machine without X servers', async () => {
    await expect(readDisplays({ sockets: join(root, 'none'), locks: root })).resolves.toEqual([]);
    const desktops = new Desktops(async () => []);
    await expect(desktops.sessions()).resolves.toEqual([]);
    await expect(desktops.at(1)).rejects.toThrow('The device has no desktop: no X server runs on it.');
  });

  it('of Wayland are listed with a sentence, and cannot be controlled', async () => {
    const display = { number: 0, processId: 42, isWithinWayland: true, user: undefined, authorityFile: undefined };
    const desktops = new Desktops(async () => [display]);
    await expect(desktops.sessions()).resolves.toMatchObject([
      { areRemoteControlPermissionsGranted: false, name: expect.stringContaining('desktops of X11 only') as string },
    ]);
    await expect(desktops.controllable(42)).rejects.toThrow('Display :0 belongs to a Wayland desktop');
  });

  it('are not believed when their server has ended, or takes no connections', async () => {
    const places = { sockets: root, locks: root };
    await writeFile(join(root, 'X5'), '');
    await writeFile(join(root, '.X5-lock'), `${process.pid}\n`.padStart(11));
    await expect(readDisplays(places)).resolves.toEqual([]);
    await rm(join(root, 'X5'));
    const server = createServer().listen(join(root, 'X5'));
    await expect(readDisplays(places)).resolves.toMatchObject([{ number: 5, processId: process.pid }]);
    const { pid } = spawnSync('true');
    await writeFile(join(root, '.X5-lock'), `${pid}\n`.padStart(11));
    await expect(readDisplays(places)).resolves.toEqual([]);
    server.close();
  });

  it('are found when this process was busy for longer than a connection may take', async () => {
    await writeFile(join(root, '.X5-lock'), `${process.pid}\n`.padStart(11));
    const server = createServer().listen(join(root, 'X5'));
    const busy = (): void => queueMicrotask(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500));
    subscribe('net.client.socket', busy);
    try {
      await expect(readDisplays({ sockets: root, locks: root })).resolves.toMatchObject([{ number: 5 }]);
    } finally {
      unsubscribe('net.client.socket', busy);
      server.close();
    }
  });
});

describe.skipIf(noXServer !== undefined)(`a real display${noXServer === undefined ? '' : ` (skipped: ${noXServer})`}`, () => {
  let server: XServer;
  let previews: Previews;
  const stopping = new AbortController();
  const desktops = new Desktops();

  const start = async (size: string, options?: readonly string[]): Promise<Display> => {
    server = await XServer.start(size, options);
    return desktops.at(server.processId);
  };

  beforeEach(() => {
    previews = new Previews(silent, stopping.signal, TYPESCRIPT);
  });

  afterEach(async () => server.stop());

  it('is a session that is addressed by the process of its server', async () => {
    await start('640x480');
    const session = (await desktops.sessions()).find(({ processId }) => processId === server.processId);
    expect(session).toMatchObject({
      desktopName: server.name,
      systemSessionId: server.number,
      type: 0,
      areRemoteControlPermissionsGranted: true,
    });
    await expect(desktops.at(process.pid)).rejects.toThrow('serves no desktop');
    await server.stop();
    expect((await desktops.sessions()).map(({ processId }) => processId)).not.toContain(server.processId);
  });

  it('is found while its clients come and go', async () => {
    await start('640x480');
    const over = new AbortController();
    const comeAndGo = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const socket = createConnection(`/tmp/.X11-unix/X${server.number}`);
        await once(socket, 'connect');
        socket.write(GREETING);
        await once(socket, 'data');
        socket.destroy();
        await once(socket, 'close');
      }
    };
    const clients = Array.from({ length: 60 }, comeAndGo);
    for (let reading = 0; reading < 10; reading += 1) {
      expect((await readDisplays()).map(({ processId }) => processId)).toContain(server.processId);
    }
    over.abort();
    await Promise.all(clients);
  });

  it('gives a JPEG of what it shows', async () => {
    const display = await start('640x480');
    await server.paint('#3366cc');
    const picture = decode(await previews.take(display));
    expect([picture.width, picture.height]).toEqual([640, 480]);
    for (const offset of [0, (240 * 640 + 320) * 4]) expectColour(picture.data.subarray(offset), [0x33, 0x66, 0xcc]);
  });

  it('is shown in a bounded size', async () => {
    const display = await start('3840x2160');
    await server.paint('#cc3366');
    const picture = decode(await previews.take(display));
    expect([picture.width, picture.height]).toEqual([1920, 1080]);
    expectColour(picture.data, [0xcc, 0x33, 0x66]);
  });

  it('takes one picture for all who ask while it is taken', async () => {
    const display = await start('640x480');
    const [first, second] = await Promise.all([previews.take(display), previews.take(display)]);
    expect(second).toBe(first);
    expect(await previews.take(display)).not.toBe(first);
  });

  it('is refused with a sentence where the agent has no access, and where no server is any more', async () => {
    const keys = join(root, 'keys');
    await writeFile(keys, authority(Buffer.alloc(16, 7)));
    const display = await start('640x480', ['-auth', keys]);
    expect(display.authorityFile).toBe(keys);
    await expect(previews.take(display)).resolves.toHaveProperty('length');
    const without = { ...display, authorityFile: undefined, user: undefined };
    await expect(previews.take(without)).rejects.toThrow(/gave no picture\. The agent may have no access to it\.$/);
    // Another server may already have the number of one that has ended.
    await expect(previews.take({ ...display, number: NOBODYS_NUMBER })).rejects.toThrow('gave no picture');
  });

  it('is refused with a sentence where the library is missing', async () => {
    const display = await start('640x480');
    const hooks = `export const resolve = async (name, context, next) => { if (name === "node-screenshots") throw new Error("none"); return next(name, context); }`;
    const register = `import { register } from 'node:module'; register('data:text/javascript,${encodeURIComponent(hooks)}');`;
    const lacking = new Previews(silent, stopping.signal, [
      ...TYPESCRIPT,
      '--import',
      `data:text/javascript,${encodeURIComponent(register)}`,
    ]);
    await expect(lacking.take(display)).rejects.toThrow('there is no prebuilt library for it');
  });

  it('is refused when the program that takes pictures crashes', async () => {
    const display = await start('640x480');
    const crashing = new Previews(silent, stopping.signal, ['--import', `data:text/javascript,process.kill(process.pid, 'SIGSEGV')`]);
    await expect(crashing.take(display)).rejects.toThrow('has failed');
  });
});

describe('pictures', () => {
  it('keep their size when they are small, and their proportions when they are large', () => {
    const small = { width: 2, height: 1, data: new Uint8Array(8) };
    expect(shrunk(small)).toBe(small);
    expect(shrunk({ width: 4000, height: 100, data: new Uint8Array(1_600_000) })).toMatchObject({ width: 1920, height: 48 });
    expect(shrunk({ width: 10, height: 5000, data: new Uint8Array(200_000) })).toMatchObject({ width: 2, height: 1200 });
  });

  it('stand for the mean of their pixels', () => {
    const data = Uint8Array.from([0, 10, 20, 255, 100, 30, 40, 255, 200, 50, 60, 255, 100, 70, 80, 255]);
    expect([...shrunk({ width: 2, height: 2, data }, 1, 1).data]).toEqual([100, 40, 50, 255]);
  });

  it('travel in pieces of 30 KiB', async () => {
    const sizes: number[] = [];
    for await (const piece of piecesOf(new Uint8Array(70_000))) sizes.push(piece.length);
    expect(sizes).toEqual([30_720, 30_720, 8_560]);
  });
});

/** JPEG does not keep colours exactly. */
function expectColour(pixel: Uint8Array, colour: readonly number[]): void {
  for (const [index, value] of colour.entries()) expect(Math.abs(pixel[index] - value)).toBeLessThan(6);
}
