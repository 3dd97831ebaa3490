import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Logger } from '@nestjs/common';

import { newGuid } from '../../platform/common/identifiers/guid.js';
import { DeviceStreams, type OpenedStream } from './device-streams.js';
import { DeviceTimes } from './device-times.js';

const AGENT = 'node.agent';
const STRANGER = 'node.stranger';
const times = new DeviceTimes();

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

const streamOf = (...texts: string[]): OpenedStream<Uint8Array> => ({ items: chunks(...texts), directoryExists: true });

async function textOf(items: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const item of items) text += Buffer.from(item).toString();
  return text;
}

let streams: DeviceStreams;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  vi.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
  streams = new DeviceStreams();
});

afterEach(() => {
  // A released or withdrawn stream must not leave a timer behind.
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a stream that is waited for', () => {
  it('is passed to its reader; the agent’s call lasts until the reader is done', async () => {
    const expected = streams.expect<Uint8Array>('bytes', AGENT, times.answerMs);
    const delivered = streams.deliver('bytes', expected.id, AGENT, streamOf('a', 'b'));
    expect(await textOf((await expected.opened).items)).toBe('ab');
    const state = Promise.race([delivered, new Promise((resolve) => setImmediate(resolve, 'open'))]);
    expect(await state).toBe('open');
    expected.release();
    expect(await delivered).toBe(true);
  });

  it.each<[string, (id: string) => Promise<boolean>]>([
    ['from another connection', (id) => streams.deliver('bytes', id, STRANGER, streamOf('forged'))],
    ['of another kind', (id) => streams.deliver('entries', id, AGENT, { items: chunks(), directoryExists: true })],
    ['under an id that nobody gave', () => streams.deliver('bytes', newGuid(), AGENT, streamOf('forged'))],
  ])('is not taken %s, and still comes', async (_, forge) => {
    const expected = streams.expect<Uint8Array>('bytes', AGENT, times.answerMs);
    expect(await forge(expected.id)).toBe(false);
    const delivered = streams.deliver('bytes', expected.id, AGENT, streamOf('real'));
    expect(await textOf((await expected.opened).items)).toBe('real');
    expected.release();
    await delivered;
  });

  it('can be taken only once', async () => {
    const expected = streams.expect<Uint8Array>('bytes', AGENT, times.answerMs);
    const first = streams.deliver('bytes', expected.id, AGENT, streamOf('first'));
    expect(await streams.deliver('bytes', expected.id, AGENT, streamOf('second'))).toBe(false);
    expect(await textOf((await expected.opened).items)).toBe('first');
    expected.release();
    await first;
  });

  it('cannot be taken after its reader has left', async () => {
    const expected = streams.expect<Uint8Array>('bytes', AGENT, times.answerMs);
    expected.release();
    expect(await streams.deliver('bytes', expected.id, AGENT, streamOf('late'))).toBe(false);
  });

  it('fails when the device does not open it in time', async () => {
    const expected = streams.expect('bytes', AGENT, times.answerMs);
    vi.advanceTimersByTime(times.answerMs);
    await expect(expected.opened).rejects.toThrow('The device did not answer in time.');
    expected.release();
  });

  it('waits without a limit when none is set', async () => {
    const expected = streams.expect<Uint8Array>('bytes', AGENT, 'unlimited');
    vi.advanceTimersByTime(100 * times.answerMs);
    const delivered = streams.deliver('bytes', expected.id, AGENT, streamOf('late'));
    expect(await textOf((await expected.opened).items)).toBe('late');
    expected.release();
    await delivered;
  });

  it('fails at once when its device disconnects, but not when another device does', async () => {
    const lost = streams.expect('bytes', AGENT, times.answerMs);
    const other = streams.expect<Uint8Array>('bytes', STRANGER, times.answerMs);
    streams.connectionEnded(AGENT);
    await expect(lost.opened).rejects.toThrow('The device disconnected');
    const delivered = streams.deliver('bytes', other.id, STRANGER, streamOf('fine'));
    expect(await textOf((await other.opened).items)).toBe('fine');
    lost.release();
    other.release();
    await delivered;
  });
});

describe('a stream that is offered', () => {
  it('can be fetched once, and only by its device', async () => {
    const offered = streams.offer(AGENT, () => chunks('x', 'y'), times);
    expect(streams.fetch(offered.id, STRANGER)).toBeUndefined();
    expect(streams.fetch(newGuid(), AGENT)).toBeUndefined();
    const bytes = streams.fetch(offered.id, AGENT);
    expect(streams.fetch(offered.id, AGENT)).toBeUndefined();
    expect(await textOf(bytes ?? chunks())).toBe('xy');
    offered.withdraw();
  });

  it('is not read before it is fetched, and cannot be fetched after it is withdrawn', () => {
    const source = vi.fn(() => chunks('x'));
    const offered = streams.offer(AGENT, source, times);
    offered.withdraw();
    expect(streams.fetch(offered.id, AGENT)).toBeUndefined();
    expect(source).not.toHaveBeenCalled();
  });

  it('counts as silent when the device does not fetch it in time', () => {
    const offered = streams.offer(AGENT, () => chunks('x'), times);
    vi.advanceTimersByTime(times.answerMs - 1);
    expect(offered.silence.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(offered.silence.reason).toMatchObject({ message: 'The device did not answer in time.' });
    offered.withdraw();
  });

  it('may take any time, and counts as silent when the device does not answer after the last byte', async () => {
    const offered = streams.offer(AGENT, () => chunks('x', 'y'), times);
    const bytes = streams.fetch(offered.id, AGENT)?.[Symbol.asyncIterator]();
    expect((await bytes?.next())?.done).toBe(false);
    vi.advanceTimersByTime(100 * times.preparationMs);
    expect(offered.silence.aborted).toBe(false);
    await bytes?.next();
    expect((await bytes?.next())?.done).toBe(true);
    vi.advanceTimersByTime(times.preparationMs);
    expect(offered.silence.aborted).toBe(true);
    offered.withdraw();
  });

  it('ends quietly when the device answers before it has read everything', async () => {
    const offered = streams.offer(AGENT, () => chunks('x', 'y'), times);
    const bytes = streams.fetch(offered.id, AGENT)?.[Symbol.asyncIterator]();
    await bytes?.next();
    offered.withdraw();
    await bytes?.return?.();
    expect(offered.silence.aborted).toBe(false);
  });
});
