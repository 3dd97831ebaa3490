import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { PassThrough, type Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { takeSocket, type ByteSink, type TakenSocket } from './taken-socket.js';

const UPGRADE = 'GET / HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: anything\r\n\r\n';

/** Keeps the bytes that it gets, as a partner that takes nothing until the test lets it. */
class Recorder implements ByteSink {
  hasPassedOn = false;
  readonly pieces: Buffer[] = [];
  length = 0;
  onBytes: () => void = () => undefined;

  receive(bytes: Buffer): void {
    // Bytes in buffers that may be used again have to be copied before.
    this.pieces.push(this.hasPassedOn ? Buffer.from(bytes) : bytes);
    this.length += bytes.length;
    this.onBytes();
  }

  /** Waits until so many bytes have come, and returns all. */
  async bytes(count: number): Promise<Buffer> {
    await new Promise<void>((resolve) => {
      this.onBytes = () => this.length >= count && resolve();
      this.onBytes();
    });
    return Buffer.concat(this.pieces);
  }
}

/** Lets so many turns of the event loop pass, in which a socket that reads would have read. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await setImmediate();
}

let server: Server;
let client: Socket;
let accepted: Duplex;
let sink: Recorder;
let taken: TakenSocket | undefined;

function take(socket: Duplex): TakenSocket {
  taken = takeSocket(socket, sink);
  return taken;
}

beforeEach(async () => {
  server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write(UPGRADE);
  [, accepted] = (await once(server, 'upgrade')) as [IncomingMessage, Duplex];
  sink = new Recorder();
  taken = undefined;
});

afterEach(async () => {
  client.destroy();
  for (const socket of [taken?.socket, accepted]) socket?.destroy();
  await new Promise((resolve) => server.close(resolve));
});

describe('a socket that is taken over', () => {
  it.each([true, false])('gives all bytes in order, also when earlier ones are still needed (%s)', async (hasPassedOn) => {
    sink.hasPassedOn = hasPassedOn;
    const { early, begin } = take(accepted);
    expect(early).toHaveLength(0);
    begin();
    const sent = Array.from({ length: 200 }, (_, index) => randomBytes((index * 331) % 70_000));
    for (const bytes of sent) if (!client.write(bytes)) await once(client, 'drain');
    const all = Buffer.concat(sent);
    expect((await sink.bytes(all.length)).equals(all)).toBe(true);
  });

  it('gives the bytes that had arrived before it was taken', async () => {
    client.write('early');
    const arrived = once(accepted, 'readable');
    accepted.read(0);
    await arrived;
    const { early, begin } = take(accepted);
    begin();
    client.write('late');
    expect([early.toString(), (await sink.bytes(4)).toString()]).toEqual(['early', 'late']);
  });

  it('writes, stops reading and goes on', async () => {
    const { socket, begin } = take(accepted);
    begin();
    socket.write('hello');
    expect(String((await once(client, 'data'))[0])).toBe('hello');
    socket.pause();
    // More than the system takes for a socket that is not read.
    const length = 32 * 1024 * 1024;
    expect(client.write(Buffer.alloc(length))).toBe(false);
    const before = sink.length;
    await turns(20);
    expect([sink.length, client.writableLength > 0]).toEqual([before, true]);
    socket.resume();
    expect(await sink.bytes(length)).toHaveLength(length);
  });

  it('reports the end of the client, and closes the accepted socket with itself', async () => {
    const { socket, begin } = take(accepted);
    begin();
    client.end('last');
    await once(socket, 'end');
    expect(String(Buffer.concat(sink.pieces))).toBe('last');
    expect(accepted.destroyed).toBe(false);
    const closed = once(accepted, 'close');
    socket.end();
    await closed;
    const open = await new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
    expect(open).toBe(0);
  });
});

describe('a stream that is no TCP socket', () => {
  it('is read as it is', async () => {
    const stream = new PassThrough();
    const { socket, begin } = take(stream);
    begin();
    stream.write('as it is');
    expect([socket === stream, (await sink.bytes(8)).toString()]).toEqual([true, 'as it is']);
  });
});
