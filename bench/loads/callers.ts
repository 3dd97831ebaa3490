import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { encode } from '@msgpack/msgpack';

import { Recorder, type LoadResult } from '../harness/load.js';
import { serveCalls } from '../harness/serve-calls.js';

/*
 * Clients of a hub that keep a number of small calls under way each. They write frames that were made before and count the answers
 * without reading them, so that the load costs less than the server.
 */

interface Callers {
  readonly port: number;
  readonly connections: number;
  readonly underWay: number;
  readonly encoding: 'json' | 'messagepack';
}

const TEXT = 'This text of forty bytes comes back here';
const UPGRADE =
  'GET /hub HTTP/1.1\r\nHost: bench\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';
const OPCODE = { json: 0x81, messagepack: 0x82 };
/** A mask other than zero, which a server has to take off. */
const MASK = Buffer.from([0x12, 0x34, 0x56, 0x78]);

class Caller {
  private awaited: number[] = [];
  private rest = Buffer.alloc(0);

  private constructor(
    private readonly socket: Socket,
    private readonly call: Buffer,
    private readonly recorder: Recorder,
    private readonly isOver: () => boolean,
  ) {
    socket.on('data', (data: Buffer) => this.receive(data));
  }

  static async open({ port, encoding }: Callers, recorder: Recorder, isOver: () => boolean): Promise<Caller> {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    await once(socket, 'connect');
    socket.write(UPGRADE);
    await once(socket, 'data');
    socket.write(frameOf(encoding, Buffer.from(`{"protocol":"${encoding}","version":1}\x1e`)));
    await once(socket, 'data');
    return new Caller(socket, callOf(encoding), recorder, isOver);
  }

  begin(count: number): void {
    const now = performance.now();
    for (let call = 0; call < count; call += 1) this.awaited.push(now);
    this.socket.write(count === 1 ? this.call : Buffer.concat(Array.from({ length: count }, () => this.call)));
  }

  close(): void {
    this.socket.destroy();
  }

  /** Counts answers, each of which is a frame of less than 126 bytes, and sends as many calls again. */
  private receive(data: Buffer): void {
    const bytes = this.rest.length === 0 ? data : Buffer.concat([this.rest, data]);
    let position = 0;
    let answers = 0;
    while (position + 1 < bytes.length && position + 2 + bytes[position + 1] <= bytes.length) {
      position += 2 + bytes[position + 1];
      answers += 1;
    }
    this.rest = Buffer.from(bytes.subarray(position));
    for (const since of this.awaited.splice(0, answers)) this.recorder.completed(since);
    if (answers > 0 && !this.isOver()) this.begin(answers);
  }
}

const calls = {
  /** Keeps `underWay` calls of each connection under way for some seconds. */
  async call({ seconds, ...callers }: Callers & { readonly seconds: number }): Promise<LoadResult> {
    const recorder = new Recorder();
    let isOver = false;
    const all = await Promise.all(Array.from({ length: callers.connections }, () => Caller.open(callers, recorder, () => isOver)));
    recorder.restart();
    for (const caller of all) caller.begin(callers.underWay);
    await delay(seconds * 1000);
    isOver = true;
    const result = recorder.result();
    for (const caller of all) caller.close();
    return result;
  },
};

export type CallersCalls = typeof calls;
serveCalls(calls);

function callOf(encoding: Callers['encoding']): Buffer {
  if (encoding === 'json') {
    return frameOf(encoding, Buffer.from(`{"type":1,"invocationId":"1","target":"Echo","arguments":["${TEXT}"]}\x1e`));
  }
  const message = encode([1, {}, '1', 'Echo', [TEXT], []]);
  return frameOf(encoding, Buffer.concat([Buffer.from([message.length]), message]));
}

/** A message of less than 126 bytes as a masked frame. */
function frameOf(encoding: Callers['encoding'], message: Buffer): Buffer {
  const masked = message.map((byte, index) => byte ^ MASK[index % MASK.length]);
  return Buffer.concat([Buffer.from([OPCODE[encoding], 0x80 | message.length]), MASK, masked]);
}
