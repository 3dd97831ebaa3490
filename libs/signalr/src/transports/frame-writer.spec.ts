import { describe, expect, it } from 'vitest';
import { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { FrameWriter } from './frame-writer.js';

/** A socket that counts system calls, and whose intake a test can stop. */
class TestSocket extends Writable {
  readonly chunks: Buffer[] = [];
  calls = 0;
  #goOn: (() => void) | undefined;
  isStuck = false;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#take([chunk], done);
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    const parts = chunks.map(({ chunk }) => chunk);
    this.#take(parts, done);
  }

  /** Takes bytes again. */
  goOn(): void {
    this.isStuck = false;
    this.#goOn?.();
  }

  #take(chunks: Buffer[], done: () => void): void {
    this.calls++;
    const take = (): void => {
      // A copy, because kept bytes must not change afterwards, which the texts below show.
      this.chunks.push(...chunks.map((chunk) => Buffer.from(chunk)));
      done();
    };
    if (this.isStuck) this.#goOn = take;
    else take();
  }

  /** The messages of the frames that arrived. */
  messages(): string[] {
    const data = Buffer.concat(this.chunks);
    const messages: string[] = [];
    for (let position = 0; position < data.length;) {
      const short = data.readUInt8(position + 1);
      const header = short < 126 ? 2 : short === 126 ? 4 : 10;
      const length = short < 126 ? short : short === 126 ? data.readUInt16BE(position + 2) : data.readUInt32BE(position + 6);
      messages.push(data.toString('utf8', position + header, position + header + length));
      position += header + length;
    }
    return messages;
  }
}

function open(): { socket: TestSocket; writer: FrameWriter } {
  const socket = new TestSocket({ highWaterMark: 1_000_000 });
  return { socket, writer: new FrameWriter(socket) };
}

describe('FrameWriter', () => {
  it('sends the frames of one turn with one call, once several sockets write', async () => {
    const [first, second] = [open(), open()];
    first.writer.write('first', false);
    for (let index = 0; index < 20; index++) second.writer.write(`message ${index}`, false);
    expect([second.socket.calls, second.writer.bufferedAmount]).toEqual([0, 20 * 2 + 10 * 9 + 10 * 10]);
    await turn();
    expect([second.socket.calls, second.writer.bufferedAmount]).toEqual([1, 0]);
    expect(second.socket.messages()).toEqual(Array.from({ length: 20 }, (_, index) => `message ${index}`));
  });

  it('sends the first message of a socket that is alone at once, and the others eight at a time', async () => {
    const { socket, writer } = open();
    const calls: number[] = [];
    for (let index = 0; index < 20; index++) {
      writer.write(`message ${index}`, false);
      calls.push(socket.calls);
    }
    expect(calls).toEqual([...Array<number>(8).fill(1), ...Array<number>(8).fill(2), ...Array<number>(4).fill(3)]);
    await turn();
    expect(socket.messages()).toEqual(Array.from({ length: 20 }, (_, index) => `message ${index}`));
    writer.write('in the next turn', false);
    expect(socket.messages()).toHaveLength(21);
    await turn();
  });

  it('keeps the messages of several sockets apart', async () => {
    const [first, second] = [open(), open()];
    for (let index = 0; index < 5; index++) {
      first.writer.write(`first ${index}`, false);
      if (index % 2 === 0) second.writer.write(Buffer.from(`second ${index}`), true);
    }
    await turn();
    expect(first.socket.messages()).toEqual([0, 1, 2, 3, 4].map((index) => `first ${index}`));
    expect(second.socket.messages()).toEqual([0, 2, 4].map((index) => `second ${index}`));
    // The first message left before the second socket wrote.
    expect([first.socket.calls, second.socket.calls]).toEqual([2, 1]);
  });

  it.each([0, 1, 125, 126, 8_192, 8_193, 65_535, 65_536, 200_000])('sends a message of %i bytes between others', async (length) => {
    const { socket, writer } = open();
    const messages = ['before', 'x'.repeat(length), 'after'];
    for (const message of messages) writer.write(message, false);
    for (const message of messages) writer.write(Buffer.from(message), true);
    await turn();
    expect(socket.messages()).toEqual([...messages, ...messages]);
  });

  it('marks texts and bytes, and counts texts in bytes', async () => {
    const { socket, writer } = open();
    writer.write('é', false);
    writer.write(Buffer.from('b'), true);
    await turn();
    expect(Buffer.concat(socket.chunks).toString('hex')).toBe('8102c3a9820162');
  });

  it('sends at once when the room for one turn is full', async () => {
    const sockets = Array.from({ length: 5 }, open);
    const texts = Array.from({ length: 40 }, (_, index) => String(index).padEnd(1_000, '.'));
    for (const text of texts) for (const { writer } of sockets) writer.write(text, false);
    expect(sockets[0].socket.calls).toBeGreaterThan(0);
    await turn();
    for (const { socket } of sockets) expect(socket.messages()).toEqual(texts);
  });

  it('does not change bytes that a socket has not sent yet', async () => {
    const [slow, fast] = [open(), open()];
    slow.socket.isStuck = true;
    const texts: string[] = [];
    for (let index = 0; index < 100; index++) {
      texts.push(`slow ${index}`);
      slow.writer.write(`slow ${index}`, false);
      fast.writer.write('x'.repeat(1_000), false);
      if (index % 10 === 0) await turn();
    }
    expect(slow.writer.bufferedAmount).toBeGreaterThan(0);
    slow.socket.goOn();
    await turn();
    await turn();
    expect(slow.socket.messages()).toEqual(texts);
    expect(fast.socket.messages()).toHaveLength(100);
  });

  it('can send before the turn ends, and drop waiting frames', async () => {
    const { socket, writer } = open();
    writer.write('now', false);
    writer.flush();
    expect(socket.messages()).toEqual(['now']);
    writer.write('dropped', false);
    expect(writer.bufferedAmount).toBe(9);
    writer.clear();
    expect(writer.bufferedAmount).toBe(0);
    writer.write('later', false);
    await turn();
    expect(socket.messages()).toEqual(['now', 'later']);
  });

  it('writes nothing to a socket that has ended', async () => {
    const { socket, writer } = open();
    writer.write('in time', false);
    writer.write('too late', false);
    socket.destroy();
    await turn();
    expect([socket.calls, writer.bufferedAmount]).toEqual([1, 0]);
  });
});
