import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { problemOf } from '../../problem/problem.js';
import { t } from '../texts.js';

interface WhyLinkProps {
  readonly error: unknown;
  /** `_blank` where the page holds something that leaving it would lose. */
  readonly target?: '_blank';
}

/** The way from a refusal to the page that explains it, with the question filled in. Nothing for other failures. */
export function WhyLink({ error, target }: WhyLinkProps): ReactNode {
  const { status, missingPermission, missingOn } = problemOf(error);
  if (status !== 403 || missingPermission === null) return null;
  return (
    <Link to="/effective-permissions" search={{ what: missingPermission, on: missingOn ?? undefined }} className="link" target={target}>
      {t('forbidden-why')}
    </Link>
  );
}
