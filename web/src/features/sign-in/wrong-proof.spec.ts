import { expect, it } from 'vitest';

import { ProblemError } from '../../problem/problem.js';
import { saysIfWrong } from './wrong-proof.js';

const SENTENCE = 'Wrong e-mail or password.';

function thrownFor(error: ProblemError): unknown {
  try {
    return saysIfWrong(SENTENCE)(error);
  } catch (thrown) {
    return thrown;
  }
}

it('throws the sentence of the page for a wrong proof, and every other error as it is', () => {
  expect(thrownFor(new ProblemError(401, { detail: 'The e-mail address or the password is wrong.' }))).toMatchObject({
    status: 401,
    problem: { detail: SENTENCE },
  });
  for (const other of [new ProblemError(401, { detail: 'Too many attempts failed.' }, null, 300), new ProblemError(503, {})])
    expect(thrownFor(other)).toBe(other);
});
