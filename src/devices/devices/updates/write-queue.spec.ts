import { describe, expect, it } from 'vitest';

import type { WaitingWrite } from './waiting-write.js';
import { BATCH_SIZE, WriteQueue } from './write-queue.js';

/** A named entry, which notes when it is refused. */
interface NamedEntry {
  readonly name: string;
  readonly entry: WaitingWrite;
}

describe('WriteQueue', () => {
  const names = new Map<WaitingWrite, string>();
  const refusals: string[] = [];

  function update(deviceId: string, name = deviceId): NamedEntry {
    const entry = {
      kind: 'update',
      deviceId,
      write: {
        deviceId,
        connectionId: '',
        seenAt: new Date(0),
        figures: { cpuUtilization: 0, totalMemory: 0, usedMemory: 0, totalStorage: 0, usedStorage: 0 },
        details: null,
        writtenBy: null,
        publicKey: '',
        ticks: null,
        address: { publicIpV4: null, publicIpV6: null },
      },
      settle: () => undefined,
      fail: () => void refusals.push(name),
    } as const;
    names.set(entry, name);
    return { name, entry };
  }

  function disconnect(deviceId: string, name: string): NamedEntry {
    const entry = {
      kind: 'disconnect',
      deviceId,
      disconnect: { deviceId, connectionId: '', seenAt: new Date(0) },
      settle: () => undefined,
    } as const;
    names.set(entry, name);
    return { name, entry };
  }

  function queueOf(...entries: readonly NamedEntry[]): WriteQueue {
    const queue = new WriteQueue();
    for (const { entry } of entries) queue.add(entry);
    return queue;
  }

  const namesOf = (batch: readonly WaitingWrite[]): (string | undefined)[] => batch.map((entry) => names.get(entry));

  it('takes entries in their order, each device once in a batch', () => {
    const queue = queueOf(update('a', 'a 1'), update('b', 'b 1'), disconnect('a', 'a 2'), update('c', 'c 1'), update('a', 'a 3'));
    expect(namesOf(queue.take(0))).toEqual(['a 1', 'b 1', 'c 1']);
    expect(namesOf(queue.take(0))).toEqual(['a 2']);
    expect(namesOf(queue.take(0))).toEqual(['a 3']);
    expect(queue.take(0)).toEqual([]);
  });

  it('takes no more than a batch holds, and skipped entries before those behind the batch', () => {
    const queue = queueOf(update('first', 'first 1'), update('first', 'first 2'));
    for (let index = 0; index < BATCH_SIZE; index += 1) queue.add(update(`device ${index}`).entry);
    expect(queue.take(0)).toHaveLength(BATCH_SIZE);
    expect(namesOf(queue.take(0))).toEqual(['first 2', `device ${BATCH_SIZE - 1}`]);
  });

  it('keeps entries of a held device out of batches until it is due', () => {
    const queue = queueOf(update('a', 'a 1'), update('b', 'b 1'));
    const [held, other] = queue.take(0);
    queue.hold(held, 0);
    queue.finish([other]);
    queue.add(update('a', 'a 2').entry);
    queue.add(update('b', 'b 2').entry);
    expect([queue.heldDeviceCount, queue.nextRetry]).toEqual([1, 500]);
    expect(namesOf(queue.take(499))).toEqual(['b 2']);
    expect(namesOf(queue.take(500))).toEqual(['a 1']);
  });

  it('continues with the entries behind a held one, ahead of later ones', () => {
    const queue = queueOf(update('a', 'a 1'));
    const [held] = queue.take(0);
    queue.hold(held, 0);
    queue.add(update('a', 'a 2').entry);
    queue.add(update('b', 'b 1').entry);
    queue.take(1);
    const [again] = queue.take(500);
    queue.add(update('a', 'a 3').entry);
    queue.finish([again]);
    expect(namesOf(queue.take(501))).toEqual(['a 2']);
    expect(namesOf(queue.take(501))).toEqual(['a 3']);
    expect(queue.heldDeviceCount).toBe(0);
  });

  it('refuses updates beyond a full line, but never a disconnect', () => {
    const queue = queueOf(update('a', 'a 1'));
    const [held] = queue.take(0);
    queue.hold(held, 0);
    for (let index = 2; index <= 9; index += 1) queue.add(update('a', `a ${index}`).entry);
    queue.add(disconnect('a', 'a off').entry);
    queue.take(1);
    expect(refusals.splice(0)).toEqual(['a 9']);
    expect(namesOf(queue.clearHeld())).toEqual(['a 1', 'a 2', 'a 3', 'a 4', 'a 5', 'a 6', 'a 7', 'a 8', 'a off']);
    expect([queue.heldDeviceCount, queue.length]).toEqual([0, 0]);
  });
});
