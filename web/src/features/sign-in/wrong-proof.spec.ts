import { expect, it } from 'vitest';

import { ProblemError } from '../../problem/problem.js';
import { saysIfWrong } from './wrong-proof.js';

it('throws the sentence of the page for a wrong proof, and every other error as it is', async () => {
  const sentence = 'Wrong e-mail or password.';
  const thrownFor = async (error: ProblemError): Promise<unknown> =>
    Promise.reject(error)
      .catch(saysIfWrong(sentence))
      .catch((thrown) => thrown);
  expect(await thrownFor(new ProblemError(401, { detail: 'The e-mail address or the password is wrong.' }))).toMatchObject({
    status: 401,
    problem: { detail: sentence },
  });
  for (const other of [new ProblemError(401, { detail: 'Too many attempts failed.' }, null, 300), new ProblemError(503, {})])
    expect(await thrownFor(other)).toBe(other);
});
