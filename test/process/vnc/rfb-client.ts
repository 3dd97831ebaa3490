import type { WebSocket } from 'ws';

import { eventually } from '../../support/eventually.js';

/*
 * A viewer of the Remote Framebuffer protocol (RFC 6143), version 3.8, without a password and with raw pixels, over a WebSocket.
 */

const VERSION = 'RFB 003.008\n';
const NO_SECURITY = 1;
const SHARED = 1;
const ClientMessage = { SetPixelFormat: 0, SetEncodings: 2, RequestUpdate: 3, Key: 4, Pointer: 5 };
const ServerMessage = { Update: 0, Bell: 2, CutText: 3 };
const RAW = 0;
const BYTES_OF_PIXEL = 4;
/** 32 bits, of them 24 of colour, little-endian, red at bit 16, green at 8, blue at 0. */
const PIXEL_FORMAT = Buffer.from([32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0]);
const LEFT_BUTTON = 1;

/** Shows a screen, and clicks and types on it. */
export class RfbClient {
  width = 0;
  height = 0;
  /** Pixels of the screen, row by row. */
  private pixels = Buffer.alloc(0);
  private received: Buffer[] = [];
  private waiting: (() => void) | undefined;
  private updates = 0;

  /** Listens at once: the server speaks first. */
  constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      this.received.push(data);
      this.waiting?.();
    });
  }

  /** Greets the server and gets the first picture. The socket is open. */
  async start(): Promise<void> {
    await this.greet();
    void this.read();
    await this.update(false);
  }

  /** The colour of a pixel, 0xRRGGBB, as the last update showed it. */
  pixel(x: number, y: number): number {
    return this.pixels.readUInt32LE((y * this.width + x) * BYTES_OF_PIXEL) & 0xffffff;
  }

  /** Asks for the changes since the last update, or for everything, and waits for it. */
  async update(isIncremental: boolean): Promise<void> {
    const before = this.updates;
    this.refresh(isIncremental);
    await eventually('an update has arrived', () => this.updates > before);
  }

  /** Clicks with the left button. */
  click(x: number, y: number): void {
    for (const button of [0, LEFT_BUTTON, 0]) this.point(button, x, y);
  }

  /** Presses a key where the pointer is. `key` is an X11 keysym. */
  type(x: number, y: number, key: number): void {
    this.point(0, x, y);
    for (const isDown of [1, 0]) {
      const message = Buffer.from([ClientMessage.Key, isDown, 0, 0, 0, 0, 0, 0]);
      message.writeUInt32BE(key, 4);
      this.socket.send(message);
    }
  }

  private point(button: number, x: number, y: number): void {
    const message = Buffer.from([ClientMessage.Pointer, button, 0, 0, 0, 0]);
    message.writeUInt16BE(x, 2);
    message.writeUInt16BE(y, 4);
    this.socket.send(message);
  }

  private refresh(isIncremental: boolean): void {
    const message = Buffer.alloc(10);
    message.writeUInt8(ClientMessage.RequestUpdate, 0);
    message.writeUInt8(Number(isIncremental), 1);
    message.writeUInt16BE(this.width, 6);
    message.writeUInt16BE(this.height, 8);
    this.socket.send(message);
  }

  private async greet(): Promise<void> {
    const version = await this.take(VERSION.length);
    if (version.toString() !== VERSION) throw new Error(`The server speaks ${version.toString()}`);
    this.socket.send(Buffer.from(VERSION));
    const [count] = await this.take(1);
    const types = await this.take(count);
    if (!types.includes(NO_SECURITY)) throw new Error('The server wants a password.');
    this.socket.send(Buffer.from([NO_SECURITY]));
    const result = await this.take(4);
    if (result.readUInt32BE() !== 0) throw new Error('The server refused.');
    this.socket.send(Buffer.from([SHARED]));
    const init = await this.take(24);
    [this.width, this.height] = [init.readUInt16BE(0), init.readUInt16BE(2)];
    await this.take(init.readUInt32BE(20));
    this.pixels = Buffer.alloc(this.width * this.height * BYTES_OF_PIXEL);
    this.socket.send(Buffer.concat([Buffer.from([ClientMessage.SetPixelFormat, 0, 0, 0]), PIXEL_FORMAT]));
    this.socket.send(Buffer.from([ClientMessage.SetEncodings, 0, 0, 1, 0, 0, 0, RAW]));
  }

  private async read(): Promise<void> {
    for (;;) {
      const [kind] = await this.take(1);
      if (kind === ServerMessage.Update) await this.readUpdate();
      else if (kind === ServerMessage.CutText) await this.take((await this.take(7)).readUInt32BE(3));
      else if (kind !== ServerMessage.Bell) throw new Error(`The server sent a message of kind ${kind}.`);
    }
  }

  private async readUpdate(): Promise<void> {
    const head = await this.take(3);
    for (let left = head.readUInt16BE(1); left > 0; left -= 1) {
      const rectangle = await this.take(12);
      const [x, y, width, height] = [0, 2, 4, 6].map((at) => rectangle.readUInt16BE(at));
      if (rectangle.readInt32BE(8) !== RAW) throw new Error('The server sent an encoding that was not asked for.');
      const bytes = await this.take(width * height * BYTES_OF_PIXEL);
      const row = width * BYTES_OF_PIXEL;
      for (let line = 0; line < height; line += 1) {
        bytes.copy(this.pixels, ((y + line) * this.width + x) * BYTES_OF_PIXEL, line * row, (line + 1) * row);
      }
    }
    this.updates += 1;
  }

  /** The next bytes, however the messages cut them. */
  private async take(length: number): Promise<Buffer> {
    while (this.received.reduce((sum, bytes) => sum + bytes.length, 0) < length) {
      await new Promise<void>((resolve) => (this.waiting = resolve));
    }
    const all = this.received.length === 1 ? this.received[0] : Buffer.concat(this.received);
    this.received = all.length > length ? [all.subarray(length)] : [];
    return all.subarray(0, length);
  }
}
