import { RotateCw } from 'lucide';
import { lazy, type ReactNode, Suspense } from 'react';

import { loadPermissionNames } from '../../i18n/loaded-permission-names.js';
import { isNotYours, type ProblemError, problemOf } from '../../problem/problem.js';
import { Button } from '../button/Button.js';
import { t } from '../texts.js';
import { ProblemText } from './ProblemText.js';
import css from './states.module.css';
import { WhyLink } from './WhyLink.js';

/** The text of a refusal, once the display names of permissions are there. */
const RefusalText = lazy(async () => {
  await loadPermissionNames();
  return { default: ProblemText };
});
const Gone = lazy(async () => ({ default: (await import('./Gone.js')).Gone }));
const Details = lazy(async () => ({ default: (await import('./Details.js')).Details }));

interface ErrorStateProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** Error of a part of the page, with the next step: one failed part leaves the rest of the page alone. */
export function ErrorState({ error, onRetry }: ErrorStateProps): ReactNode {
  const problem = problemOf(error);
  if (isNotYours(problem)) {
    return (
      <Suspense fallback={<span hidden aria-busy />}>
        <Gone />
      </Suspense>
    );
  }
  if (problem.status === 403) return <Forbidden problem={problem} />;
  return (
    <div className={css.state} role="alert">
      <p className={css.title}>{t('error-title')}</p>
      <p>
        <ProblemText error={problem} />
      </p>
      {problem.status !== 0 && (
        <Suspense>
          <Details problem={problem} />
        </Suspense>
      )}
      {onRetry !== undefined && (
        <div className={css.actions}>
          <Button icon={RotateCw} onClick={onRetry}>
            {t('retry')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The caller may not: names the permission by its display name, and links to the page that explains it. */
export function Forbidden({ problem }: { readonly problem: ProblemError }): ReactNode {
  return (
    <div className={css.state} role="alert">
      <p className={css.title}>{t('forbidden-title')}</p>
      <Suspense>
        <p>
          <RefusalText error={problem} />
        </p>
      </Suspense>
      <WhyLink error={problem} />
    </div>
  );
}
