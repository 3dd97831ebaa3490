import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { eventually } from '../../support/eventually.js';

/*
 * A client of the X server, in as much of the X11 protocol as a program needs that paints: a black window over the whole screen. Where the
 * pointer is when a button is pressed it fills a red square, where it is when a key is pressed a green one.
 */

const LITTLE_ENDIAN = 0x6c;
const PROTOCOL = 11;
const HEADER = 8;
const SETUP = 32;
const EVENT = 32;
const Request = { CreateWindow: 1, MapWindow: 8, CreateGC: 55, PolyFillRectangle: 70 };
const Event = { Error: 0, KeyPress: 2, ButtonPress: 4, Expose: 12 };
const BACKGROUND_AND_EVENTS = 0x802;
const KEYS_BUTTONS_EXPOSURE = 0x8005;
const FOREGROUND = 0x4;

/** The side of a square that it fills. */
export const SQUARE = 20;
export const RED = 0xff0000;
export const GREEN = 0x00ff00;

/** Paints on the display with that number until it is stopped. */
export class Painter {
  private received = Buffer.alloc(0);
  private root = 0;
  private ids = 0;
  private isShown = false;
  private failure: string | undefined;

  private constructor(private readonly socket: Socket) {}

  static async start(display: number, width: number, height: number): Promise<Painter> {
    const socket = connect(`/tmp/.X11-unix/X${display}`);
    await once(socket, 'connect');
    // The X server may end before the painter does.
    socket.on('error', () => undefined);
    const painter = new Painter(socket);
    const hello = Buffer.alloc(12);
    hello.writeUInt8(LITTLE_ENDIAN, 0);
    hello.writeUInt16LE(PROTOCOL, 2);
    socket.write(hello);
    socket.on('data', (bytes: Buffer) => {
      painter.received = Buffer.concat([painter.received, bytes]);
      painter.read();
    });
    await eventually('the X server has let the painter in', () => painter.root !== 0);
    painter.open(width, height);
    await eventually('the window is shown', () => {
      if (painter.failure !== undefined) throw new Error(painter.failure);
      return painter.isShown;
    });
    return painter;
  }

  async stop(): Promise<void> {
    this.socket.destroy();
    await Promise.resolve();
  }

  private get window(): number {
    return this.ids + 1;
  }

  /** A graphics context draws in one colour. */
  private contextOf(colour: number): number {
    return this.ids + (colour === RED ? 2 : 3);
  }

  private open(width: number, height: number): void {
    const create = this.request(Request.CreateWindow, [
      this.window,
      this.root,
      0,
      0,
      0,
      0,
      BACKGROUND_AND_EVENTS,
      0,
      KEYS_BUTTONS_EXPOSURE,
    ]);
    create.writeUInt16LE(width, 16);
    create.writeUInt16LE(height, 18);
    this.socket.write(create);
    for (const colour of [RED, GREEN]) {
      this.socket.write(this.request(Request.CreateGC, [this.contextOf(colour), this.window, FOREGROUND, colour]));
    }
    this.socket.write(this.request(Request.MapWindow, [this.window]));
  }

  private read(): void {
    if (this.root === 0 && !this.readSetup()) return;
    while (this.received.length >= EVENT) {
      const event = this.received.subarray(0, EVENT);
      this.received = this.received.subarray(EVENT);
      const kind = event[0] & 0x7f;
      if (kind === Event.Error) this.failure = `The X server answered error ${event[1]} to request ${event[10]}.`;
      if (kind === Event.Expose) this.isShown = true;
      if (kind === Event.ButtonPress || kind === Event.KeyPress) {
        this.fill(kind === Event.ButtonPress ? RED : GREEN, event.readInt16LE(24), event.readInt16LE(26));
      }
    }
  }

  private readSetup(): boolean {
    const { received } = this;
    if (received.length < HEADER) return false;
    if (received[0] !== 1) throw new Error('The X server refused the painter.');
    const end = HEADER + received.readUInt16LE(6) * 4;
    if (received.length < end) return false;
    const setup = received.subarray(HEADER, end);
    this.ids = setup.readUInt32LE(4);
    const vendor = Math.ceil(setup.readUInt16LE(16) / 4) * 4;
    this.root = setup.readUInt32LE(SETUP + vendor + 8 * setup[21]);
    this.received = received.subarray(end);
    return true;
  }

  private fill(colour: number, x: number, y: number): void {
    const fill = this.request(Request.PolyFillRectangle, [this.window, this.contextOf(colour), 0, 0]);
    fill.writeInt16LE(x - SQUARE / 2, 12);
    fill.writeInt16LE(y - SQUARE / 2, 14);
    fill.writeUInt16LE(SQUARE, 16);
    fill.writeUInt16LE(SQUARE, 18);
    this.socket.write(fill);
  }

  private request(opcode: number, words: readonly number[]): Buffer {
    const request = Buffer.alloc(4 + words.length * 4);
    request.writeUInt8(opcode, 0);
    request.writeUInt16LE(1 + words.length, 2);
    for (const [at, word] of words.entries()) request.writeUInt32LE(word, 4 + at * 4);
    return request;
  }
}
