import { describe, expect, it } from 'vitest';

import { RepeatedOutputs } from './repeated-outputs.js';

const TERMINAL = { viewer: 'viewer', terminal: 'device terminal' };

describe('outputs that another node repeats', () => {
  /** Shows outputs and notes them. */
  function shown(isTaken = true): {
    readonly outputs: RepeatedOutputs;
    readonly texts: string[];
    readonly show: (from: string, number: number) => Promise<boolean>;
  } {
    const outputs = new RepeatedOutputs();
    const texts: string[] = [];
    const show = (from: string, number: number): Promise<boolean> =>
      outputs.once(TERMINAL, from, number, () => {
        texts.push(`${from} ${number}`);
        return Promise.resolve(isTaken);
      });
    return { outputs, texts, show };
  }

  it('are shown once, and answered alike', async () => {
    const { texts, show } = shown();
    expect(await Promise.all([show('a', 1), show('a', 1)])).toEqual([true, true]);
    expect(await show('a', 1)).toBe(true);
    expect(await show('a', 2)).toBe(true);
    expect(texts).toEqual(['a 1', 'a 2']);
  });

  it('wait with the first one for the viewer to read', async () => {
    const outputs = new RepeatedOutputs();
    let read = (): void => undefined;
    const isRead = new Promise<boolean>((resolve) => (read = () => resolve(true)));
    const first = outputs.once(TERMINAL, 'a', 1, () => isRead);
    const second = outputs.once(TERMINAL, 'a', 1, () => Promise.reject(new Error('It is shown twice.')));
    read();
    expect(await Promise.all([first, second])).toEqual([true, true]);
  });

  it('have numbers of their own at each node', async () => {
    const { texts, show } = shown();
    await show('a', 7);
    await show('b', 1);
    expect(texts).toEqual(['a 7', 'b 1']);
  });

  it('are shown again when no viewer took them, or when the viewer has left', async () => {
    const untaken = shown(false);
    await untaken.show('a', 1);
    await untaken.show('a', 1);
    expect(untaken.texts).toHaveLength(2);
    const taken = shown();
    await taken.show('a', 1);
    taken.outputs.left('viewer');
    await taken.show('a', 1);
    expect(taken.texts).toHaveLength(2);
  });
});
