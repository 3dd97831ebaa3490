import { eventually } from '../../support/eventually.js';
import type { ScreenSize } from './vnc-server.js';
import { words, XConnection } from './x11-connection.js';

/*
 * A program that paints: a black window over the whole screen. At the pointer it fills a red square when a
 * button is pressed, and a green one when a key is pressed.
 */

const Request = { CreateWindow: 1, MapWindow: 8, CreateGC: 55, PolyFillRectangle: 70 };
const Event = { KeyPress: 2, ButtonPress: 4, Expose: 12 };
const BACKGROUND_AND_EVENTS = 0x802;
const KEYS_BUTTONS_EXPOSURE = 0x8005;
const FOREGROUND = 0x4;

/** The side of a square that it fills. */
const SQUARE = 20;
export const RED = 0xff0000;
export const GREEN = 0x00ff00;

/** Paints on the display with that number until it is stopped. */
export class Painter {
  private readonly window: number;
  /** A graphics context draws in one colour. */
  private readonly contexts: ReadonlyMap<number, number>;

  private constructor(private readonly server: XConnection) {
    this.window = server.newId();
    this.contexts = new Map([RED, GREEN].map((colour) => [colour, server.newId()]));
  }

  static async start(display: number, size: ScreenSize): Promise<Painter> {
    const server = await XConnection.open(display);
    const painter = new Painter(server);
    let isShown = false;
    server.onEvent((kind, event) => {
      if (kind === Event.Expose) isShown = true;
      if (kind === Event.ButtonPress || kind === Event.KeyPress) {
        painter.fill(kind === Event.ButtonPress ? RED : GREEN, event.readInt16LE(24), event.readInt16LE(26));
      }
    });
    painter.open(size);
    await eventually('the window is shown', () => {
      server.expectNoError();
      return isShown;
    });
    return painter;
  }

  async stop(): Promise<void> {
    this.server.close();
    await Promise.resolve();
  }

  private open({ width, height }: ScreenSize): void {
    const { server, window } = this;
    const create = words(window, server.root, 0, 0, 0, 0, BACKGROUND_AND_EVENTS, 0, KEYS_BUTTONS_EXPOSURE);
    create.writeUInt16LE(width, 12);
    create.writeUInt16LE(height, 14);
    server.send(Request.CreateWindow, create);
    for (const [colour, context] of this.contexts) server.send(Request.CreateGC, words(context, window, FOREGROUND, colour));
    server.send(Request.MapWindow, words(window));
  }

  private fill(colour: number, x: number, y: number): void {
    const fill = words(this.window, this.contexts.get(colour) ?? 0, 0, 0);
    fill.writeInt16LE(x - SQUARE / 2, 8);
    fill.writeInt16LE(y - SQUARE / 2, 10);
    fill.writeUInt16LE(SQUARE, 12);
    fill.writeUInt16LE(SQUARE, 14);
    this.server.send(Request.PolyFillRectangle, fill);
  }
}
