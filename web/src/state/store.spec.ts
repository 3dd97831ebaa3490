import { describe, expect, it } from 'vitest';

import { atSignOut, forgetUser, listenersOf, store } from './store.js';

describe('a store', () => {
  it('tells listeners of every change, until they leave', () => {
    const count = store(0, 'stays');
    const seen: number[] = [];
    const stop = count.subscribe(() => seen.push(count.get()));
    count.set(1);
    count.set(2);
    stop();
    count.set(3);
    expect(seen).toEqual([1, 2]);
    expect(count.get()).toBe(3);
  });

  it("forgets the user's value at the sign-out, unless it is the page's", async () => {
    const ofPage = store('first', 'stays');
    const ofUser = store('first', 'goes');
    const seen: string[] = [];
    ofPage.set('changed');
    ofUser.set('changed');
    ofUser.subscribe(() => seen.push(ofUser.get()));
    await forgetUser();
    expect([ofPage.get(), ofUser.get()]).toEqual(['changed', 'first']);
    expect(seen).toEqual(['first']);
  });

  it('forgets later stores before earlier ones, and waits for each', async () => {
    const order: string[] = [];
    store('connection', async () => {
      await Promise.resolve();
      order.push('connection');
    });
    store('sessions', async () => {
      await Promise.resolve();
      order.push('sessions');
    });
    atSignOut(() => void order.push('feed'));
    await forgetUser();
    expect(order).toEqual(['feed', 'sessions', 'connection']);
  });
});

describe('listeners', () => {
  it("calls listeners with the event's arguments", () => {
    const pushes = listenersOf<[id: string, isOnline: boolean]>();
    const seen: unknown[] = [];
    const stop = pushes.add((...about) => seen.push(about));
    pushes.call('d', true);
    stop();
    pushes.call('d', false);
    expect(seen).toEqual([['d', true]]);
  });
});
