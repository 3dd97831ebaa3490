import type { Worker } from 'playwright-core';

import type { OpenPage, Stage } from '../web/stage.js';
import { HEIGHT, WIDTH } from './x-screen.js';

/** Pictures that were drawn, and the bytes that came for them. */
export interface Traffic {
  readonly frames: number;
  readonly bytes: number;
  readonly seconds: number;
}

const MS_PER_S = 1000;
const LOOK_MS = 50;
/** A picture to which nothing was added for so long is complete, in milliseconds. */
const QUIET_MS = 1_000;

/** Notes clicks and keys, what the worker of the desktop says, the bytes of the relay, and the pictures that the VNC client shows. */
const WATCH = `
  const bench = window.benchDesktop = { clickedAt: 0, keyAt: 0, drawnAt: 0, figures: [], bytes: 0, frames: 0 };
  bench.drawn = new Promise((resolve) => { bench.isDrawn = resolve; });
  addEventListener('click', () => { bench.clickedAt = performance.now(); }, { capture: true });
  addEventListener('keydown', () => { bench.keyAt = performance.timeOrigin + performance.now(); }, { capture: true });
  window.Worker = class extends Worker {
    constructor(...args) {
      super(...args);
      this.addEventListener('message', ({ data }) => {
        if (data.kind === 'figures') bench.figures.push(data.figures);
        if (data.kind !== 'drawn') return;
        bench.drawnAt = performance.now();
        bench.isDrawn();
      });
    }
  };
  // The VNC client takes no sockets of other classes.
  window.WebSocket = new Proxy(WebSocket, {
    construct(Socket, args) {
      const socket = new Socket(...args);
      if (String(args[0]).includes('/relay')) socket.addEventListener('message', ({ data }) => { bench.bytes += data.byteLength ?? 0; });
      return socket;
    },
  });
  const { drawImage } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.drawImage = function (picture, ...args) {
    if (picture instanceof HTMLCanvasElement && picture !== this.canvas) bench.frames += 1;
    return drawImage.call(this, picture, ...args);
  };`;

/** Brightness of each pixel of a context, as text. */
const GREY = `
  const { data } = context.getImageData(0, 0, ${WIDTH}, ${HEIGHT});
  const grey = new Uint8Array(${WIDTH * HEIGHT});
  for (let pixel = 0, at = 0; pixel < grey.length; pixel += 1, at += 4)
    grey[pixel] = Math.round(0.299 * data[at] + 0.587 * data[at + 1] + 0.114 * data[at + 2]);
  let text = '';
  for (let at = 0; at < grey.length; at += 32768) text += String.fromCharCode(...grey.subarray(at, at + 32768));
  return btoa(text);`;

/**
 * Looks in the worker of the desktop at what it draws: the canvas is there. `arm` waits for the next change of pixels in the upper left
 * corner, and the time of it.
 */
const WATCH_CANVAS = `
  const prototype = OffscreenCanvasRenderingContext2D.prototype;
  const { drawImage } = prototype;
  const bench = self.benchCanvas = { context: null, drawnAt: Infinity, corner: null, changed: null };
  const read = () => bench.context.getImageData(0, 0, 800, 40).data;
  prototype.drawImage = function (picture, x, y, ...more) {
    drawImage.call(this, picture, x, y, ...more);
    bench.context = this;
    bench.drawnAt = performance.now();
    if (bench.corner === null || x >= 800 || y >= 40) return;
    const { corner } = bench;
    if (!read().some((value, index) => value !== corner[index])) return;
    bench.corner = null;
    bench.resolve(performance.timeOrigin + performance.now());
  };
  bench.arm = () => {
    bench.corner = read();
    bench.changed = new Promise((resolve) => { bench.resolve = resolve; });
  };
  bench.grey = () => { const { context } = bench; ${GREY} };`;

/** A page with the desktop of the device in it. */
export class DesktopPage {
  private worker: Worker | undefined;

  private constructor(
    private readonly opened: OpenPage,
    /** Time from the click to the first picture, in milliseconds. */
    readonly firstPicture: number,
  ) {}

  /** Opens the device's page, clicks **Connect**, and waits for the first picture. */
  static async open(stage: Stage, deviceId: string, processId: number): Promise<DesktopPage> {
    const opened = await stage.open({}, WATCH);
    const { page } = opened;
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(`/devices/${deviceId}/screen?process=${processId}`);
    const connect = page.getByRole('button', { name: 'Connect', exact: true });
    await connect.waitFor();
    // Nobody clicks before the preview is there.
    await page.waitForLoadState('networkidle');
    await connect.click();
    await page.evaluate('window.benchDesktop.drawn');
    return new DesktopPage(opened, await page.evaluate<number>('window.benchDesktop.drawnAt - window.benchDesktop.clickedAt'));
  }

