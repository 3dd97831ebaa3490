import { beforeEach, describe, expect, it } from 'vitest';

import { BatchedCalls, MAXIMUM_AGE_MS } from './batched-calls.js';
import { type Heard, SUBJECTS } from './carrier.js';
import { NotDone } from './node-calls.js';

type Methods = { readonly Note: { readonly args: [string]; readonly answer: null } };

describe('A call to another node', () => {
  let time: number;
  let noted: unknown[];
  let caller: BatchedCalls<Methods>;

  beforeEach(() => {
    time = 1_000_000;
    noted = [];
    const own = (id: string): ConstructorParameters<typeof BatchedCalls>[0] => ({
      id,
      databaseTime: () => time,
      reaches: () => true,
      refused: (kind) => expect.unreachable(kind),
      called: () => undefined,
      batched: () => undefined,
    });
    const carrier = {
      isUp: () => true,
      publish: (subject: string, payload: Uint8Array, reply = ''): void => {
        const heard = { subject, reply, payload } as Heard;
        if (subject === SUBJECTS.node('asked')) asked.heardCalls(heard);
        else caller.heardAnswers(heard);
      },
    };
    caller = new BatchedCalls<Methods>(own('caller'), carrier, {});
    const asked = new BatchedCalls<Methods>(own('asked'), carrier, {
      Note: ([text]) => {
        noted.push(text);
        return Promise.resolve(null);
      },
    });
  });

  const note = (text: string): Promise<null> => caller.call('asked', 'Note', [text], 10_000);

  it('is begun there when the turn in which it was made took no longer than a call may', async () => {
    const answer = note('in time');
    time += MAXIMUM_AGE_MS;
    expect(await answer).toBeNull();
    expect(noted).toEqual(['in time']);
  });

  it('is not begun there when this process stood still before the turn in which it was made ended', async () => {
    const answer = note('late').catch((error: unknown) => error);
    time += MAXIMUM_AGE_MS + 1;
    expect(await answer).toBeInstanceOf(NotDone);
    expect(noted).toEqual([]);
  });
});
