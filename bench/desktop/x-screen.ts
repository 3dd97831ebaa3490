import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import x11, { type XDisplay } from 'x11';

import { XServer } from '../../agent/src/desktop/x-server.fixture.js';

/** A long program. */
const PROGRAM_TEXT = fileURLToPath(new URL('../../agent/src/remote-control/session.js', import.meta.url));

const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;
const BYTES_OF_PIXEL = 4;
const ROWS_OF_A_REQUEST = 32;

export const WIDTH = 1920;
export const HEIGHT = 1080;

/** The font of terminals with long texts: smooth, as terminals have it today. */
export const SMOOTH_FONT = ['-fa', 'DejaVu Sans Mono', '-fs', '10'];
const COLUMN = 118;

/** Prints a program in two columns over the whole width, so many lines a second, without an end. */
const PRINTING = (linesPerSecond: number): string => `
  const lines = require('node:fs').readFileSync(${JSON.stringify(PROGRAM_TEXT)}, 'utf8').split('\\n');
  let next = 0;
  const column = (start) => lines[(start + next) % lines.length].slice(0, ${COLUMN - 2}).padEnd(${COLUMN});
  setInterval(() => {
    console.log(column(0) + column(lines.length >> 1));
    next += 1;
  }, ${1000 / linesPerSecond});`;

/** An X server without a monitor, with a window manager, on which terminals fill the screen. */
export class XScreen {
  private readonly programs = new Set<ChildProcess>();

  private constructor(
    readonly server: XServer,
    private readonly display: XDisplay,
  ) {
    display.client.on('error', (error) => {
      throw error;
    });
  }

  static async start(): Promise<XScreen> {
    const server = await XServer.start(`${WIDTH}x${HEIGHT}`);
    const display = await new Promise<XDisplay>((resolve, reject) => {
      x11.createClient({ display: server.name, disableBigRequests: true }, (error, connected) => {
        if (error == null) resolve(connected);
        else reject(error);
      });
    });
    const screen = new XScreen(server, display);
    screen.run('openbox', []);
    return screen;
  }

  /** Starts a terminal over the whole screen that runs a command of the shell. */
  terminal(command: string, ...options: string[]): ChildProcess {
    return this.run('xterm', ['-fullscreen', ...options, '-e', 'sh', '-c', command]);
  }

  /** Starts a terminal in which so many lines of a program's text scroll by in a second. */
  scrollingText(linesPerSecond: number): ChildProcess {
    return this.terminal(`exec '${process.execPath}' -e '${PRINTING(linesPerSecond).replaceAll("'", `'\\''`)}'`, ...SMOOTH_FONT);
  }

  /** Starts a program on the screen, which ends with it. */
  run(program: string, args: readonly string[]): ChildProcess {
    const child = spawn(program, args, { env: { ...process.env, DISPLAY: this.server.name, LANG: 'C.UTF-8' }, stdio: 'ignore' });
    this.programs.add(child);
    return child;
  }

  /** Ends a program, and waits until it is gone. */
  async end(program: ChildProcess): Promise<void> {
    this.programs.delete(program);
    if (program.exitCode !== null || program.signalCode !== null) return;
    const gone = once(program, 'exit');
    program.kill();
    await gone;
  }

  /** The brightness of each pixel, 0 to 255, as {@link greyOf} has it. */
  async grey(): Promise<Uint8Array> {
    const { root } = this.display.screen[0];
    const data = await new Promise<Buffer>((resolve, reject) => {
      this.display.client.GetImage(Z_PIXMAP, root, 0, 0, WIDTH, HEIGHT, ALL_PLANES, (error, image) => {
        if (error == null) resolve(image.data);
        else reject(error);
        return true;
      });
    });
    const grey = new Uint8Array(WIDTH * HEIGHT);
    for (let pixel = 0, at = 0; pixel < grey.length; pixel += 1, at += BYTES_OF_PIXEL) {
      grey[pixel] = greyOf(data[at + 2], data[at + 1], data[at]);
    }
    return grey;
  }

  /** Paints a picture of many colours over a part of the root window: no palette holds it. Another `step`, another picture. */
  async paintColours(step: number): Promise<void> {
    const { client } = this.display;
    const { root, root_depth: depth } = this.display.screen[0];
    const context = client.AllocID();
    client.CreateGC(context, root, { subwindowMode: 1 });
    for (let y = 0; y < HEIGHT; y += ROWS_OF_A_REQUEST) {
      const rows = Math.min(ROWS_OF_A_REQUEST, HEIGHT - y);
      const pixels = Buffer.alloc(WIDTH * rows * BYTES_OF_PIXEL);
      for (let pixel = 0; pixel < WIDTH * rows; pixel += 1) {
        const [column, row] = [pixel % WIDTH, y + Math.floor(pixel / WIDTH)];
        const colour = (((column + step * 16) & 0xff) << 16) | (((row + step * 8) & 0xff) << 8) | ((column * row) & 0xff);
        pixels.writeUInt32LE(colour, pixel * BYTES_OF_PIXEL);
      }
      client.PutImage(Z_PIXMAP, root, context, WIDTH, rows, 0, y, 0, depth, pixels);
    }
    await new Promise<void>((resolve) => client.sync(() => resolve()));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.programs].map((program) => this.end(program)));
    this.display.client.removeAllListeners('error');
    this.display.client.on('error', () => undefined);
    this.display.client.terminate();
    await this.server.stop();
  }
}

/** The brightness of a colour. */
function greyOf(red: number, green: number, blue: number): number {
  return Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
}
