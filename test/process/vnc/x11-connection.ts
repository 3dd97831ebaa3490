import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { eventually } from '../../support/eventually.js';

/*
 * A connection with an X server, in as much of the X11 protocol as small programs need: requests of words, events, and replies in order.
 */

const LITTLE_ENDIAN = 0x6c;
const PROTOCOL = 11;
const HEADER = 8;
const SETUP = 32;
/** Events have this length; replies have at least this length. */
const PACKET = 32;
const Kind = { Error: 0, Reply: 1 };
const INTERN_ATOM = 16;

/** Everything after the first four bytes of a request. */
export const words = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value, at * 4);
  return bytes;
};

/** A connection with the X server of a display. */
export class XConnection {
  /** The window that fills the screen. */
  root = 0;
  private firstId = 0;
  private idsGiven = 0;
  private received = Buffer.alloc(0);
  private failure: string | undefined;
  private readonly awaited: ((reply: Buffer) => void)[] = [];
  private readonly listeners: ((kind: number, event: Buffer) => void)[] = [];

  private constructor(private readonly socket: Socket) {}

  /** Connects with the display of that number, whose server lets everybody in. */
  static async open(display: number): Promise<XConnection> {
    const socket = connect(`/tmp/.X11-unix/X${display}`);
    await once(socket, 'connect');
    const connection = new XConnection(socket);
    // The X server may end before its clients do.
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      connection.received = Buffer.concat([connection.received, bytes]);
      connection.read();
    });
    const hello = Buffer.alloc(12);
    hello.writeUInt8(LITTLE_ENDIAN, 0);
    hello.writeUInt16LE(PROTOCOL, 2);
    socket.write(hello);
    await eventually('the X server has let its client in', () => connection.root !== 0);
    return connection;
  }

  /** An id for a new object of this client. */
  newId(): number {
    this.idsGiven += 1;
    return this.firstId + this.idsGiven;
  }

  /** Calls back with every event and its kind. */
  onEvent(listener: (kind: number, event: Buffer) => void): void {
    this.listeners.push(listener);
  }

  /** Sends a request. `data` is its second byte, which few requests use. */
  send(opcode: number, body: Buffer, data = 0): void {
    const padded = Math.ceil(body.length / 4) * 4;
    const request = Buffer.alloc(4 + padded);
    request.writeUInt8(opcode, 0);
    request.writeUInt8(data, 1);
    request.writeUInt16LE(request.length / 4, 2);
    body.copy(request, 4);
    this.socket.write(request);
  }

  /** Sends a request that is answered, and waits for the answer. */
  ask(opcode: number, body: Buffer, data = 0): Promise<Buffer> {
    return new Promise((resolve) => {
      this.awaited.push(resolve);
      this.send(opcode, body, data);
    });
  }

  /** The number by which the server knows a name. */
  async atom(name: string): Promise<number> {
    return (await this.ask(INTERN_ATOM, Buffer.concat([words(name.length), Buffer.from(name)]))).readUInt32LE(8);
  }

  /** Throws if the server has found fault with a request. */
  expectNoError(): void {
    if (this.failure !== undefined) throw new Error(this.failure);
  }

  close(): void {
    this.socket.destroy();
  }

  private read(): void {
    if (this.root === 0 && !this.readSetup()) return;
    for (;;) {
      const packet = this.nextPacket();
      if (packet === null) return;
      const kind = packet[0] & 0x7f;
      if (kind === Kind.Error) this.failure = `The X server answered error ${packet[1]} to request ${packet[10]}.`;
      else if (kind === Kind.Reply) this.awaited.shift()?.(packet);
      else for (const listener of this.listeners) listener(kind, packet);
    }
  }

  private nextPacket(): Buffer | null {
    const { received } = this;
    if (received.length < PACKET) return null;
    const length = PACKET + (received[0] === Kind.Reply ? received.readUInt32LE(4) * 4 : 0);
    if (received.length < length) return null;
    this.received = received.subarray(length);
    return received.subarray(0, length);
  }

  private readSetup(): boolean {
    const { received } = this;
    if (received.length < HEADER) return false;
    if (received[0] !== 1) throw new Error('The X server refused its client.');
    const end = HEADER + received.readUInt16LE(6) * 4;
    if (received.length < end) return false;
    const setup = received.subarray(HEADER, end);
    this.firstId = setup.readUInt32LE(4);
    const vendor = Math.ceil(setup.readUInt16LE(16) / 4) * 4;
    this.root = setup.readUInt32LE(SETUP + vendor + 8 * setup[21]);
    this.received = received.subarray(end);
    return true;
  }
}
