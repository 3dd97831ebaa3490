import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import x11, { type XDisplay, type XTest } from 'x11';

import type { Picture } from '../../../agent/src/remote-control/picture/png.fixture.js';

/** Reason to skip tests that type into a terminal; undefined where they can run. */
export const noTerminal = spawnSync('which', ['xterm']).status === 0 ? undefined : 'needs xterm (Debian: xterm)';

/** An own connection with an X server, which sees what it shows. */
export class Screen {
  private constructor(
    private readonly display: XDisplay,
    private readonly name: string,
  ) {
    display.client.on('error', () => undefined);
  }

  static async connect(name: string): Promise<Screen> {
    return new Promise((resolve, reject) => {
      x11.createClient({ display: name, disableBigRequests: true }, (error, display) => {
        if (error == null) resolve(new Screen(display, name));
        else reject(error);
      });
    });
  }

  /** All pixels that the server shows. */
  async picture(): Promise<Picture> {
    const { root } = this.display.screen[0];
    const { width, height } = await new Promise<{ readonly width: number; readonly height: number }>((resolve, reject) => {
      this.display.client.GetGeometry(root, (error, value) => {
        if (error == null) resolve(value);
        else reject(error);
        return true;
      });
    });
    const data = await new Promise<Buffer>((resolve, reject) => {
      this.display.client.GetImage(2, root, 0, 0, width, height, 0xffffffff, (error, image) => {
        if (error == null) resolve(image.data);
        else reject(error);
        return true;
      });
    });
    const rgb = Buffer.alloc(width * height * 3);
    for (let pixel = 0; pixel < width * height; pixel += 1) {
      rgb[pixel * 3] = data[pixel * 4 + 2];
      rgb[pixel * 3 + 1] = data[pixel * 4 + 1];
      rgb[pixel * 3 + 2] = data[pixel * 4];
    }
    return { width, height, rgb };
  }

  /** Paints each pixel of the screen. */
  async paint(colour: (x: number, y: number) => number): Promise<void> {
    const { client } = this.display;
    const { root, root_depth: depth, pixel_width: width, pixel_height: height } = this.display.screen[0];
    const rows = 32;
    const context = client.AllocID();
    client.CreateGC(context, root, {});
    for (let y = 0; y < height; y += rows) {
      const pixels = Buffer.alloc(width * rows * 4);
      for (let pixel = 0; pixel < width * rows; pixel += 1)
        pixels.writeUInt32LE(colour(pixel % width, y + Math.floor(pixel / width)), pixel * 4);
      client.PutImage(
        2,
        root,
        context,
        width,
        Math.min(rows, height - y),
        0,
        y,
        0,
        depth,
        pixels.subarray(0, width * Math.min(rows, height - y) * 4),
      );
    }
    await new Promise<void>((resolve) => client.sync(() => resolve()));
  }

  /** Gives the root window a pointer of that many pixels, all of it drawn. */
  async pointAs(kind: number): Promise<void> {
    const { client } = this.display;
    const { root } = this.display.screen[0];
    const [picture, context, cursor] = [client.AllocID(), client.AllocID(), client.AllocID()];
    const side = 8 * kind;
    client.CreatePixmap(picture, root, 1, side, side);
    client.CreateGC(context, picture, { foreground: 1 });
    client.PolyFillRectangle(picture, context, [0, 0, side, side]);
    client.CreateCursor(cursor, picture, picture, { R: 0, G: 0, B: 0 }, { R: 65_535, G: 0, B: 0 }, kind, kind + 1);
    client.ChangeWindowAttributes(root, { cursor });
    await new Promise<void>((resolve) => client.sync(() => resolve()));
  }

  /** Clicks as the person at the device does. */
  async click(x: number, y: number): Promise<void> {
    const { client } = this.display;
    const test = await new Promise<XTest>((resolve, reject) => {
      client.require('xtest', (error, extension) => (error === null ? resolve(extension) : reject(error)));
    });
    test.FakeInput(6, 0, 0, this.display.screen[0].root, x, y);
    test.FakeInput(4, 1, 0, 0, 0, 0);
    test.FakeInput(5, 1, 0, 0, 0, 0);
    await new Promise<void>((resolve) => client.sync(() => resolve()));
  }

  /** The position of the pointer, and the buttons and modifiers that are down. */
  async pointer(): Promise<{ readonly rootX: number; readonly rootY: number; readonly keyMask: number }> {
    return new Promise((resolve, reject) => {
      this.display.client.QueryPointer(this.display.screen[0].root, (error, value) => {
        if (error == null) resolve(value);
        else reject(error);
        return true;
      });
    });
  }

  /** Key codes that are down. */
  async keysDown(): Promise<number[]> {
    const bits = await new Promise<Buffer | readonly number[]>((resolve, reject) => {
      this.display.client.QueryKeymap((error, value) => {
        if (error == null) resolve(value);
        else reject(error);
        return true;
      });
    });
    return Array.from({ length: 256 }, (_, keyCode) => keyCode).filter(
      (keyCode) => ((bits[keyCode >> 3] ?? 0) & (1 << (keyCode & 7))) !== 0,
    );
  }

  /** Starts a terminal over the screen that runs a command of the shell. */
  terminal(command: string, ...options: string[]): ChildProcess {
    return spawn('xterm', [...options, '-e', 'sh', '-c', command], {
      env: { ...process.env, DISPLAY: this.name, LANG: 'C.UTF-8' },
      stdio: 'ignore',
    });
  }

  disconnect(): void {
    this.display.client.terminate();
  }
}

/** Ends a program and waits for it. */
export async function ended(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const gone = once(program, 'exit');
  program.kill();
  await gone;
}