  /** Pictures that are drawn within so many seconds, by the page's own figures. */
  async traffic(seconds: number): Promise<Traffic> {
    const { page } = this.opened;
    await page.evaluate('window.benchDesktop.figures = []');
    await page.waitForTimeout(seconds * MS_PER_S);
    const figures = await page.evaluate<{ readonly frames: number; readonly bytes: number }[]>('window.benchDesktop.figures');
    if (figures.length === 0) throw new Error('The page has no figures.');
    const sum = (key: 'frames' | 'bytes'): number => figures.reduce((all, each) => all + each[key], 0);
    return { frames: sum('frames'), bytes: sum('bytes'), seconds: figures.length };
  }

  /** Presses a key, and returns the time until pixels in the upper left corner have changed, in milliseconds. */
  async press(key: string): Promise<number> {
    const { page } = this.opened;
    const worker = await this.watchedWorker();
    await worker.evaluate('self.benchCanvas.arm()');
    await page.keyboard.press(key);
    const changedAt = await worker.evaluate<number>('self.benchCanvas.changed');
    return changedAt - (await page.evaluate<number>('window.benchDesktop.keyAt'));
  }

  /** Gives the keyboard to the desktop. */
  async click(): Promise<void> {
    await this.opened.page.getByRole('img', { name: /^Desktop of / }).click();
  }

  async pause(milliseconds: number): Promise<void> {
    await this.opened.page.waitForTimeout(milliseconds);
  }

  /** Waits until something was drawn since {@link watch}, and nothing more is. */
  async untilDrawn(): Promise<void> {
    const worker = await this.watchedWorker();
    while (!(await worker.evaluate<boolean>(`performance.now() - self.benchCanvas.drawnAt > ${QUIET_MS}`))) await this.pause(LOOK_MS);
  }

  /** Looks at what the worker draws from now on. */
  async watch(): Promise<void> {
    await this.watchedWorker();
  }

  /** Brightness of each pixel of the canvas. {@link watch} was called before the last picture. */
  async grey(): Promise<Uint8Array> {
    const worker = await this.watchedWorker();
    return Buffer.from(await worker.evaluate<string>('self.benchCanvas.grey()'), 'base64');
  }

  async close(): Promise<void> {
    await this.opened.page.getByRole('toolbar', { name: 'Desktop tools' }).getByRole('button', { name: 'End', exact: true }).click();
    await this.opened.close();
  }

  private async watchedWorker(): Promise<Worker> {
    if (this.worker !== undefined) return this.worker;
    const worker = this.opened.page.workers().find((each) => each.url().includes('desktop-worker'));
    if (worker === undefined) throw new Error('The page has no worker for the desktop.');
    await worker.evaluate(`{${WATCH_CANVAS}}`);
    this.worker = worker;
    return worker;
  }
}

/** A page with the screen of the device in it, by VNC. */
export class VncPage {
  private constructor(private readonly opened: OpenPage) {}

  static async open(stage: Stage, deviceId: string, port: number): Promise<VncPage> {
    const opened = await stage.open({}, WATCH);
    const { page } = opened;
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(`/devices/${deviceId}/screen?port=${port}`);
    await page.getByRole('button', { name: 'Connect by VNC' }).click();
    await page.locator('main canvas').waitFor();
    while ((await page.evaluate<number>('window.benchDesktop.frames')) === 0) await page.waitForTimeout(LOOK_MS);
    return new VncPage(opened);
  }

  /** The screen that is shown within so many seconds. */
  async traffic(seconds: number): Promise<Traffic> {
    const { page } = this.opened;
    const counts = (): Promise<Traffic> =>
      page.evaluate('({ frames: benchDesktop.frames, bytes: benchDesktop.bytes, seconds: performance.now() / 1000 })');
    const before = await counts();
    await page.waitForTimeout(seconds * MS_PER_S);
    const after = await counts();
    return { frames: after.frames - before.frames, bytes: after.bytes - before.bytes, seconds: after.seconds - before.seconds };
  }

  async pause(milliseconds: number): Promise<void> {
    await this.opened.page.waitForTimeout(milliseconds);
  }

  async grey(): Promise<Uint8Array> {
    const text = await this.opened.page.evaluate<string>(
      `(() => { const context = document.querySelector('main canvas').getContext('2d'); ${GREY} })()`,
    );
    return Buffer.from(text, 'base64');
  }

  async close(): Promise<void> {
    await this.opened.page.getByRole('toolbar', { name: 'Screen tools' }).getByRole('button', { name: 'End', exact: true }).click();
    await this.opened.close();
  }
}
