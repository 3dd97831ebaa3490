import { describe, expect, it } from 'vitest';

import type { Completions } from '../../../live/sessions/terminal/terminal-session.js';
import { LineCompletion } from './line-completion.js';

const answerOf = (completionText: string): Completions =>
  ({ replacementIndex: 0, replacementLength: 6, completionMatches: [{ completionText }] }) as unknown as Completions;

describe('the completion of a line', () => {
  it('goes through the completions of the line that was typed', async () => {
    const asked: string[] = [];
    const completion = new LineCompletion(async (line) => {
      asked.push(line);
      return Promise.resolve(answerOf(asked.length === 1 ? 'Get-ChildItem' : 'Get-Children'));
    });
    const first = await completion.next({ line: 'Get-Ch', cursor: 6 }, true);
    expect(first).toEqual({ line: 'Get-ChildItem', cursor: 13 });
    expect(await completion.next(first ?? { line: '', cursor: 0 }, true)).toEqual({ line: 'Get-Children', cursor: 12 });
    expect(asked).toEqual(['Get-Ch', 'Get-Ch']);
    completion.forget();
    await completion.next({ line: 'Set-It', cursor: 6 }, true);
    expect(asked.at(-1)).toBe('Set-It');
  });

  it('leaves a line alone that has become another one before the device has answered', async () => {
    let answer: (completions: Completions) => void = () => undefined;
    const completion = new LineCompletion(async () => new Promise((resolve) => (answer = resolve)));
    const next = completion.next({ line: 'Get-Ch', cursor: 6 }, true);
    completion.forget();
    answer(answerOf('Get-ChildItem'));
    expect(await next).toBeNull();
  });

  it('has nothing where the device knows none', async () => {
    const completion = new LineCompletion(async () => Promise.resolve(null));
    expect(await completion.next({ line: 'x', cursor: 1 }, true)).toBeNull();
  });
});
