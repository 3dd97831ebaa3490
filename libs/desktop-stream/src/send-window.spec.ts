import { describe, expect, it } from 'vitest';

import { SendWindow } from './send-window.js';

const CLOCK = (): bigint => 50n;

function windowWith(bytes: number, longestWaitMs?: number): SendWindow {
  const window = new SendWindow(CLOCK, longestWaitMs);
  window.sent(bytes);
  return window;
}

const ack = (receivedSize: number) => ({ receivedSize, sendTimestamp: 20n });

describe('the send window', () => {
  it('is open below 131,070 unacknowledged bytes', async () => {
    expect(windowWith(131_069).isFull).toBe(false);
    expect(windowWith(131_070).isFull).toBe(true);
    expect(await windowWith(131_069).whenOpen()).toBe(true);
  });

  it('opens with an acknowledgement, which tells the latency', async () => {
    const window = windowWith(200_000);
    expect(window.latency).toBeNull();
    const opened = window.whenOpen();
    window.acknowledged(ack(60_000));
    expect(window.isFull).toBe(true);
    window.acknowledged(ack(60_000));
    expect(await opened).toBe(true);
    expect(window.latency).toBe(30n);
    expect(window.unacknowledgedBytes).toBe(80_000);
  });

  it('is not opened further than it was filled, nor closed, by sizes that cannot be', () => {
    const window = windowWith(100);
    window.acknowledged(ack(1_000_000));
    expect(window.unacknowledgedBytes).toBe(0);
    window.sent(100);
    window.acknowledged(ack(-1_000_000));
    expect(window.unacknowledgedBytes).toBe(100);
  });

  it('says so when nothing is acknowledged in time', async () => {
    expect(await windowWith(200_000, 20).whenOpen()).toBe(false);
  });

  it('lets everything go on when it closes', async () => {
    const window = windowWith(200_000);
    const waiting = [window.whenOpen(), window.whenOpen()];
    window.close();
    expect(await Promise.all(waiting)).toEqual([true, true]);
  });
});
