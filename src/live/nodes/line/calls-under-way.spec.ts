import { describe, expect, it } from 'vitest';

import { CallsUnderWay } from './calls-under-way.js';
import { type CallShare, NodeUnreachable, OutcomeUnknown, TooManyNodeCalls } from './node-calls.js';

const BOUNDS = { underWay: 5, toOneNode: 3, bytesToOneNode: 100 };

describe('calls under way', () => {
  const made = (): CallsUnderWay => new CallsUnderWay({ commands: BOUNDS, output: BOUNDS, questions: BOUNDS });

  /** Adds a call, and returns its number and its end. */
  function add(
    calls: CallsUnderWay,
    nodeId: string,
    size = 10,
    share: CallShare = 'commands',
    user = 'tenant',
  ): { readonly number: number; readonly end: Promise<unknown> } {
    const number = calls.nextNumber();
    let settle: { resolve: (answer: readonly unknown[]) => void; reject: (reason: Error) => void };
    const end = new Promise<unknown>((resolve, reject) => (settle = { resolve, reject })).catch((error: unknown) => error);
    calls.add(number, {
      user,
      share,
      nodeId,
      size,
      deadline: 1_000,
      resolve: (answer) => settle.resolve(answer),
      reject: (reason) => settle.reject(reason),
    });
    return { number, end };
  }

  it('are bounded for each node and in all, in number and bytes', () => {
    const calls = made();
    add(calls, 'a');
    add(calls, 'a');
    expect(() => add(calls, 'a')).toThrow(TooManyNodeCalls);
    add(calls, 'b', 95);
    add(calls, 'c');
    expect(() => add(calls, 'd')).toThrow(TooManyNodeCalls);
    const bytes = made();
    add(bytes, 'a', 80);
    expect(() => add(bytes, 'a', 10)).toThrow(TooManyNodeCalls);
  });

  it('of one tenant leave some for those of others', () => {
    const calls = made();
    add(calls, 'a', 80);
    expect(() => add(calls, 'a', 10)).toThrow(TooManyNodeCalls);
    add(calls, 'a', 10, 'commands', 'other');
    expect(() => add(calls, 'a', 1)).toThrow(TooManyNodeCalls);
    add(calls, 'a', 10, 'commands', 'other');
    expect(() => add(calls, 'a', 1, 'commands', 'third')).toThrow(TooManyNodeCalls);
    for (const node of ['b', 'c']) add(calls, node, 10);
    expect(() => add(calls, 'd')).toThrow(TooManyNodeCalls);
  });

  it('take one call of any size when nothing else is under way to its node', () => {
    expect(() => add(made(), 'a', 1_000)).not.toThrow();
  });

  it('let output of slow viewers take no places of commands', () => {
    const calls = made();
    add(calls, 'a', 50, 'output');
    add(calls, 'a', 10, 'output');
    expect(() => add(calls, 'a', 10, 'output')).toThrow(TooManyNodeCalls);
    add(calls, 'a', 90);
    expect(calls.size).toBe(3);
  });

  it('give their places back with their ends', async () => {
    const calls = made();
    const first = add(calls, 'a', 95);
    expect(calls.answered(first.number, [0, 'answer'])).toBe(true);
    expect(await first.end).toEqual([0, 'answer']);
    expect(calls.answered(first.number, [0])).toBe(false);
    add(calls, 'a', 95);
    expect(calls.size).toBe(1);
  });

  it('end as not done before they were sent, and as unknown after that, when their node is lost or their time is over', async () => {
    const calls = made();
    const [unsent, sent] = [add(calls, 'a'), add(calls, 'b')];
    calls.sent([sent.number], 0);
    calls.lost('a');
    calls.expire(999);
    expect(calls.size).toBe(1);
    calls.expire(1_000);
    expect(await unsent.end).toBeInstanceOf(NodeUnreachable);
    expect(await sent.end).toBeInstanceOf(OutcomeUnknown);
  });

  it('end together as not done when nobody heard their message', async () => {
    const calls = made();
    const [first, second] = [add(calls, 'a'), add(calls, 'a')];
    calls.sent([first.number, second.number], 0);
    calls.unheard(first.number);
    expect(await first.end).toBeInstanceOf(NodeUnreachable);
    expect(await second.end).toBeInstanceOf(NodeUnreachable);
    expect(calls.size).toBe(0);
  });

  it('are asked about each time that they had no answer for so long since they were sent, by node', async () => {
    const calls = made();
    const [first, second, elsewhere] = [add(calls, 'a'), add(calls, 'a'), add(calls, 'b')];
    add(calls, 'c');
    calls.sent([first.number, second.number], 100);
    calls.sent([elsewhere.number], 101);
    expect(calls.unheardOf(1_099, 1_000)).toEqual(new Map());
    expect(calls.unheardOf(1_100, 1_000)).toEqual(new Map([['a', [first.number, second.number]]]));
    calls.answered(second.number, [0]);
    expect(calls.unheardOf(1_101, 1_000)).toEqual(new Map([['b', [elsewhere.number]]]));
    expect(calls.unheardOf(2_100, 1_000)).toEqual(new Map([['a', [first.number]]]));
    expect([calls.lostOne(first.number), calls.lostOne(second.number)]).toEqual([true, false]);
    expect(await first.end).toBeInstanceOf(OutcomeUnknown);
  });
});
