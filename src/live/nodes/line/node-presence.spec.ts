import { describe, expect, it } from 'vitest';

import { NodePresence } from './node-presence.js';

const INTERVAL_MS = 1_000;

describe('the presence of nodes', () => {
  /** A node that hears itself and another one until so many milliseconds, each once a second, half a second apart. */
  function heard(until: { readonly own: number; readonly other: number }): {
    readonly presence: NodePresence;
    readonly lookAt: (now: number) => readonly string[];
  } {
    const presence = new NodePresence('own', 0);
    let now = 0;
    const lookAt = (end: number): readonly string[] => {
      const missing: string[] = [];
      for (; now <= end; now += INTERVAL_MS) {
        missing.push(...presence.look(now, INTERVAL_MS));
        if (now <= until.own) presence.hear('own', now);
        if (now + 500 <= until.other) presence.hear('other', now + 500);
      }
      return missing;
    };
    return { presence, lookAt };
  }

  it('misses a node once, 5 s after its last word', () => {
    const { presence, lookAt } = heard({ own: Number.POSITIVE_INFINITY, other: 2_500 });
    expect(lookAt(7_000)).toEqual([]);
    expect(presence.reaches('other', 7_500)).toBe(true);
    expect(presence.reaches('other', 7_501)).toBe(false);
    expect(lookAt(20_000)).toEqual(['other']);
    expect([presence.heard(20_000), presence.isHeardByItself(20_000)]).toEqual([[], true]);
    presence.hear('other', 20_000);
    expect([presence.reaches('other', 20_000), presence.heard(20_000)]).toEqual([true, ['other']]);
  });

  it('misses nobody while it does not hear itself either', () => {
    const { presence, lookAt } = heard({ own: 3_000, other: 2_500 });
    expect(lookAt(60_000)).toEqual([]);
    for (let now = 3_000; now < 60_000; now += 100) expect(presence.reaches('other', now)).toBe(true);
    expect([presence.heard(60_000), presence.isHeardByItself(60_000)]).toEqual([[], false]);
  });

  it('gives all nodes their time again when this process has stood still', () => {
    const { presence } = heard({ own: 0, other: 0 });
    presence.hear('other', 0);
    expect(presence.look(15_000, INTERVAL_MS)).toEqual([]);
    expect([presence.reaches('other', 20_000), presence.reaches('other', 20_001)]).toEqual([true, true]);
    presence.hear('own', 20_000);
    expect(presence.reaches('other', 20_001)).toBe(false);
  });

  it('reaches a node that was never heard: it may have just started', () => {
    expect(new NodePresence('own', 0).reaches('new', 60_000)).toBe(true);
  });

  it('hears new nodes, however many have ended before', () => {
    const presence = new NodePresence('own', 0);
    const lifeMs = 60_000;
    for (let life = 0; life < 300; life += 1) {
      const start = life * lifeMs;
      for (let now = start; now < start + lifeMs; now += INTERVAL_MS) {
        presence.look(now, INTERVAL_MS);
        presence.hear('own', now);
        expect(presence.hear(`life ${life}`, now)).toBe(true);
      }
    }
    expect(presence.heard(300 * lifeMs)).toEqual(['life 299']);
  });
});
