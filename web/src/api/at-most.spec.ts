import { describe, expect, it } from 'vitest';

import { atMost } from './at-most.js';

/** Runs that end when they are told to. */
function runs(): { readonly started: string[]; run: (name: string) => () => Promise<string>; end: (name: string) => void } {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    run: (name) => () => {
      started.push(name);
      return new Promise((resolve) => ends.set(name, () => resolve(name)));
    },
    end: (name) => ends.get(name)?.(),
  };
}

const { signal } = new AbortController();

describe('a limit of runs at a time', () => {
  it('starts the next run when one ends, in their order', async () => {
    const { started, run, end } = runs();
    const inTurn = atMost(2);
    const results = ['a', 'b', 'c', 'd'].map((name) => inTurn(signal, run(name)));
    expect(started).toEqual(['a', 'b']);
    end('b');
    await results[1];
    await Promise.resolve();
    expect(started).toEqual(['a', 'b', 'c']);
    end('a');
    end('c');
    await Promise.all([results[0], results[2]]);
    end('d');
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
    expect(started).toEqual(['a', 'b', 'c', 'd']);
  });

  it('does not start a run that was given up while it waited, and continues after failures', async () => {
    const { started, run, end } = runs();
    const inTurn = atMost(1);
    const first = inTurn(signal, run('a'));
    const controller = new AbortController();
    const given = inTurn(controller.signal, run('b'));
    const failing = inTurn(signal, () => Promise.reject(new Error('no')));
    const last = inTurn(signal, run('c'));
    controller.abort();
    end('a');
    await first;
    await expect(given).rejects.toThrow();
    await expect(failing).rejects.toThrow('no');
    await Promise.resolve();
    end('c');
    expect(await last).toBe('c');
    expect(started).toEqual(['a', 'c']);
  });
});
