import { Link, useMatches } from '@tanstack/react-router';
import { RotateCw } from 'lucide';
import { lazy, type ReactNode, Suspense } from 'react';

import { type ProblemError, problemOf } from '../../problem/problem.js';
import { Button } from '../button/Button.js';
import { t } from '../texts.js';
import { listAround } from './list-around.js';
import { ProblemText } from './ProblemText.js';
import css from './states.module.css';
import { WhyLink } from './WhyLink.js';

const Details = lazy(async () => ({ default: (await import('./Details.js')).Details }));

interface ErrorStateProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** Error of a part of the page, with the next step: one failed part leaves the rest of the page alone. */
export function ErrorState({ error, onRetry }: ErrorStateProps): ReactNode {
  const problem = problemOf(error);
  if (problem.status === 403) return <Forbidden problem={problem} />;
  if (problem.status === 404) return <Gone />;
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

/** The caller may not: names the permission and links to the page that explains it. */
export function Forbidden({ problem }: { readonly problem: ProblemError }): ReactNode {
  const permission = problem.missingPermission;
  return (
    <div className={css.state} role="alert">
      <p className={css.title}>{t('forbidden-title')}</p>
      <p>{problem.problem.detail}</p>
      {permission !== null && (
        <p>
          {t('forbidden-missing')} <code>{permission}</code>
        </p>
      )}
      <WhyLink error={problem} />
    </div>
  );
}

/** Deleted, or not for this caller to see: both look alike on purpose. Leads to the list that it was in. */
export function Gone(): ReactNode {
  const list = useMatches({ select: (matches) => listAround(matches.at(-1)?.fullPath ?? '/') });
  return (
    <div className={css.state}>
      <p className={css.title}>{t('gone-title')}</p>
      <p>{t('gone-text')}</p>
      {list !== null && (
        <Link to={list} className="link">
          {t('gone-list')}
        </Link>
      )}
    </div>
  );
}
