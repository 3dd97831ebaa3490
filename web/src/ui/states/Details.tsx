import type { ReactNode } from 'react';

import type { ProblemError } from '../../problem/problem.js';
import { CopyButton } from '../copy/CopyButton.js';
import { t } from '../later-texts.js';
import css from './states.module.css';

/** The service's answer to a failed request, for those who look into it. */
export function Details({ problem: { status, problem } }: { readonly problem: ProblemError }): ReactNode {
  return (
    <details className={css.details}>
      <summary>{t('details')}</summary>
      <dl className="meta">
        <dt>{t('status')}</dt>
        <dd>{status}</dd>
        {problem.detail !== undefined && (
          <>
            <dt>{t('detail')}</dt>
            <dd>{problem.detail}</dd>
          </>
        )}
        {problem.traceId !== undefined && (
          <>
            <dt>{t('trace-id')}</dt>
            <dd className="row">
              <span className="mono">{problem.traceId}</span>
              <CopyButton text={problem.traceId} label={t('copy-name', { name: t('trace-id') })} />
            </dd>
          </>
        )}
      </dl>
    </details>
  );
}
