import { describe, expect, it } from 'vitest';

import { PostponedEntries } from './postponed-entries.js';

interface Entry {
  readonly deviceId: string;
  readonly name: string;
}

const entry = (deviceId: string, name = `${deviceId} 1`): Entry => ({ deviceId, name });
const namesOf = (entries: readonly Entry[]): string[] => entries.map(({ name }) => name);

/** Lines of devices that were found held at the time 0, 1, 2, … */
function postponed(...deviceIds: string[]): PostponedEntries<Entry> {
  const held = new PostponedEntries<Entry>();
  for (const [at, id] of deviceIds.entries()) held.hold(entry(id), at);
  return held;
}

describe('PostponedEntries', () => {
  it('gives first entries in the order of their devices, when their time has come', () => {
    const held = postponed('a', 'b', 'c');
    held.append(entry('a', 'a 2'));
    expect(held.nextRetry).toBe(500);
    expect(held.due(499, 10)).toEqual([]);
    expect(namesOf(held.due(501, 10))).toEqual(['a 1', 'b 1']);
  });

  it('gives no more than it may, and the rest after a pause', () => {
    const held = postponed('a', 'b', 'c');
    for (const name of namesOf(held.due(1_000, 2))) held.hold(entry(name.slice(0, 1), name), 1_001);
    expect(held.due(1_049, 2)).toEqual([]);
    expect(held.nextRetry).toBe(1_050);
    expect(namesOf(held.due(1_050, 2))).toEqual(['c 1']);
  });

  it('keeps the entry that was tried at the head of its line, and tries it later again', () => {
    const held = postponed('a');
    held.append(entry('a', 'a 2'));
    const [first] = held.due(500, 10);
    expect(held.has('a')).toBe(true);
    held.hold(first, 510);
    expect(held.due(1_009, 10)).toEqual([]);
    expect(namesOf(held.due(1_010, 10))).toEqual(['a 1']);
    expect(held.deviceCount).toBe(1);
  });

  it('closes the line of a device with its first entry, and gives the entries behind it', () => {
    const held = postponed('a', 'b');
    for (const name of ['a 2', 'a 3']) held.append(entry('a', name));
    expect(namesOf(held.release('a'))).toEqual(['a 2', 'a 3']);
    expect([held.has('a'), held.has('b'), held.deviceCount]).toEqual([false, true, 1]);
    expect(held.release('a')).toEqual([]);
  });

  it('is full for a device alone', () => {
    const held = postponed('a', 'b');
    for (let count = 2; count <= 8; count += 1) {
      expect(held.isFull('a')).toBe(false);
      held.append(entry('a', `a ${count}`));
    }
    expect([held.isFull('a'), held.isFull('b'), held.isFull('unknown')]).toEqual([true, false, false]);
  });

  it('gives everything when it is cleared', () => {
    const held = postponed('a', 'b');
    held.append(entry('a', 'a 2'));
    expect(namesOf(held.clear())).toEqual(['a 1', 'a 2', 'b 1']);
    expect([held.deviceCount, held.nextRetry]).toEqual([0, undefined]);
  });
});
