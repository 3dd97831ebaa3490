import { describe, expect, it } from 'vitest';

import { InputQueue } from './input-queue.js';

/** A queue whose calls end when the test says so. */
function heldQueue(): { queue: InputQueue; sent: string[]; finish: () => Promise<void> } {
  const sent: string[] = [];
  const pending: (() => void)[] = [];
  const queue = new InputQueue((input) => {
    sent.push(input);
    return new Promise((resolve) => pending.push(resolve));
  });
  const finish = async (): Promise<void> => {
    pending.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, sent, finish };
}

describe('InputQueue', () => {
  it('sends the first keys one by one and puts later ones together', async () => {
    const { queue, sent, finish } = heldQueue();
    for (const key of 'abcdefg') queue.type(key);
    expect(sent).toEqual(['a', 'b', 'c', 'd']);
    await finish();
    expect(sent).toEqual(['a', 'b', 'c', 'd', 'efg']);
  });

  it('cuts a long text into pieces without losing or splitting a character', async () => {
    const { queue, sent, finish } = heldQueue();
    const text = `${'x'.repeat(29_999)}😀${'y'.repeat(200_000)}`;
    queue.type(text);
    while (sent.join('').length < text.length) await finish();
    expect(sent.join('')).toBe(text);
    expect(sent[0]).toBe('x'.repeat(29_999));
  });

  it('drops waiting input when it is cleared', async () => {
    const { queue, sent, finish } = heldQueue();
    for (const key of 'abcdef') queue.type(key);
    queue.clear();
    for (let call = 0; call < 4; call += 1) await finish();
    expect(sent).toEqual(['a', 'b', 'c', 'd']);
  });
});
