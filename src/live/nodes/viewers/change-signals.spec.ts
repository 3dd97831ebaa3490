import { randomUUID } from 'node:crypto';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { guidOfBytes } from '../line/signals.js';
import type { ServiceLine } from '../service-line.js';
import { ChangeSignals } from './change-signals.js';

describe('signals of changes', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Signals over a line that can be away. */
  function made(): {
    readonly changed: (id: string) => void;
    readonly heard: string[];
    readonly away: () => void;
    readonly back: () => void;
  } {
    const heard: string[] = [];
    const mended: (() => void)[] = [];
    const line = {
      isUp: true,
      heardNodes: [] as string[],
      onMended: (listener: () => void) => void mended.push(listener),
      signal: (ids: readonly Uint8Array[]) => void (line.isUp && heard.push(...ids.map(guidOfBytes))),
    };
    const signals = new ChangeSignals(line as unknown as ServiceLine);
    return {
      heard,
      changed: (id) => {
        signals.changed(id);
        vi.advanceTimersByTime(100);
      },
      away: () => void (line.isUp = false),
      back: () => {
        line.isUp = true;
        for (const listener of mended) listener();
      },
    };
  }

  it('leave also before another node was heard: it may hear this one', () => {
    const { changed, heard } = made();
    const id = randomUUID();
    changed(id);
    expect(heard).toEqual([id]);
  });

  it('leave again after a gap: those of the gap, and those shortly before', () => {
    const { changed, heard, away, back } = made();
    const [old, recent, ...inGap] = Array.from({ length: 5 }, () => randomUUID());
    changed(old);
    vi.advanceTimersByTime(30_000);
    changed(randomUUID());
    vi.advanceTimersByTime(11_000);
    changed(recent);
    heard.length = 0;
    away();
    for (const id of inGap) {
      changed(id);
      vi.advanceTimersByTime(30_000);
    }
    expect(heard).toEqual([]);
    back();
    expect(heard).toEqual(expect.arrayContaining([recent, ...inGap]));
    expect(heard).not.toContain(old);
  });
});
