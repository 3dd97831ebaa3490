import { type ReactNode, useEffect, useState } from 'react';

import { problemOf } from '../../problem/problem.js';
import { describeProblem } from '../problem-text.js';
import { t } from '../texts.js';

const SECOND = 1000;
/** In seconds. */
const MINUTE = 60;

/** An error as a sentence; if the service says when to try again, with the time that is left. */
export function ProblemText({ error }: { readonly error: unknown }): ReactNode {
  const problem = problemOf(error);
  const { retryAfter, refusedAt } = problem;
  return (
    <>
      {describeProblem(problem)}
      {retryAfter !== null && <Countdown until={refusedAt + retryAfter * SECOND} />}
    </>
  );
}

/** Counts down without telling screen readers, which would read out every second. */
function Countdown({ until }: { readonly until: number }): ReactNode {
  const [now, setNow] = useState(Date.now);
  const left = Math.max(0, Math.ceil((until - now) / SECOND));
  useEffect(() => {
    if (left === 0) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), SECOND);
    return () => clearTimeout(timer);
  }, [left, now]);
  if (left === 0) return null;
  const rest = left < MINUTE ? t('problem-seconds', { count: left }) : t('problem-minutes', { count: Math.ceil(left / MINUTE) });
  return <span role="timer"> {rest}</span>;
}
