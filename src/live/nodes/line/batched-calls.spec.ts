import { beforeEach, describe, expect, it } from 'vitest';

import { MAXIMUM_AGE_MS } from '../../../devices/device-link/call-age.js';
import { BatchedCalls } from './batched-calls.js';
import { type Heard, SUBJECTS } from './carrier.js';
import { NotDone } from './node-calls.js';

type Methods = { readonly Note: { readonly args: [string]; readonly answer: null } };

describe('A call to another node', () => {
  let time: number;
  let noted: unknown[];
  /** Age of the last call that was begun, in milliseconds. */
  let age: number;
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
      Note: ([text], madeAt) => {
        noted.push(text);
        age = performance.now() - madeAt;
        return Promise.resolve(null);
      },
    });
  });

  const note = (text: string, madeAt?: number): Promise<null> => caller.call('asked', 'Note', [text], 10_000, { madeAt });

  it('is begun there when the turn in which it was made took no longer than a call may', async () => {
    const answer = note('in time');
    time += MAXIMUM_AGE_MS;
    expect(await answer).toBeNull();
    expect(noted).toEqual(['in time']);
    expect(age).toBeGreaterThanOrEqual(MAXIMUM_AGE_MS);
  });

  it('is begun there with the age that it had before, and that of its way', async () => {
    const answer = note('older', performance.now() - 2_000);
    time += 1_000;
    expect(await answer).toBeNull();
    expect(age).toBeGreaterThanOrEqual(3_000);
    expect(age).toBeLessThan(3_900);
  });

  it('is not begun there when this process stood still before the turn in which it was made ended', async () => {
    const answer = note('late').catch((error: unknown) => error);
    time += MAXIMUM_AGE_MS + 1;
    expect(await answer).toBeInstanceOf(NotDone);
    expect(noted).toEqual([]);
  });

  it('is not begun there when it had waited before, and one of the same message that had not is', async () => {
    const late = note('late', performance.now() - MAXIMUM_AGE_MS - 1).catch((error: unknown) => error);
    const answer = note('in time');
    expect(await late).toBeInstanceOf(NotDone);
    expect(await answer).toBeNull();
    expect(noted).toEqual(['in time']);
  });
});
